import { createService } from '../../server-side.mjs';
import { createWriter, readLines } from './line-loop.mjs';

const { send, drained } = createWriter(process.stdout);
const service = createService({
  notify: (method, params) => send({ jsonrpc: '2.0', method, params }),
  drained,
});

readLines(process.stdin, (messages) => {
  for (const { id, method, params } of messages) {
    const result = service[method](params);
    if (id === undefined) continue;
    if (result instanceof Promise) void result.then((value) => answer(id, value));
    else answer(id, result);
  }
});

function answer(id, result) {
  send({ jsonrpc: '2.0', id, result });
}
