import { createService } from '../../server-side.mjs';
import { createLinePeer, drained } from './line-peer.mjs';

const peer = createLinePeer(process.stdin, process.stdout);
const service = createService({
  notify: (method, params) => peer.notify(method, params),
  drained: () => drained(process.stdout),
});
for (const method of ['echo', 'count', 'flood', 'note']) peer.addMethod(method, service[method]);
