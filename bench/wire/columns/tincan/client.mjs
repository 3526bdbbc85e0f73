import { Dispatcher, spawnServer } from 'tincan-wire';
import { createOutgoing } from '../../outgoing.mjs';

/** @type {import('../../session.mjs').Connect} */
export async function connect({ command, args, onTick }) {
  const outgoing = createOutgoing();
  const connection = await spawnServer({
    command,
    args,
    maxMessageBytes: 2 ** 30,
    methods: new Dispatcher({ tick: () => onTick(1) }),
  });
  return {
    request: (method, params) => connection.request(method, params),
    notify: (method, params) => outgoing.add(connection.notify(method, params)),
    drained: outgoing.settled,
    close: () => connection.close(),
  };
}
