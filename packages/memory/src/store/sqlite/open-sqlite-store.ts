import { access, constants, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MemoryError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { assertSafeVersion, type Connection, connect } from './driver.ts';
import { keepAside } from './keep-aside.ts';
import { migrate } from './schema.ts';
import { SqliteStore } from './sqlite-store.ts';
import { isCorruption, toStoreError } from './store-error.ts';

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
  const { path, now = Date.now } = options;
  let db: Connection | undefined;
  try {
    await createPrivately(path);
    db = await connect(path);
    configure(db, options);
    return new SqliteStore(db, { path, now });
  } catch (error) {
    db?.close();
    throw await explain(error, path);
  }
}

/** Notes are private: the file and the folder made for it are for their owner alone. */
async function createPrivately(path: string): Promise<void> {
  if (path === ':memory:') return;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    await file.close();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // An existing file that may only be read can still be searched.
    if (code === 'EACCES' || code === 'EROFS') return;
    throw new MemoryError('STORE', `the store at \`${path}\` cannot be created: \`${code}\``, {
      cause: error,
      data: { path },
    });
  }
}

function configure(db: Connection, { busyTimeoutMs = 30_000, maxBytes }: SqliteStoreOptions): void {
  db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  assertSafeVersion(String(db.prepare('SELECT sqlite_version()').pluck().get()));
  // Asking first keeps the common case free of the lock that a change of mode takes.
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // What is deleted or rewritten leaves no bytes behind: an erased note must not be found in a free page.
  db.pragma('secure_delete = ON');
  if (maxBytes !== undefined) {
    const pageBytes = Number(db.pragma('page_size', { simple: true }));
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
    `the store at \`${path}\` cannot be read as a database; it was left as it is${kept}. Move it away to begin anew, or repair it`,
    { cause: error, data: { path, copy } },
  );
}

/** Reading takes writing here: readers leave their marks in files beside the store. */
function readOnly(path: string, cause: unknown): MemoryError {
  return new MemoryError(
    'STORE_READ_ONLY',
    `the store at \`${path}\` lies where nothing can be written, which reading it takes too; copy it elsewhere, or make its disk and folder writable`,
    { cause, data: { path } },
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
