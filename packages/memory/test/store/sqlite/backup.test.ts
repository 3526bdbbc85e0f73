import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupSqliteStore } from '../../../src/store/sqlite/backup.ts';
import { connect } from '../../../src/store/sqlite/driver.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { makeVersion1File } from './version-1-file.ts';

const folder = makeTempFolder();
let made = 0;

async function openFilled(): Promise<{ store: Store; path: string; file: string; id: string }> {
  made += 1;
  const path = join(folder, `${made}`, 'memory.db');
  const store = await openSqliteStore({ path });
  const { id } = await store.addNote(makeNote({ text: 'one' }));
  await store.updateNote(id, { text: 'two' });
  const { id: deleted } = await store.addNote(makeNote({ text: 'deleted' }));
  await store.deleteNote(deleted);
  await store.putValue({ id: 'v', projectId: '/p', key: 'global.k', value: 1, updatedAt: 1 });
  return { store, path, file: join(dirname(path), 'copy'), id };
}

describe('a backup of a store', () => {
  it('holds everything of an open store in one private file', async () => {
    const { store, path, file, id } = await openFilled();
    const bytes = (): number => statSync(file).size;
    const saved = await backupSqliteStore({ path, file });
    expect(saved).toEqual({ notes: 1, groups: 0, values: 1, versions: 4, bytes: bytes() });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).sort()).toEqual([
      ...['copy', 'memory.db', 'memory.db-shm', 'memory.db-wal'],
    ]);
    const before = readFileSync(file);
    const copy = await openSqliteStore({ path: file });
    expect(await copy.noteHistory(id)).toEqual(await store.noteHistory(id));
    expect(await copy.getValue('/p', 'global.k')).toEqual(await store.getValue('/p', 'global.k'));
    await copy.close();
    await store.close();
    // No log is needed to read it.
    expect(before.subarray(18, 20)).toEqual(Buffer.from([1, 1]));
  });

  it('is of one moment, however much is written meanwhile', async () => {
    const { store, path, file } = await openFilled();
    const text = 'x'.repeat(20_000);
    await Promise.all(Array.from({ length: 200 }, () => store.addNote(makeNote({ text }))));
    let isDone = false;
    let written = 0;
    const writing = (async () => {
      while (!isDone) {
        await store.addNote(makeNote());
        written += 1;
      }
    })();
    const saved = await backupSqliteStore({ path, file });
    isDone = true;
    await writing;
    expect(written).toBeGreaterThan(0);
    expect(saved.notes).toBeGreaterThanOrEqual(201);
    expect(saved.notes).toBeLessThanOrEqual(201 + written);
    await store.close();
  });

  it('leaves a store of an older version at that version', async () => {
    const path = join(folder, 'old', 'memory.db');
    makeVersion1File(path, { projectId: '/p', notes: [{ id: 'a', text: 'word' }] });
    const file = join(folder, 'old', 'copy');
    expect(await backupSqliteStore({ path, file })).toMatchObject({ notes: 1, versions: 1 });
    for (const each of [path, file]) {
      const db = connect(each);
      expect(db.pragma('user_version')).toBe(1);
      db.close();
    }
  });

  it('replaces a file only when told to', async () => {
    const { store, path, file } = await openFilled();
    writeFileSync(file, 'precious');
    await expect(backupSqliteStore({ path, file })).rejects.toMatchObject({
      message: expect.stringContaining('--force'),
    });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(await backupSqliteStore({ path, file, force: true })).toMatchObject({ notes: 1 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it.each([
    ['the store', (path: string) => path, 'belongs to the store'],
    ['its log', (path: string) => `${path}-wal`, 'belongs to the store'],
    ['a link to the store', (path: string) => linkTo(path), 'belongs to the store'],
    ['a folder', (path: string) => dirname(path), 'found a folder'],
  ])('never overwrites %s', async (_, fileOf, message) => {
    const { store, path, id } = await openFilled();
    await expect(
      backupSqliteStore({ path, file: fileOf(path), force: true }),
    ).rejects.toMatchObject({ code: 'STORE', message: expect.stringContaining(message) });
    expect(await store.getNote(id)).toBeDefined();
    await store.close();
  });

  it('is not made where there is no store, nor of something else', async () => {
    const path = join(folder, 'none', 'memory.db');
    const file = join(folder, 'none.copy');
    const attempt = (): Promise<unknown> => backupSqliteStore({ path, file });
    await expect(attempt()).rejects.toMatchObject({
      message: expect.stringContaining('no store at'),
    });
    expect(existsSync(dirname(path))).toBe(false);
    mkdirSync(dirname(path));
    writeFileSync(path, '');
    await expect(attempt()).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    writeFileSync(path, 'garbage '.repeat(1_000));
    await expect(attempt()).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    const foreign = join(folder, 'foreign.db');
    const db = connect(foreign);
    db.exec('CREATE TABLE t (x)');
    db.close();
    await expect(backupSqliteStore({ path: foreign, file })).rejects.toMatchObject({
      code: 'STORE_FOREIGN',
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('none.copy'))).toEqual([]);
  });

  it('is removed where the store behind it is damaged', async () => {
    const { store, path, file } = await openFilled();
    await store.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x55, 3 * 4096, 5 * 4096));
    await expect(backupSqliteStore({ path, file })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
    });
    expect(readdirSync(dirname(file)).filter((name) => name.startsWith('copy'))).toEqual([]);
  });
});

function linkTo(path: string): string {
  symlinkSync(path, `${path}.link`);
  return `${path}.link`;
}
