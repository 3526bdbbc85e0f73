import { MemoryError } from '../../errors.ts';
import type { Connection } from './driver.ts';

interface Write {
  readonly run: () => void;
  readonly settle: (error?: unknown) => void;
}

/**
 * Gathers the writes of one turn of the event loop into one transaction, which pays for one flush to
 * disk instead of many. Each write stands alone: one that throws undoes itself and no other.
 */
export class WriteQueue {
  readonly #db: Connection;
  #waiting: Write[] = [];
  #closed = false;

  constructor(db: Connection) {
    this.#db = db;
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
      });
      if (this.#waiting.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits what waits now. */
  flush(): void {
    const writes = this.#waiting;
    this.#waiting = [];
    if (writes.length === 0) return;
    const failed = new Map<Write, unknown>();
    try {
      this.#db
        .transaction(() => {
          for (const write of writes) {
            try {
              // Nested, this is a savepoint.
              this.#db.transaction(write.run)();
            } catch (error) {
              if (!this.#db.inTransaction) throw error;
              failed.set(write, error);
            }
          }
        })
        .immediate();
    } catch (error) {
      for (const write of writes) write.settle(failed.get(write) ?? error);
      return;
    }
    for (const write of writes) write.settle(failed.get(write));
  }

  close(): void {
    this.flush();
    this.#closed = true;
  }
}
