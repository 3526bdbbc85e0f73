import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MemoryError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { retryWhileBusy } from './busy.ts';
import { type Connection, loadDriver } from './driver.ts';
import { keepAside } from './keep-aside.ts';
import { assertLogInPlace } from './missing-log.ts';
import { assertKnownSchema, migrate } from './schema.ts';
import { SqliteStore } from './sqlite-store.ts';
import { isCorruption, readOnly, toStoreError } from './store-error.ts';
import { ensureStoreFile } from './store-file.ts';
import { assertIdentity, identify, StorePlace } from './store-place.ts';

/** How long a write waits for other processes, unless set otherwise. */
const BUSY_TIMEOUT_MS = 30_000;

/** SQLite's name for a database that ends with its connection. */
const IN_MEMORY = ':memory:';

/** Where the store lies and how patient it is. */
export interface SqliteStoreOptions {
  readonly path: string;
  /** How long a write waits for other processes. */
  readonly busyTimeoutMs?: number;
  /** Refuses to grow beyond this. */
  readonly maxBytes?: number;
  readonly now?: () => number;
}

/** Opens the store in one file, made if absent. Takes no lock that another process could wait for. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  let db: Connection | undefined;
  try {
    // Without a driver no file is made.
    const driver = loadDriver();
    if (path !== IN_MEMORY) {
      await ensureStoreFile(path);
      await assertLogInPlace(path);
    }
    const identity = identify(path);
    const opened = driver.open(path);
    db = opened;
    const assertInPlace = (): void => assertIdentity(path, identity);
    await retryWhileBusy(() => configure(opened, options, assertInPlace), busyTimeoutMs);
    return createStore(db, options, identity);
  } catch (error) {
    db?.close();
    throw await explain(error, path);
  }
}

/** The store on a connection that is already open. */
export function storeOn(db: Connection, options: SqliteStoreOptions): Store {
  configure(db, options);
  return createStore(db, options);
}

function createStore(db: Connection, options: SqliteStoreOptions, identity?: string): Store {
  const { path, now = Date.now, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  const place = path === IN_MEMORY ? undefined : new StorePlace(path, identity);
  return new SqliteStore(db, { path, place, now, busyTimeoutMs });
}

function configure(
  db: Connection,
  { maxBytes }: SqliteStoreOptions,
  assertInPlace: () => void = () => {},
): void {
  // An earlier attempt may have waited for a `restore` to end. The file that is open is then not the store any
  // more, and its first read would take the log of the new one for its own.
  assertInPlace();
  assertKnownSchema(db);
  assertInPlace();
  // Asking first keeps the common case free of the lock that a change of mode takes.
  if (db.pragma('journal_mode') !== 'wal') db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // What is deleted or rewritten leaves no bytes behind: an erased note must not be found in a free page.
  db.pragma('secure_delete = ON');
  // One cache for both drivers, in KiB; their own defaults differ.
  db.pragma('cache_size = -16000');
  if (maxBytes !== undefined) {
    const pageBytes = Number(db.pragma('page_size'));
    db.pragma(`max_page_count = ${Math.max(1, Math.floor(maxBytes / pageBytes))}`);
  }
  migrate(db);
}

async function explain(error: unknown, path: string): Promise<unknown> {
  if (!isCorruption(error)) {
    const told = toStoreError(error, path);
    const isReadOnly =
      told instanceof MemoryError && told.code === 'STORE' && !(await isWritable(path));
    return isReadOnly ? readOnly(path, error) : told;
  }
  const copy = await keepAside(path);
  const kept = copy === undefined ? '' : `, and a copy was kept at \`${copy}\``;
  return new MemoryError(
    'STORE_CORRUPT',
    `the store at \`${path}\` cannot be read as a database; it was left as it is${kept}. Stop every server that uses it, then put a backup in its place with \`tincan-memory restore <file>\`, or move it away with its \`-wal\` file to begin a new store`,
    { cause: error, data: { path, copy } },
  );
}

async function isWritable(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      await access(folder, constants.W_OK);
      return true;
    } catch (error) {
      // A folder that is yet to be made is as writable as the one above it.
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isAbsent || folder === dirname(folder)) return false;
    }
  }
}
