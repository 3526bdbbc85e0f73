import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Connection, connect } from '../../src/store/sqlite/driver.ts';
import { makeVersion1File } from '../store/sqlite/version-1-file.ts';
import { MemoryProgram } from './memory-program.ts';

const NOTES = 5_000;
const home = mkdtempSync(join(tmpdir(), 'tincan-migration-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('brings a store of version 1 up under several processes at once, each seeing all of it or none', async () => {
  const path = join(home, 'memory.db');
  makeVersion1File(path, {
    projectId: '/p',
    notes: Array.from({ length: NOTES }, (_, i) => ({
      id: `note-${i}`,
      text: `${i === 4_999 ? 'quartz' : 'granite'} ${'lorem ipsum dolor '.repeat(60)}`,
    })),
  });
  const env = { TINCAN_EMBEDDER_PROVIDER: 'none', TINCAN_STORE_PATH: path };
  await using first = new MemoryProgram(home, { env });
  await using second = new MemoryProgram(home, { env });
  // An onlooker from outside: what it sees of the file changes once, from all old to all new.
  const onlooker = connect(path);
  const seen = new Set<string>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      seen.add(stateOf(onlooker));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  const programs = [first, second];
  const added = await Promise.all(
    programs.map((program) =>
      program.call('memory.add_note', { projectId: '/p', groupId: 'g', text: 'added by both' }),
    ),
  );
  isOver = true;
  await watching;
  seen.add(stateOf(onlooker));
  onlooker.close();
  expect([...seen]).toEqual(['1: without digests', '3: 0 without digest']);
  expect(new Set(added.map(({ id }) => id)).size).toBe(1);
  for (const [index, program] of programs.entries()) {
    const id = `note-${index * 4_000}`;
    const { versions } = await program.call('memory.history', { id });
    expect(versions).toMatchObject([{ version: 1, event: 'added' }]);
    const { results } = await program.call('memory.search', { projectId: '/p', query: 'quartz' });
    expect(results).toMatchObject([{ id: 'note-4999' }]);
  }
});

/** The version of the schema and what it promises, of one moment. */
function stateOf(db: Connection): string {
  db.exec('BEGIN');
  try {
    const version = Number(db.pragma('user_version'));
    const columns = db.prepare("SELECT name FROM pragma_table_info('note')", 'column').all();
    if (!columns.includes('digest')) return `${version}: without digests`;
    const missing = db.prepare('SELECT count(*) FROM note WHERE digest = 0', 'column').get();
    return `${version}: ${missing} without digest`;
  } finally {
    db.exec('COMMIT');
  }
}
