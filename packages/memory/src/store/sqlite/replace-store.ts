import { copyFile, link, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { MemoryError } from '../../errors.ts';
import { retryWhileBusy } from './busy.ts';
import { type Connection, connect } from './driver.ts';
import { isWithoutLinks, placeNew, placeOver } from './place-file.ts';
import { assertKnownSchema } from './schema.ts';
import { isCorruption, toStoreError } from './store-error.ts';
import { statIfPresent } from './store-file.ts';
import { assertIdentity, identify } from './store-place.ts';

/** How long a command that ends by itself is waited for. */
const LOCK_PATIENCE_MS = 1_000;

/** Far longer than the step from looking at the path to locking the file behind it. */
const UNLOCK_DELAY_MS = 100;

/** Where the files are that were replaced. */
export interface KeptStore {
  /** The store that was there; absent where there was none. */
  readonly kept?: string;
  /** Its log, where that could not be folded into it. */
  readonly keptLog?: string;
}

/**
 * Puts a finished draft in the place of a store that no process has open, and keeps the store beside it
 * under another name. At every moment one of the two is at the path.
 */
export async function replaceStore(path: string, draft: string): Promise<KeptStore> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const kept = `${path}.replaced-${stamp}`;
  const found = await statIfPresent(path);
  const isEmpty = found === undefined || found.size === 0;
  if (isEmpty) await assertNoServer(path);
  // SQLite would delete the log of an empty database.
  const lock = isEmpty ? undefined : await lockAlone(path);
  try {
    if (found !== undefined) await keep(path, kept, lock);
    const log = await statIfPresent(`${path}-wal`);
    if (log !== undefined) await keep(`${path}-wal`, `${kept}-wal`);
    if (lock?.isSound !== true) {
      lock?.db.close();
      // Beside another database than its own a log would be read into it.
      for (const suffix of ['-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
    }
    if (found !== undefined) {
      await placeOver(draft, path);
      // Who was about to read the old file finds it locked, looks again, and sees that it was replaced.
      await delay(UNLOCK_DELAY_MS);
    } else if (!(await placeNew(draft, path))) throw inUse(path);
    return {
      ...(found === undefined ? {} : { kept }),
      ...(log === undefined ? {} : { keptLog: `${kept}-wal` }),
    };
  } finally {
    if (lock?.db.open === true) lock.db.close();
  }
}

/** A connection that others cannot be beside. */
export interface Lock {
  readonly db: Connection;
  /** `false`: not readable as a database, so the lock ends with the attempt to read it. */
  readonly isSound: boolean;
}

/**
 * Locks out every other connection. Each open one, idle ones too, holds a shared lock for as long as the
 * store is in write-ahead mode, and leaving that mode takes an exclusive one; it also folds the log in.
 */
export async function lockAlone(path: string): Promise<Lock> {
  const identity = identify(path);
  const db = await connect(path);
  try {
    await retryWhileBusy(() => {
      assertIdentity(path, identity);
      db.pragma('locking_mode = EXCLUSIVE');
      assertReplaceable(db);
      db.pragma('journal_mode = DELETE');
      db.exec('BEGIN EXCLUSIVE; COMMIT');
    }, LOCK_PATIENCE_MS);
    // A connection alone keeps its index in its own memory; the file of one that ended is left to it.
    await rm(`${path}-shm`, { force: true });
    return { db, isSound: true };
  } catch (error) {
    if (isCorruption(error)) return { db, isSound: false };
    db.close();
    const explained = toStoreError(error, path);
    const isLocked = explained instanceof MemoryError && explained.code === 'STORE_BUSY';
    throw isLocked ? inUse(path, error) : explained;
  }
}

/** A store of a newer version may be replaced; the database of another program may not. */
function assertReplaceable(db: Connection): void {
  try {
    assertKnownSchema(db);
  } catch (error) {
    if (!(error instanceof MemoryError && error.code === 'STORE_TOO_NEW')) throw error;
  }
}

/** A second name for the file: closing a second descriptor of it would give up the lock. */
async function keep(path: string, kept: string, lock?: Lock): Promise<void> {
  try {
    await link(path, kept);
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    if (lock?.isSound === true) await lock.db.backup(kept);
    else await copyFile(path, kept);
  }
}

/** Without the store nothing can be locked; what readers share then tells of a server that had it open. */
async function assertNoServer(path: string): Promise<void> {
  if ((await statIfPresent(`${path}-shm`)) === undefined) return;
  throw new MemoryError(
    'STORE_BUSY',
    `the store at \`${path}\` is gone, but \`${path}-shm\` says that a server may still have it open: stop every server that uses it, delete \`${path}-shm\` if it is still there, and restore again`,
    { data: { path } },
  );
}

function inUse(path: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'STORE_BUSY',
    `another process has the store at \`${path}\` open, so nothing was replaced: stop every server that uses it, then restore again`,
    { cause, data: { path } },
  );
}
