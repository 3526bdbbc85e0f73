import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBusy } from '../../../../src/store/sqlite/busy.ts';
import { sqliteCode } from '../../../../src/store/sqlite/driver/sqlite-code.ts';
import type { Connection } from '../../../../src/store/sqlite/driver.ts';
import { makeTempFolder } from '../../temp-folder.ts';
import { availableDrivers } from './drivers.ts';

const folder = makeTempFolder();
let made = 0;

describe.each(availableDrivers())('a connection of %s', (_, driver) => {
  const freshPath = (): string => {
    made += 1;
    return join(folder, `${made}.db`);
  };
  const openWith = (sql: string, path = ':memory:'): Connection => {
    const db = driver.open(path);
    db.exec(sql);
    return db;
  };
  const codeOf = (work: () => unknown): string | undefined => {
    try {
      work();
    } catch (error) {
      return sqliteCode(error);
    }
    return expect.unreachable('did not throw');
  };

  it('returns rows as objects, as lists or as their first column', () => {
    const db = openWith("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, NULL)");
    const sql = 'SELECT a, b FROM t WHERE a >= ? ORDER BY a';
    const objects = [
      { a: 1, b: 'x' },
      { a: 2, b: null },
    ];
    expect(db.prepare(sql).all(1)).toEqual(objects);
    expect(db.prepare(sql).get(2)).toEqual(objects[1]);
    expect(db.prepare(sql, 'list').all(1)).toEqual([
      [1, 'x'],
      [2, null],
    ]);
    expect(db.prepare(sql, 'list').get(2)).toEqual([2, null]);
    expect(db.prepare(sql, 'column').all(1)).toEqual([1, 2]);
    expect(db.prepare(sql, 'column').get(2)).toBe(2);
    for (const shape of ['object', 'list', 'column'] as const) {
      expect(db.prepare(sql, shape).get(3)).toBeUndefined();
      expect(db.prepare(sql, shape).all(3)).toEqual([]);
    }
    db.close();
  });

  it('stores whole numbers as integers, and gives blobs back byte by byte', () => {
    const db = openWith('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, data BLOB)');
    const insert = db.prepare('INSERT INTO t (n, data) VALUES (?, ?)');
    const bytes = Uint8Array.of(0, 255, 7);
    const result = insert.run(2 ** 48 - 1, bytes);
    expect(Number(result.changes)).toBe(1);
    expect(Number(result.lastInsertRowid)).toBe(1);
    const [n, kind, data] = db
      .prepare('SELECT n, typeof(n), data FROM t', 'list')
      .get() as unknown[];
    expect([n, kind]).toEqual([2 ** 48 - 1, 'integer']);
    expect(data).toBeInstanceOf(Uint8Array);
    expect([...(data as Uint8Array)]).toEqual([...bytes]);
    db.close();
  });

  it('returns texts whole that hold a NUL character, in every shape and in order', () => {
    const db = openWith('CREATE TABLE t (id INTEGER, "a ""name" TEXT, b BLOB)');
    const insert = db.prepare('INSERT INTO t VALUES (?, ?, ?)');
    const texts = ['plain', 'a\0b', '\0', '文\0章 🙂', ''];
    for (const [id, text] of texts.entries()) insert.run(id, text, Uint8Array.of(0, id));
    const sql = 'SELECT "a ""name", id, b, "a ""name" AS again FROM t ORDER BY id DESC';
    const expected = texts.toReversed();
    expect(db.prepare(sql, 'column').all()).toEqual(expected);
    expect(db.prepare(sql, 'list').all()).toMatchObject(
      expected.map((text, index) => [text, 4 - index, {}, text]),
    );
    const objects = db.prepare(sql).all() as Record<string, unknown>[];
    expect(objects.map(({ again }) => again)).toEqual(expected);
    expect(objects.map((row) => row['a "name'])).toEqual(expected);
    expect(objects.every(({ b }) => b instanceof Uint8Array)).toBe(true);
    db.close();
  });

  it('goes on after a row id that is no safe integer', () => {
    const db = openWith('CREATE TABLE t (id INTEGER PRIMARY KEY)');
    const id = 9_007_611_571_601_408n;
    const { lastInsertRowid } = db.prepare('INSERT INTO t VALUES (?)').run(id);
    expect(Number(lastInsertRowid)).toBe(Number(id));
    for (const sql of ['BEGIN', 'SAVEPOINT s', 'RELEASE s', 'COMMIT']) db.prepare(sql).run();
    db.close();
  });

  it('reads and sets pragmas, with and without an answer', () => {
    const db = openWith('CREATE TABLE t (x)');
    expect(db.pragma('user_version = 7')).toBeUndefined();
    expect(db.pragma('user_version')).toBe(7);
    expect(db.pragma('integrity_check')).toBe('ok');
    db.close();
  });

  it('calls a function of ours in SQL', () => {
    const db = openWith('CREATE TABLE t (x)');
    db.defineFunction('twice', (value) => Number(value) * 2);
    expect(db.prepare('SELECT twice(21)', 'column').get()).toBe(42);
    db.close();
  });

  it('knows whether it is open and in a transaction', () => {
    const db = openWith('CREATE TABLE t (x)');
    expect([db.open, db.inTransaction]).toEqual([true, false]);
    db.prepare('BEGIN').run();
    expect(db.inTransaction).toBe(true);
    db.exec('ROLLBACK');
    expect(db.inTransaction).toBe(false);
    db.close();
    expect(db.open).toBe(false);
  });

  it('throws errors that have the same name with every driver', () => {
    const db = openWith('CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)');
    expect(codeOf(() => db.prepare('INSERT INTO t VALUES (1)').run())).toMatch(
      /^SQLITE_CONSTRAINT/,
    );
    expect(codeOf(() => db.prepare('SELECT nothing FROM t'))).toBe('SQLITE_ERROR');
    db.close();
    const path = freshPath();
    writeFileSync(path, 'not a database. '.repeat(100));
    const other = driver.open(path);
    expect(codeOf(() => other.pragma('user_version'))).toBe('SQLITE_NOTADB');
    other.close();
    expect(codeOf(() => driver.open(folder))).toMatch(/^SQLITE_CANTOPEN/);
  });

  it('finds a lock at once', () => {
    const path = freshPath();
    const first = openWith('CREATE TABLE t (x); BEGIN IMMEDIATE', path);
    const second = driver.open(path);
    expect(() => second.exec('BEGIN IMMEDIATE')).toThrow(
      expect.toSatisfy((error) => isBusy(error)),
    );
    first.close();
    second.close();
  });

  it('copies what it holds into an empty file while it is in use', async () => {
    const db = openWith('PRAGMA journal_mode = WAL; CREATE TABLE t (x)', freshPath());
    db.exec(
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000) INSERT INTO t SELECT x FROM n',
    );
    const path = freshPath();
    writeFileSync(path, '');
    await db.backup(path);
    db.close();
    const copy = driver.open(path);
    expect(copy.prepare('SELECT sum(x) FROM t', 'column').get()).toBe(200_010_000);
    expect(copy.pragma('integrity_check')).toBe('ok');
    copy.close();
  });

  it('leaves nothing beside its file when the last connection closes', () => {
    const path = freshPath();
    const db = openWith('PRAGMA journal_mode = WAL; CREATE TABLE t (x)', path);
    db.prepare('SELECT * FROM t').all();
    expect(existsSync(`${path}-wal`)).toBe(true);
    db.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});
