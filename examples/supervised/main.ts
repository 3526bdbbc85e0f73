import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { ProcessExitedError, spawnServer, WireError } from 'tincan-wire';

const server = fileURLToPath(new URL('./server.js', import.meta.url));
let handshakes = 0;
const connection = await spawnServer({
  command: process.execPath,
  args: [server],
  handshake: async (peer) => {
    handshakes++;
    await peer.request('hello');
  },
  restart: { maxCrashes: 3, backoffMs: 10 },
});
connection.on('restart', (attempt) => console.log(`restarted, attempt ${attempt}`));

const first = await connection.request('pid');

// A request that may not run twice is not sent again: its caller learns what happened.
const lost = await connection.request('crash').catch((error) => error);
assert.ok(lost instanceof ProcessExitedError);
console.log(`lost: ${lost.code}, exit code ${lost.exitCode}, phase ${lost.phase}`);
assert.equal(lost.exitCode, 7);

// Whatever is asked next waits for the new process and its handshake.
const second = await connection.request('pid', undefined, { safe: true });
console.log(`handshakes: ${handshakes}, new process: ${first !== second}`);
assert.notEqual(second, first);
assert.equal(handshakes, 2);

await connection.close();
const after = await connection.request('pid').catch((error) => error);
assert.ok(after instanceof WireError);
console.log(`after close: ${after.code}`);
assert.equal(after.code, 'SHUTDOWN');
