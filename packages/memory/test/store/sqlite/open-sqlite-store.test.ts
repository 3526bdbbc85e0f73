import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/sqlite/driver.ts';
import { APPLICATION_ID, emptyDatabase } from '../../../src/store/sqlite/empty-database.ts';
import { openSqliteStore, storeOn } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';

const folder = makeTempFolder();
let made = 0;
const freshPath = (): string => {
  made += 1;
  return join(folder, `${made}`, 'data', 'memory.db');
};

describe('opening a store in a file', () => {
  it('makes the folder and the file for their owner alone', async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    await store.addNote(makeNote());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    await store.close();
  });

  it('flushes every commit to disk, and overwrites what is deleted', () => {
    const path = freshPath();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, emptyDatabase());
    const db = connect(path);
    for (const [name, other] of [
      ['synchronous', 0],
      ['foreign_keys', 0],
      ['secure_delete', 0],
    ] as const) {
      db.pragma(`${name} = ${other}`);
    }
    storeOn(db, { path });
    const settings = ['journal_mode', 'synchronous', 'foreign_keys', 'secure_delete'];
    // 2 is FULL: in write-ahead mode anything less may lose the last commits to a power cut.
    expect(settings.map((name) => db.pragma(name))).toEqual(['wal', 2, 1, 1]);
    db.close();
  });

  it('finds everything again after closing', async () => {
    const path = freshPath();
    const first = await openSqliteStore({ path });
    const note = makeNote({ text: 'lasting words' });
    await first.addNote(note);
    await first.close();
    const second = await openSqliteStore({ path });
    expect(await second.getNote(note.id)).toEqual(note);
    await second.close();
  });

  it('opens while another holds a write lock, and reads what was committed', async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    const note = makeNote();
    await store.addNote(note);
    const writer = connect(path);
    writer.exec('BEGIN IMMEDIATE');
    const other = await openSqliteStore({ path, busyTimeoutMs: 0 });
    expect(await other.getNote(note.id)).toEqual(note);
    await expect(other.addNote(makeNote())).rejects.toMatchObject({ code: 'STORE_BUSY' });
    writer.exec('ROLLBACK');
    expect(await other.addNote(makeNote())).toMatchObject({ isNew: true });
    writer.close();
    await other.close();
    await store.close();
  });

  it('uses a write-ahead log that is flushed at every commit', async () => {
    const path = freshPath();
    mkdirSync(join(path, '..'), { recursive: true });
    const db = connect(path);
    const store = storeOn(db, { path });
    expect(db.pragma('journal_mode')).toBe('wal');
    // 2 is FULL: a commit returns when its pages are on disk.
    expect(db.pragma('synchronous')).toBe(2);
    await store.close();
  });

  it('begins as a database that is marked as ours and never has 0 bytes', async () => {
    const path = freshPath();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, emptyDatabase());
    const db = connect(path);
    expect(db.pragma('integrity_check')).toBe('ok');
    expect(db.pragma('journal_mode')).toBe('wal');
    expect(db.pragma('user_version')).toBe(0);
    expect(db.pragma('application_id')).toBe(APPLICATION_ID);
    db.close();
    const store = await openSqliteStore({ path });
    expect(await store.addNote(makeNote())).toMatchObject({ isNew: true });
    await store.close();
    expect(readdirSync(join(path, '..'))).toEqual(['memory.db']);
  });

  it('does not begin a new store in an empty file', async () => {
    const path = freshPath();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringMatching(/0 bytes.*delete it to begin a new store/),
    });
    expect(statSync(path).size).toBe(0);
  });

  it.runIf(process.platform !== 'win32')('refuses a FIFO at once', async () => {
    const path = freshPath();
    mkdirSync(join(path, '..'), { recursive: true });
    const beside = ['-wal', '-shm', '-journal'].map((suffix, i) => `${path}${i}${suffix}`);
    spawnSync('mkfifo', [path, ...beside]);
    for (const place of [path, `${path}0`, `${path}1`, `${path}2`]) {
      await expect(openSqliteStore({ path: place })).rejects.toMatchObject({
        code: 'STORE',
        message: expect.stringMatching(/expected a file at `.*`, found a FIFO/),
      });
    }
  });

  it.runIf(process.platform === 'linux')('refuses a folder that cannot be made', async () => {
    await expect(openSqliteStore({ path: '/proc/none/data/memory.db' })).rejects.toMatchObject({
      code: 'STORE',
      message: expect.stringContaining('`ENOENT`'),
    });
  });

  it('makes the file that a link names', async () => {
    const path = freshPath();
    mkdirSync(join(path, '..'), { recursive: true });
    const target = join(path, '..', 'target.db');
    symlinkSync('target.db', path);
    const store = await openSqliteStore({ path });
    await store.addNote(makeNote());
    expect(statSync(target).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('lets several open a new file at once', async () => {
    const path = freshPath();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openSqliteStore({ path })));
    await Promise.all(stores.map((store) => store.addNote(makeNote())));
    expect((await stores[0]?.status())?.notes).toBe(6);
    for (const store of stores) await store.close();
  });

  it.each([
    ['no database at all', Buffer.from('this is no database, just some text. '.repeat(200))],
    ['random bytes', randomBytes(8_192)],
  ])('says so, keeps a copy and touches nothing when the file is %s', async (_, content) => {
    const path = freshPath();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(openSqliteStore({ path })).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
        message: expect.stringContaining(path),
      });
    }
    expect(readFileSync(path)).toEqual(content);
    const copies = readdirSync(join(path, '..')).filter((name) => name.includes('.corrupt-'));
    expect(copies).toHaveLength(1);
    expect(readFileSync(join(path, '..', copies[0] ?? ''))).toEqual(content);
  });

  it('reports damage inside a file that still opens', async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    for (let i = 0; i < 50; i += 1) await store.addNote(makeNote({ text: `${i} `.repeat(500) }));
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0xff, bytes.length / 2);
    writeFileSync(path, bytes);
    const damaged = await openSqliteStore({ path });
    await expect(
      (async () => {
        await damaged.listNotes({ projectId: '/p' }, 100);
        const problems = await damaged.check();
        if (problems.length > 0) throw Object.assign(new Error(), { code: 'STORE_CORRUPT' });
      })(),
    ).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    await damaged.close();
  });

  it('leaves the database of another program alone', async () => {
    const path = freshPath();
    mkdirSync(join(path, '..'), { recursive: true });
    const db = connect(path);
    db.exec('CREATE TABLE theirs (x)');
    db.close();
    const before = readFileSync(path);
    await expect(openSqliteStore({ path })).rejects.toThrow('another program');
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(join(path, '..'))).toEqual(['memory.db']);
  });

  it.each([1, 2, 3, 99])(
    'leaves the database of another program alone that calls itself version %i',
    async (version) => {
      const path = freshPath();
      mkdirSync(join(path, '..'), { recursive: true });
      const db = connect(path);
      db.exec('CREATE TABLE note (x)');
      db.pragma(`user_version = ${version}`);
      db.close();
      const before = readFileSync(path);
      await expect(openSqliteStore({ path })).rejects.toMatchObject({
        code: 'STORE_FOREIGN',
        message: expect.stringContaining('another program'),
      });
      expect(readFileSync(path)).toEqual(before);
    },
  );

  it('refuses a store of a newer version', async () => {
    const path = freshPath();
    await (await openSqliteStore({ path })).close();
    const db = connect(path);
    db.pragma('user_version = 99');
    db.close();
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'STORE_TOO_NEW' });
  });

  it('refuses a path that cannot be a file', async () => {
    const path = freshPath();
    mkdirSync(path, { recursive: true });
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'STORE' });
  });

  it('acknowledges nothing once there is no room, and goes on after that', async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path, maxBytes: 600_000 });
    const kept: string[] = [];
    const fill = async (): Promise<void> => {
      for (let i = 0; i < 500; i += 1) {
        const note = makeNote({ text: `${i} filler `.repeat(400) });
        await store.addNote(note);
        kept.push(note.id);
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'STORE_FULL' });
    expect(kept.length).toBeGreaterThan(0);
    for (const id of kept) expect(await store.getNote(id)).toBeDefined();
    expect((await store.status()).notes).toBe(kept.length);
    expect(await store.check()).toEqual([]);
    await store.close();
  });

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'says of a read-only disk what is wrong and what to do',
    async (context) => {
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
      if (mounted.status !== 0) context.skip('disks cannot be mounted here');
      try {
        const path = join(disk, 'memory.db');
        await (await openSqliteStore({ path })).close();
        spawnSync('mount', ['-o', 'remount,ro', disk]);
        for (const place of [path, join(disk, 'none', 'memory.db')]) {
          await expect(openSqliteStore({ path: place })).rejects.toMatchObject({
            code: 'STORE_READ_ONLY',
            message: expect.stringContaining('Make its disk and folder writable'),
          });
        }
      } finally {
        spawnSync('umount', [disk]);
      }
    },
  );

  it('refuses every call after closing', async () => {
    const store = await openSqliteStore({ path: freshPath() });
    await store.close();
    await store.close();
    await expect(store.getNote('x')).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(store.addNote(makeNote())).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
