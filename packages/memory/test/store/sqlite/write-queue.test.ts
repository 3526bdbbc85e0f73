import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.ts';

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
    const immediate = vi.spyOn(db, 'transaction');
    const results = await Promise.all([1, 2, 3].map((x) => queue.run(() => insert(x) + x)));
    expect(results).toEqual([2, 3, 4]);
    expect(values()).toEqual([1, 2, 3]);
    // One transaction around three savepoints.
    expect(immediate).toHaveBeenCalledTimes(4);
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
    queue.close();
    await waiting;
    expect(values()).toEqual([1]);
    await expect(queue.run(() => insert(2))).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
