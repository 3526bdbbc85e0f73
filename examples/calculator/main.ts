import assert from 'node:assert/strict';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RpcError, spawnServer } from 'tincan-wire';

const server = fileURLToPath(new URL('./server.js', import.meta.url));
const calculator = await spawnServer({ command: process.execPath, args: [server] });
console.log(`started a calculator, process ${calculator.pid}`);
const [line] = await once(calculator, 'stderr');
console.log(`it logs on stderr: ${line}`);

const sum = await calculator.request('add', { a: 2, b: 3 });
console.log(`2 + 3 = ${sum}`);
assert.equal(sum, 5);

const operands = Array.from({ length: 1000 }, (_, n) => ({ a: n, b: 1 }));
const sums = await Promise.all(operands.map((params) => calculator.request('add', params)));
console.log(`1,000 requests in flight at once, last answer ${sums.at(-1)}`);
assert.deepEqual(
  sums,
  operands.map(({ a }) => a + 1),
);

const refusal = await calculator.request('divide', { a: 1, b: 0 }).catch((error) => error);
assert.ok(refusal instanceof RpcError);
console.log(`1 / 0: ${refusal.code} ${refusal.rpcCode}, ${refusal.message}`);
assert.equal(refusal.rpcCode, 1);

const unknown = await calculator.request('sine', { a: 1 }).catch((error) => error);
assert.ok(unknown instanceof RpcError);
console.log(`sine: ${unknown.code} ${unknown.rpcCode}, ${unknown.message}`);
assert.equal(unknown.rpcCode, -32601);

await calculator.close();
console.log(`closed; still running: ${calculator.isRunning}`);
assert.equal(calculator.isRunning, false);
