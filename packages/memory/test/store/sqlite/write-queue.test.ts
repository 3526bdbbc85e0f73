import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isBusy } from '../../../src/store/sqlite/busy.ts';
import { type Connection, connect } from '../../../src/store/sqlite/driver.ts';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.ts';
import { makeTempFolder } from '../temp-folder.ts';

/** The statements that are run from now on, in order. */
function recordRuns(db: Connection): string[] {
  const ran: string[] = [];
  const prepare = db.prepare.bind(db);
  vi.spyOn(db, 'prepare').mockImplementation((sql, shape) => {
    const statement = prepare(sql, shape);
    return {
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      run: (...values) => {
        ran.push(sql);
        return statement.run(...values);
      },
    };
  });
  return ran;
}

describe('the write queue', () => {
  let db: Connection;
  let queue: WriteQueue;
  const values = (): unknown[] => db.prepare('SELECT x FROM t ORDER BY x', 'column').all();
  const insert = (x: number): number =>
    Number(db.prepare('INSERT INTO t VALUES (?)').run(x).changes);
  beforeEach(() => {
    db = connect(':memory:');
    db.exec('CREATE TABLE t (x INTEGER UNIQUE)');
    queue = new WriteQueue(db);
  });
  afterEach(() => db.close());

  it('commits all writes of one turn together, in order', async () => {
    const ran = recordRuns(db);
    queue = new WriteQueue(db);
    const results = await Promise.all([1, 2, 3].map((x) => queue.run(() => insert(x) + x)));
    expect(results).toEqual([2, 3, 4]);
    expect(values()).toEqual([1, 2, 3]);
    const each = ['SAVEPOINT one_write', 'INSERT INTO t VALUES (?)', 'RELEASE one_write'];
    expect(ran).toEqual(['BEGIN IMMEDIATE', ...each, ...each, ...each, 'COMMIT']);
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
  let db: Connection;
  let other: Connection;
  beforeEach(() => {
    made += 1;
    const path = join(folder, `${made}.db`);
    db = connect(path);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t (x INTEGER UNIQUE)');
    other = connect(path);
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
    expect(db.prepare('SELECT count(*) FROM t', 'column').get()).toBe(0);
    other.exec('COMMIT');
    await Promise.all(writes);
    expect(settled).toEqual([1, 2, 3]);
  });

  it('fails a write whose time is up, and takes the next one', async () => {
    const queue = new WriteQueue(db, { busyTimeoutMs: 0 });
    await expect(queue.run(() => insert(1))).rejects.toSatisfy(isBusy);
    other.exec('COMMIT');
    await queue.run(() => insert(2));
    expect(db.prepare('SELECT x FROM t', 'column').all()).toEqual([2]);
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
    expect(db.prepare('SELECT x FROM t', 'column').all()).toEqual([1]);
  });
});
