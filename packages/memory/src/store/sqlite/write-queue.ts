import { MemoryError } from '../../errors.ts';
import { isBusy, pauseMs } from './busy.ts';
import type { Connection, Statement } from './driver.ts';

interface Write {
  readonly run: () => void;
  readonly settle: (error?: unknown) => void;
  /** Set once the write has met a lock. */
  giveUpAt: number | undefined;
}

/** How patient and how careful the queue is. */
export interface WriteQueueOptions {
  /** How long a write waits for other processes. Default 30 s. */
  readonly busyTimeoutMs?: number;
  /** Throws where a write would be lost. Called before each transaction, and before its writes are acknowledged. */
  readonly assertInPlace?: () => void;
}

/**
 * Gathers the writes of one turn of the event loop into one transaction, which pays for one flush to
 * disk instead of many. Each write stands alone: one that throws undoes itself and no other. While
 * another process holds the write lock the writes wait here, and the event loop goes on.
 */
export class WriteQueue {
  readonly #db: Connection;
  readonly #busyTimeoutMs: number;
  readonly #assertInPlace: () => void;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #undo: Statement;
  #waiting: Write[] = [];
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #drained: (() => void) | undefined;

  constructor(
    db: Connection,
    { busyTimeoutMs = 30_000, assertInPlace = () => {} }: WriteQueueOptions = {},
  ) {
    this.#db = db;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#assertInPlace = assertInPlace;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#savepoint = db.prepare('SAVEPOINT one_write');
    this.#release = db.prepare('RELEASE one_write');
    this.#undo = db.prepare('ROLLBACK TO one_write');
  }

  /** Resolves once the work is committed and on disk. */
  run<T>(work: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new MemoryError('CLOSED', 'the store is closed'));
    return new Promise<T>((resolve, reject) => {
      let result: { readonly value: T } | undefined;
      this.#waiting.push({
        run: () => {
          result = { value: work() };
        },
        settle: (error) => {
          if (result === undefined || error !== undefined) reject(error);
          else resolve(result.value);
        },
        giveUpAt: undefined,
      });
      if (this.#waiting.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits what waits, now if no other process is writing, otherwise as soon as it can. */
  flush(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#tryCommit();
    if (this.#waiting.length === 0) this.#drained?.();
  }

  /** Takes no more writes; resolves when those that wait are committed or have failed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.flush();
    if (this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
  }

  #tryCommit(): void {
    try {
      this.#assertInPlace();
      this.#begin.run();
    } catch (error) {
      if (isBusy(error)) this.#waitForLock(error);
      else settleAll(this.#takeWaiting(), error);
      return;
    }
    this.#attempts = 0;
    this.#commitAll(this.#takeWaiting());
  }

  #commitAll(writes: readonly Write[]): void {
    const failed = new Map<Write, unknown>();
    try {
      for (const write of writes) {
        try {
          this.#runAlone(write);
        } catch (error) {
          if (!this.#db.inTransaction) throw error;
          failed.set(write, error);
        }
      }
      this.#commit.run();
      this.#assertInPlace();
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      for (const write of writes) write.settle(failed.get(write) ?? error);
      return;
    }
    for (const write of writes) write.settle(failed.get(write));
  }

  /** Runs one write of the transaction, and undoes it alone where it throws. */
  #runAlone({ run }: Write): void {
    this.#savepoint.run();
    try {
      run();
    } catch (error) {
      // Some errors, as a full disk, have ended the transaction already.
      if (this.#db.inTransaction) {
        this.#undo.run();
        this.#release.run();
      }
      throw error;
    }
    this.#release.run();
  }

  /** Fails the writes whose time is up, and tries again soon for the others. */
  #waitForLock(error: unknown): void {
    const now = performance.now();
    const late: Write[] = [];
    const patient: Write[] = [];
    for (const write of this.#waiting) {
      write.giveUpAt ??= now + this.#busyTimeoutMs;
      (write.giveUpAt <= now ? late : patient).push(write);
    }
    this.#waiting = patient;
    settleAll(late, error);
    if (patient.length === 0) return;
    this.#timer = setTimeout(() => this.flush(), pauseMs(this.#attempts));
    this.#attempts += 1;
  }

  #takeWaiting(): Write[] {
    const writes = this.#waiting;
    this.#waiting = [];
    return writes;
  }
}

function settleAll(writes: readonly Write[], error: unknown): void {
  for (const write of writes) write.settle(error);
}
