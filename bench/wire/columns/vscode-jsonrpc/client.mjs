import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { createOutgoing } from '../../outgoing.mjs';

/** @type {import('../../session.mjs').Connect} */
export async function connect({ command, args, onTick }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const outgoing = createOutgoing();
  connection.onNotification('tick', () => onTick(1));
  connection.listen();
  return {
    request: (method, params) => connection.sendRequest(method, params),
    notify: (method, params) => outgoing.add(connection.sendNotification(method, params)),
    drained: outgoing.settled,
    async close() {
      connection.dispose();
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
