// Stands between the two ends and stops reading for a moment after every few megabytes, each way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_EVERY_BYTES = 8 * 2 ** 20;
const PAUSE_MS = 100;

const server = spawn(process.execPath, process.argv.slice(2), {
  stdio: ['pipe', 'pipe', 'inherit'],
});
await Promise.all([relay(process.stdin, server.stdin), relay(server.stdout, process.stdout)]);

async function relay(from, to) {
  let bytes = 0;
  for await (const chunk of from) {
    if (!to.write(chunk)) await once(to, 'drain');
    bytes += chunk.length;
    if (bytes < PAUSE_EVERY_BYTES) continue;
    bytes = 0;
    await delay(PAUSE_MS);
  }
  if (to !== process.stdout) to.end();
}
