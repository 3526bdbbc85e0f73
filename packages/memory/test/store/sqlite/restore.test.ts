import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupSqliteStore } from '../../../src/store/sqlite/backup.ts';
import { connect } from '../../../src/store/sqlite/driver.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { restoreSqliteStore } from '../../../src/store/sqlite/restore.ts';
import { makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { makeVersion1File } from './version-1-file.ts';

const folder = makeTempFolder();
let made = 0;

interface Scene {
  readonly path: string;
  readonly file: string;
  /** In the backup and in the store. */
  readonly saved: string;
  /** In the store only. */
  readonly later: string;
}

/** A closed store, and a backup from before its newest note. */
async function saved(): Promise<Scene> {
  made += 1;
  const path = join(folder, `${made}`, 'memory.db');
  const file = join(dirname(path), 'copy');
  const store = await openSqliteStore({ path });
  const { id } = await store.addNote(makeNote({ text: 'saved' }));
  await store.updateNote(id, { text: 'saved twice' });
  await backupSqliteStore({ path, file });
  const { id: later } = await store.addNote(makeNote({ text: 'later' }));
  await store.close();
  return { path, file, saved: id, later };
}

async function idsIn(path: string): Promise<string[]> {
  const store = await openSqliteStore({ path });
  try {
    expect(await store.check()).toEqual([]);
    const notes = await store.listNotes({ projectId: '/p' }, 10);
    return notes.map(({ id }) => id);
  } finally {
    await store.close();
  }
}

const leftovers = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => /restoring|-wal|-shm|-journal/.test(name));

describe('restoring a backup', () => {
  it('puts it in the place of the store, which is kept beside it', async () => {
    const { path, file, saved: id, later } = await saved();
    const backup = readFileSync(file);
    const restored = await restoreSqliteStore({ path, file });
    expect(restored).toMatchObject({ notes: 1, versions: 2, values: 0, groups: 0 });
    const { kept = '', keptLog } = restored;
    expect(kept).toMatch(/memory\.db\.replaced-\d{4}-/);
    expect(keptLog).toBeUndefined();
    expect(leftovers(path)).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(file)).toEqual(backup);
    expect(await idsIn(path)).toEqual([id]);
    expect((await idsIn(kept)).sort()).toEqual([id, later].sort());
    const store = await openSqliteStore({ path });
    expect(await store.noteHistory(id)).toHaveLength(2);
    await store.close();
  });

  it('begins a store where there is none', async () => {
    const { file, saved: id } = await saved();
    const path = join(folder, 'fresh', 'home', 'memory.db');
    const restored = await restoreSqliteStore({ path, file });
    expect(restored.kept).toBeUndefined();
    expect(await idsIn(path)).toEqual([id]);
  });

  it('replaces the file behind a link', async () => {
    const { path, file, saved: id } = await saved();
    const alias = join(folder, 'alias.db');
    symlinkSync(path, alias);
    const { kept = '' } = await restoreSqliteStore({ path: alias, file });
    expect(dirname(kept)).toBe(dirname(path));
    expect(await idsIn(path)).toEqual([id]);
  });

  it.each([
    ['idle', async () => undefined],
    ['reading', async (path: string) => reader(path)],
  ])('is refused while a connection is %s', async (_, work) => {
    const { path, file, later } = await saved();
    const open = await openSqliteStore({ path });
    const done = await work(path);
    const names = readdirSync(dirname(path)).sort();
    await expect(restoreSqliteStore({ path, file })).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: expect.stringContaining('stop every server'),
    });
    done?.();
    // Nothing happened, and the store goes on.
    expect(readdirSync(dirname(path)).sort()).toEqual(names);
    expect(await open.getNote(later)).toBeDefined();
    expect(await open.addNote(makeNote())).toMatchObject({ isNew: true });
    await open.close();
    await restoreSqliteStore({ path, file });
  });

  it('is waited for by one who opens the store, and who then leaves the new log alone', async () => {
    const { path } = await saved();
    const lock = connect(path);
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE; COMMIT');
    const waiting = openSqliteStore({ path, busyTimeoutMs: 5_000 }).catch((error) => error);
    // It has met the lock once another attempt has: each file is locked for all.
    await expect(openSqliteStore({ path, busyTimeoutMs: 20 })).rejects.toMatchObject({
      code: 'STORE_BUSY',
    });
    const other = join(dirname(path), 'other.db');
    await (await openSqliteStore({ path: other })).close();
    renameSync(other, path);
    const fresh = await openSqliteStore({ path });
    const { id } = await fresh.addNote(makeNote({ text: 'in the new log' }));
    // Without reading the old file, which is still locked.
    expect(await waiting).toMatchObject({ code: 'STORE_MOVED' });
    lock.close();
    expect(await fresh.addNote(makeNote())).toMatchObject({ isNew: true });
    await fresh.close();
    expect(await idsIn(path)).toContain(id);
  });

  it('loses nothing of those who open the store at that moment', async () => {
    const { path, file } = await saved();
    const added: string[] = [];
    const codes = new Set<string>();
    const kept: string[] = [];
    let isOver = false;
    const open = async (): Promise<void> => {
      while (!isOver) {
        try {
          const store = await openSqliteStore({ path });
          added.push((await store.addNote(makeNote())).id);
          await store.close();
        } catch (error) {
          codes.add(String(Reflect.get(Object(error), 'code')));
        }
      }
    };
    const users = [open(), open(), open()];
    while (kept.length < 5) {
      const restored = await restoreSqliteStore({ path, file }).catch(() => undefined);
      if (restored?.kept !== undefined) kept.push(restored.kept);
    }
    isOver = true;
    await Promise.all(users);
    // One that was on its way is told to try again, and nothing else.
    expect([...codes].filter((code) => code !== 'STORE_MOVED')).toEqual([]);
    const files = [path, ...kept];
    const found = new Set(files.flatMap((each) => notesIn(each)));
    expect(added.length).toBeGreaterThan(5);
    expect(added.filter((id) => !found.has(id))).toEqual([]);
    expect(readdirSync(dirname(path)).filter((name) => /corrupt|rescued/.test(name))).toEqual([]);
  });

  it('brings a backup of an older version up when it is opened', async () => {
    const { path } = await saved();
    const file = join(folder, 'version-1');
    makeVersion1File(file, { projectId: '/p', notes: [{ id: 'old', text: 'word' }] });
    await restoreSqliteStore({ path, file });
    expect(await idsIn(path)).toEqual(['old']);
  });

  it('takes the log of a store that was copied by hand', async () => {
    const { path, file } = await saved();
    const other = join(folder, 'by-hand.db');
    const store = await openSqliteStore({ path: other });
    const { id } = await store.addNote(makeNote({ text: 'in the log' }));
    for (const suffix of ['', '-wal']) copyFileSync(`${other}${suffix}`, `${file}.raw${suffix}`);
    await store.close();
    await restoreSqliteStore({ path, file: `${file}.raw` });
    expect(await idsIn(path)).toEqual([id]);
    expect(existsSync(`${file}.raw-wal`)).toBe(true);
  });

  const BAD: readonly [string, (file: string) => void, string][] = [
    ['is not there', (file) => rmSync(file), 'STORE'],
    ['is a folder', (file) => [rmSync(file), mkdirSync(file)], 'STORE'],
    ['is empty', (file) => writeFileSync(file, ''), 'STORE_CORRUPT'],
    ['is garbage', (file) => writeFileSync(file, 'garbage '.repeat(999)), 'STORE_CORRUPT'],
    ['is an export', (file) => writeFileSync(file, '{"kind":"note"}\n'), 'STORE_CORRUPT'],
    ['is cut off', (file) => truncateSync(file, statSync(file).size / 2), 'STORE_CORRUPT'],
    [
      'lacks its last page',
      (file) => truncateSync(file, statSync(file).size - 4096),
      'STORE_CORRUPT',
    ],
    ['lacks some bytes', (file) => truncateSync(file, statSync(file).size - 7), 'STORE_CORRUPT'],
    ['has a damaged page', (file) => damage(file), 'STORE_CORRUPT'],
    ['is of another program', (file) => foreign(file), 'STORE_FOREIGN'],
    ['is of a newer version', (file) => run(file, 'PRAGMA user_version = 99'), 'STORE_TOO_NEW'],
    ['lacks words of its index', (file) => run(file, 'DELETE FROM note_text'), 'STORE_CORRUPT'],
  ];

  it.each(BAD)('refuses a backup that %s, by its name', async (_, spoil, code) => {
    const { path, file, later } = await saved();
    spoil(file);
    const names = readdirSync(dirname(path)).sort();
    const attempt = restoreSqliteStore({ path, file });
    await expect(attempt).rejects.toMatchObject({ code, message: expect.stringContaining(file) });
    expect(readdirSync(dirname(path)).sort()).toEqual(names);
    expect(await idsIn(path)).toContain(later);
  });

  it.skipIf(process.platform === 'win32')('refuses a log that is a FIFO', async () => {
    const { path, file } = await saved();
    execFileSync('mkfifo', [`${file}-wal`]);
    await expect(restoreSqliteStore({ path, file })).rejects.toThrow(/found a FIFO/);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('refuses the store itself as its backup', async () => {
    const { path } = await saved();
    await expect(restoreSqliteStore({ path, file: path })).rejects.toMatchObject({
      message: expect.stringContaining('the store itself'),
    });
  });

  it('does not replace the database of another program', async () => {
    const { path, file } = await saved();
    foreign(path);
    const before = readFileSync(path);
    await expect(restoreSqliteStore({ path, file })).rejects.toMatchObject({
      code: 'STORE_FOREIGN',
    });
    expect(readFileSync(path)).toEqual(before);
  });

  it.each([
    ['newer', (path: string) => run(path, 'PRAGMA user_version = 99')],
    ['garbage', (path: string) => writeFileSync(path, 'garbage '.repeat(999))],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['cut off', (path: string) => truncateSync(path, 5_000)],
  ])('replaces a store that is %s, and keeps it', async (_, spoil) => {
    const { path, file, saved: id } = await saved();
    spoil(path);
    const before = readFileSync(path);
    const { kept = '' } = await restoreSqliteStore({ path, file });
    expect(readFileSync(kept).length).toBe(before.length);
    expect(await idsIn(path)).toEqual([id]);
  });

  it.each([
    ['garbage', (path: string) => writeFileSync(path, 'garbage '.repeat(999))],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['gone', (path: string) => rmSync(path)],
  ])('keeps the log of a store that is %s out of the new one', async (_, spoil) => {
    const { path, file, saved: id } = await saved();
    const store = await openSqliteStore({ path });
    await store.addNote(makeNote({ text: 'in the log' }));
    const log = readFileSync(`${path}-wal`);
    await store.close();
    spoil(path);
    writeFileSync(`${path}-wal`, log);
    const { keptLog = '' } = await restoreSqliteStore({ path, file });
    expect(readFileSync(keptLog)).toEqual(log);
    expect(leftovers(path).filter((name) => !keptLog.endsWith(name))).toEqual([]);
    expect(await idsIn(path)).toEqual([id]);
  });

  it('is refused where the store is gone but a server may have it open', async () => {
    const { path, file } = await saved();
    const open = await openSqliteStore({ path });
    rmSync(path);
    await expect(restoreSqliteStore({ path, file })).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: expect.stringContaining(`${path}-shm`),
    });
    await open.close().catch(() => undefined);
  });
});

function notesIn(path: string): unknown[] {
  const db = connect(path);
  try {
    expect(db.pragma('integrity_check')).toBe('ok');
    return db.prepare('SELECT id FROM note', 'column').all();
  } finally {
    db.close();
  }
}

function reader(path: string): () => void {
  const db = connect(path);
  db.exec('BEGIN');
  db.prepare('SELECT count(*) FROM note').get();
  return () => db.close();
}

function run(file: string, sql: string): void {
  const db = connect(file);
  db.exec(sql);
  db.close();
}

function foreign(file: string): void {
  rmSync(file);
  run(file, 'CREATE TABLE other (x); PRAGMA user_version = 3');
}

function damage(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x55, 3 * 4096, 5 * 4096));
}
