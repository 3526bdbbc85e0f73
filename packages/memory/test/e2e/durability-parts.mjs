import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { callMethod, loadSettings, Memory } from '../../dist/index.js';

const writer = fileURLToPath(new URL('./writer.mjs', import.meta.url));

/** Starts a writer; `acknowledged` fills while it runs. */
export function startWriter(home, count) {
  const child = spawn(process.execPath, [writer, home, String(count)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const acknowledged = [];
  let rest = '';
  let errors = '';
  const begun = new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      acknowledged.push(...lines);
      resolve();
    });
    child.on('exit', resolve);
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, errors }));
  });
  return { child, acknowledged, begun, ended };
}

/** Waits a moment that nobody can foresee. */
export function moment(mostMs) {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));
}

export async function openMemory(home) {
  return new Memory({ settings: await loadSettings({ env: { TINCAN_HOME: home } }) });
}

/** How many of some notes the store no longer has. */
export async function countMissing(memory, ids) {
  let missing = 0;
  for (const id of ids) {
    await callMethod(memory, 'memory.get', { id }).catch(() => {
      missing += 1;
    });
  }
  return missing;
}
