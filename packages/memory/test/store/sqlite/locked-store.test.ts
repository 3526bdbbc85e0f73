import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connection, connect } from '../../../src/store/sqlite/driver.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { makeVersion1File } from './version-1-file.ts';

const folder = makeTempFolder();
let made = 0;

describe('a store while another process holds a lock', () => {
  let path: string;
  let store: Store;
  let other: Connection;
  beforeEach(async () => {
    made += 1;
    path = join(folder, `${made}.db`);
    store = await openSqliteStore({ path });
    other = connect(path);
  });
  afterEach(async () => {
    other.close();
    await store.close();
  });

  it('answers reads while its own write waits', async () => {
    const note = makeNote({ text: 'readable' });
    await store.addNote(note);
    other.exec('BEGIN IMMEDIATE');
    let isWritten = false;
    const late = makeNote({ text: 'late' });
    const writing = store.addNote(late).then(() => {
      isWritten = true;
    });
    for (let i = 0; i < 20; i += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      expect((await store.getNote(note.id))?.text).toBe('readable');
      expect(await store.listNotes({ projectId: '/p' }, 5)).toHaveLength(1);
    }
    expect(isWritten).toBe(false);
    other.exec('COMMIT');
    await writing;
    expect(await store.getNote(late.id)).toBeDefined();
  });

  it('erases while another reads, and empties the log when it can', async () => {
    const note = makeNote({ text: 'erased' });
    await store.addNote(note);
    other.exec('BEGIN');
    other.prepare('SELECT count(*) FROM note').get();
    let isDone = false;
    const erasing = store.erase(note.id).then((isErased) => {
      isDone = true;
      return isErased;
    });
    for (let i = 0; i < 20; i += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(await store.listNotes({ projectId: '/p' }, 5)).toBeDefined();
    }
    expect(isDone).toBe(false);
    other.exec('COMMIT');
    expect(await erasing).toBe(true);
    expect(await store.getNote(note.id)).toBeUndefined();
  });

  it('is brought up to its version once the lock is free, without blocking meanwhile', async () => {
    const old = join(folder, `${made}-old.db`);
    makeVersion1File(old, { projectId: '/p', notes: [{ id: 'n', text: 'old words' }] });
    const writer = connect(old);
    writer.exec('BEGIN IMMEDIATE');
    let isOpen = false;
    const opening = openSqliteStore({ path: old }).then((opened) => {
      isOpen = true;
      return opened;
    });
    for (let i = 0; i < 200; i += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(isOpen).toBe(false);
    writer.exec('COMMIT');
    writer.close();
    const opened = await opening;
    expect((await opened.getNote('n'))?.text).toBe('old words');
    await opened.close();
  });
});
