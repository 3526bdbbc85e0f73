import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnServer } from 'tincan-wire';

/** The server as a user starts it. */
export const program = fileURLToPath(
  new URL('../../packages/memory/bin/tincan-memory.js', import.meta.url),
);

/** Answers in flight at once while notes are added. */
const WINDOW = 64;

/** Starts the memory server on a store of its own, which `close` deletes. */
export async function startMemory() {
  const home = mkdtempSync(join(tmpdir(), 'tincan-retrieval-'));
  const env = { ...process.env, TINCAN_HOME: home };
  const server = await spawnServer({ command: process.execPath, args: [program], env });
  return {
    home,
    pid: server.pid,
    call: (method, params) => server.request(`memory.${method}`, params, { timeoutMs: 120_000 }),
    /** Adds notes in their order; the ids they got. */
    async add(notes) {
      const ids = [];
      for (let i = 0; i < notes.length; i += WINDOW) {
        const part = notes.slice(i, i + WINDOW).map((note) => this.call('add_note', note));
        ids.push(...(await Promise.all(part)).map(({ id }) => id));
      }
      return ids;
    },
    /** Gives every note its vector anew, in their order: samples of them are the same in every run. */
    fill() {
      const { status } = spawnSync(process.execPath, [program, 'reindex', '--all'], {
        env,
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      if (status !== 0) throw new Error('could not embed the notes');
    },
    async close() {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
