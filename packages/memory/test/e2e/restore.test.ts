import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { backupSqliteStore } from '../../src/store/sqlite/backup.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { makeNote } from '../store/store-contract.ts';
import { environment, MAIN, MemoryProgram } from './memory-program.ts';

const root = mkdtempSync(join(tmpdir(), 'tincan-restore-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const crashAt = fileURLToPath(new URL('./fixtures/crash-at.mjs', import.meta.url));

interface Scene {
  readonly home: string;
  readonly path: string;
  readonly file: string;
  readonly saved: string;
  readonly later: string;
}

/** A closed store, and a backup from before its newest note. */
async function scene(name: string): Promise<Scene> {
  const home = join(root, name);
  const path = join(home, 'data', 'memory.db');
  const file = join(home, 'copy');
  const store = await openSqliteStore({ path });
  const { id: saved } = await store.addNote(makeNote({ text: 'saved' }));
  await backupSqliteStore({ path, file });
  const { id: later } = await store.addNote(makeNote({ text: 'later' }));
  await store.close();
  return { home, path, file, saved, later };
}

async function idsIn(path: string): Promise<string[]> {
  const store = await openSqliteStore({ path });
  try {
    expect(await store.check()).toEqual([]);
    return (await store.listNotes({ projectId: '/p' }, 10)).map(({ id }) => id);
  } finally {
    await store.close();
  }
}

async function restore(
  { home, file }: Scene,
  { crash }: { readonly crash?: number } = {},
): Promise<{ code: number | string | null; stderr: string; stdout: string }> {
  const node = crash === undefined ? [] : ['--import', crashAt];
  const env = environment(home, {
    TINCAN_EMBEDDER_PROVIDER: 'none',
    ...(crash === undefined ? {} : { CRASH_AT: String(crash) }),
  });
  return promisify(execFile)(process.execPath, [...node, MAIN, 'restore', file], { env }).then(
    (output) => ({ code: 0, ...output }),
    (error) => ({ code: error.signal ?? error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

describe('the restore command', () => {
  it('leaves a whole store at the path whenever it is killed', async () => {
    let crash = 0;
    const states = new Set<string>();
    while (true) {
      const made = await scene(`crash-${crash}`);
      const { code } = await restore(made, { crash });
      const ids = await idsIn(made.path);
      expect(ids).toContain(made.saved);
      const isOld = ids.includes(made.later);
      states.add(isOld ? 'old' : 'new');
      if (!isOld) {
        const folder = dirname(made.path);
        const kept = readdirSync(folder).filter((name) => /replaced-.*Z$/.test(name));
        expect(kept).toHaveLength(1);
        expect(await idsIn(join(folder, kept[0] ?? ''))).toContain(made.later);
      }
      // A second attempt, after any crash, does the work.
      if (code !== 0) {
        expect(code).toBe('SIGKILL');
        expect(await restore(made)).toMatchObject({ code: 0 });
        expect(await idsIn(made.path)).toEqual([made.saved]);
      }
      crash += 1;
      if (code === 0) break;
    }
    expect(states).toEqual(new Set(['old', 'new']));
    expect(crash).toBeGreaterThan(3);
  });

  it('is refused while an idle server has the store open, and works once it has ended', async () => {
    const made = await scene('idle');
    await using server = new MemoryProgram(made.home, {
      env: { TINCAN_EMBEDDER_PROVIDER: 'none' },
    });
    await server.call('memory.get', { id: made.later });
    const refused = await restore(made);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain('stop every server');
    expect(await server.call('memory.get', { id: made.later })).toMatchObject({ text: 'later' });
    await server.end();
    expect(await restore(made)).toMatchObject({ code: 0 });
    expect(await idsIn(made.path)).toEqual([made.saved]);
  });

  it('is seen by a server that opens the store afterwards', async () => {
    const made = await scene('later');
    await using server = new MemoryProgram(made.home, {
      env: { TINCAN_EMBEDDER_PROVIDER: 'none' },
    });
    // A server that nobody has called has nothing open.
    await server.call('memory.get_config');
    expect(await restore(made)).toMatchObject({ code: 0 });
    expect(await server.request('memory.get', { id: made.later })).toMatchObject({
      error: { code: -32003 },
    });
    expect(await server.call('memory.get', { id: made.saved })).toMatchObject({ text: 'saved' });
  });
});
