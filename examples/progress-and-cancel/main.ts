import assert from 'node:assert/strict';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnServer, TimeoutError, WireError } from 'tincan-wire';

const server = fileURLToPath(new URL('./server.js', import.meta.url));
await using counter = await spawnServer({ command: process.execPath, args: [server] });

const seen: number[] = [];
const result = await counter.request(
  'count',
  { to: 5 },
  { onProgress: ({ progress }) => seen.push(progress) },
);
console.log(`counted to ${result}, progress ${seen.join(' ')}`);
assert.equal(result, 5);
assert.deepEqual(seen, [1, 2, 3, 4, 5]);

// The caller loses interest: the promise rejects at once, and the server stops working.
const controller = new AbortController();
const stopped = once(counter, 'stderr');
const cancelled = await counter
  .request(
    'count',
    { to: 100_000 },
    {
      signal: controller.signal,
      onProgress: ({ progress }) => progress === 3 && controller.abort(),
    },
  )
  .catch((error) => error);
assert.ok(cancelled instanceof WireError);
console.log(`cancelled: ${cancelled.code}; the server says: ${(await stopped)[0]}`);
assert.equal(cancelled.code, 'CANCELLED');

// Progress keeps a request alive; `maxTotalMs` ends it all the same.
const late = await counter
  .request('count', { to: 100_000 }, { resetOnProgress: true, maxTotalMs: 200 })
  .catch((error) => error);
assert.ok(late instanceof TimeoutError);
console.log(`timed out: ${late.code}, ${late.clock} clock, ${late.timeoutMs} ms`);
assert.equal(late.clock, 'total');
