import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/sqlite/driver.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { toVersion2 } from '../../../src/store/sqlite/schema-2.ts';
import { makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { makeVersion1File } from './version-1-file.ts';

const folder = makeTempFolder();

describe('a store of schema version 1', () => {
  const notes = [
    { id: 'old', text: 'word old' },
    { id: 'new', text: 'word new', metadata: { supersedes: 'old' } },
    { id: 'changed', text: 'word changed', revision: 3 },
  ];

  it('is brought up with its notes, their first version and what they supersede', async () => {
    const path = join(folder, 'up.db');
    makeVersion1File(path, { projectId: '/p', notes });
    const store = await openSqliteStore({ path, now: () => 9 });
    expect(await store.getNote('old')).toEqual(
      makeNote({ id: 'old', text: 'word old', createdAt: 5 }),
    );
    expect(await store.noteHistory('new')).toMatchObject([{ version: 1, event: 'added', at: 5 }]);
    expect(await store.noteHistory('changed')).toMatchObject([{ version: 3, event: 'updated' }]);
    const filter = { projectId: '/p' };
    const found = await store.findCandidates({ filter, terms: ['word'], vectors: [], limit: 5 });
    expect(found.candidates.map(({ note }) => note.id).sort()).toEqual(['changed', 'new']);
    const twin = makeNote({ text: ' word  new' });
    expect(await store.addNote(twin, { isDuplicate: () => true })).toMatchObject({ id: 'new' });
    expect(await store.check()).toEqual([]);
    await store.close();
  });

  it('is left as it was when the change cannot be finished', async () => {
    const path = join(folder, 'broken.db');
    makeVersion1File(path, { projectId: '/p', notes });
    const db = connect(path);
    // Something that the change stumbles over at its end.
    db.exec('CREATE TABLE superseded (x)');
    db.close();
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'STORE' });
    const after = connect(path);
    expect(after.pragma('user_version')).toBe(1);
    const columns = after.prepare("SELECT name FROM pragma_table_info('note')", 'column').all();
    expect(columns).not.toContain('digest');
    after.close();
  });
});

describe('a store of schema version 2', () => {
  it('is brought up with its notes, history and values', async () => {
    const path = join(folder, 'two.db');
    makeVersion1File(path, { projectId: '/p', notes: [{ id: 'note', text: 'word' }] });
    const db = connect(path);
    toVersion2(db);
    db.exec(`
      INSERT INTO note_version SELECT seq, id, 1, 'added', 5, project, group_id, title, 'before', tags, source,
        metadata, created_at FROM note;
      INSERT INTO note_version SELECT 99, 'gone', 4, 'deleted', 7, project, group_id, title, 'gone', tags, source,
        metadata, created_at FROM note;
      UPDATE note SET version = 2, revision = 2, event = 'updated', changed_at = 6;
      INSERT INTO global_value VALUES ('value', 1, 'global.k', '{"a":1}', 8);
      INSERT INTO project_group VALUES ('group', 1, 'ops', 'Ops', '', 9, 10);
      PRAGMA user_version = 2;
    `);
    db.close();
    const store = await openSqliteStore({ path });
    expect(await store.noteHistory('note')).toMatchObject([
      { version: 2, event: 'updated', at: 6, note: { text: 'word' } },
      { version: 1, event: 'added', at: 5, note: { text: 'before' } },
    ]);
    expect(await store.noteHistory('gone')).toMatchObject([
      { version: 4, event: 'deleted', at: 7 },
    ]);
    expect(await store.allValues()).toEqual([
      { id: 'value', projectId: '/p', key: 'global.k', value: { a: 1 }, updatedAt: 8, revision: 1 },
    ]);
    expect(await store.allGroups()).toMatchObject([{ id: 'group', updatedAt: 10 }]);
    expect(await store.listErased()).toEqual([]);
    expect(await store.restoreNote('gone', 4)).toBe(5);
    expect(await store.check()).toEqual([]);
    await store.close();
  });
});
