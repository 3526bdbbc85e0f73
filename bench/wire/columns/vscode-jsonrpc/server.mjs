import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { createOutgoing } from '../../outgoing.mjs';
import { createService } from '../../server-side.mjs';

const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
const outgoing = createOutgoing();
const service = createService({
  notify: (method, params) => outgoing.add(connection.sendNotification(method, params)),
  drained: outgoing.settled,
});

for (const method of ['echo', 'count', 'flood']) connection.onRequest(method, service[method]);
connection.onNotification('note', service.note);
connection.listen();
