import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.ts';
import { makeTempFolder } from '../temp-folder.ts';

describe('the write queue', () => {
  let db: Database.Database;
  let queue: WriteQueue;
  const values = (): unknown[] => db.prepare('SELECT x FROM t ORDER BY x').pluck().all();
  const insert = (x: number): number =>
    Number(db.prepare('INSERT INTO t VALUES (?)').run(x).changes);
  beforeEach(() => {
    db = new Database(':memory:');
    db.exec('CREATE TABLE t (x INTEGER UNIQUE)');
    queue = new WriteQueue(db);
  });
  afterEach(() => db.close());

  it('commits all writes of one turn together, in order', async () => {
    const savepoints = vi.spyOn(db, 'transaction');
    const results = await Promise.all([1, 2, 3].map((x) => queue.run(() => insert(x) + x)));
    expect(results).toEqual([2, 3, 4]);
    expect(values()).toEqual([1, 2, 3]);
    expect(savepoints).toHaveBeenCalledTimes(3);
  });

  it('undoes a write that throws, and no other', async () => {
    const outcomes = await Promise.allSettled([
      queue.run(() => insert(1)),
      queue.run(() => {
        insert(2);
        throw new Error('second thoughts');
      }),
      queue.run(() => insert(1)),
      queue.run(() => insert(3)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(values()).toEqual([1, 3]);
  });

  it('resolves only after the commit', async () => {
    let wasInTransaction = true;
    await queue
      .run(() => insert(1))
      .then(() => {
        wasInTransaction = db.inTransaction;
      });
    expect(wasInTransaction).toBe(false);
  });

  it('fails every write when the commit fails', async () => {
    db.exec('PRAGMA foreign_keys = ON; CREATE TABLE p (id INTEGER PRIMARY KEY)');
    db.exec('CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)');
    const outcomes = await Promise.allSettled([
      queue.run(() => insert(1)),
      queue.run(() => db.prepare('INSERT INTO c VALUES (99)').run()),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(values()).toEqual([]);
  });

  it('writes what waits before it closes, and nothing after', async () => {
    const waiting = queue.run(() => insert(1));
    await queue.close();
    await waiting;
    expect(values()).toEqual([1]);
    await expect(queue.run(() => insert(2))).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('the write queue beside another writer', () => {
  const folder = makeTempFolder();
  let made = 0;
  let db: Database.Database;
  let other: Database.Database;
  beforeEach(() => {
    made += 1;
    const path = join(folder, `${made}.db`);
    db = new Database(path, { timeout: 0 });
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t (x INTEGER UNIQUE)');
    other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
  });
  afterEach(() => {
    other.close();
    db.close();
  });
  const insert = (x: number): unknown => db.prepare('INSERT INTO t VALUES (?)').run(x);
  const turns = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it('lets the event loop go on, keeps the order, and commits when the lock is free', async () => {
    const queue = new WriteQueue(db);
    const settled: number[] = [];
    const writes = [1, 2].map((x) => queue.run(() => insert(x)).then(() => settled.push(x)));
    await turns(50);
    writes.push(queue.run(() => insert(3)).then(() => settled.push(3)));
    await turns(50);
    expect(settled).toEqual([]);
    expect(db.prepare('SELECT count(*) FROM t').pluck().get()).toBe(0);
    other.exec('COMMIT');
    await Promise.all(writes);
    expect(settled).toEqual([1, 2, 3]);
  });

  it('fails a write whose time is up, and takes the next one', async () => {
    const queue = new WriteQueue(db, { busyTimeoutMs: 0 });
    await expect(queue.run(() => insert(1))).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    other.exec('COMMIT');
    await queue.run(() => insert(2));
    expect(db.prepare('SELECT x FROM t').pluck().all()).toEqual([2]);
  });

  it('closes when what waited for the lock is written', async () => {
    const queue = new WriteQueue(db);
    const write = queue.run(() => insert(1));
    let isClosed = false;
    const closed = queue.close().then(() => {
      isClosed = true;
    });
    await turns(50);
    expect(isClosed).toBe(false);
    other.exec('COMMIT');
    await Promise.all([write, closed]);
    expect(db.prepare('SELECT x FROM t').pluck().all()).toEqual([1]);
  });
});
