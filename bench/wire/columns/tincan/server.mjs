import { Dispatcher, runServer } from 'tincan-wire';
import { createOutgoing } from '../../outgoing.mjs';
import { createService } from '../../server-side.mjs';

let peer;
const outgoing = createOutgoing();
const service = createService({
  notify: (method, params) => outgoing.add(peer.notify(method, params)),
  drained: outgoing.settled,
});

await runServer(new Dispatcher(service), {
  maxMessageBytes: 2 ** 30,
  onPeer: (opened) => {
    peer = opened;
  },
});
