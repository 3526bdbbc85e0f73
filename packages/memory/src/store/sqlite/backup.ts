import { randomUUID } from 'node:crypto';
import { open, realpath, rm, stat } from 'node:fs/promises';
import { MemoryError } from '../../errors.ts';
import { retryWhileBusy } from './busy.ts';
import { type CopyContents, checkCopy } from './check-copy.ts';
import { countContents, type StoreCounts } from './contents.ts';
import { type Connection, connect } from './driver.ts';
import { placeNew, placeOver, syncFile } from './place-file.ts';
import { assertKnownSchema } from './schema.ts';
import { Statements } from './statements.ts';
import { toStoreError } from './store-error.ts';
import { ensureStoreFile } from './store-file.ts';
import { assertIdentity, identify } from './store-place.ts';

const BUSY_TIMEOUT_MS = 30_000;

/** Files that SQLite keeps beside a database. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/** Which store is saved, and where. */
export interface BackupOptions {
  /** The store. */
  readonly path: string;
  /** The copy. */
  readonly file: string;
  /** Whether an existing file is replaced. */
  readonly force?: boolean;
}

/** Saves a store in one file, as it was at one moment, while others go on writing. */
export async function backupSqliteStore({
  path,
  file,
  force = false,
}: BackupOptions): Promise<CopyContents> {
  await assertStore(path);
  await assertTarget(path, file, force);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await (await open(draft, 'wx', 0o600)).close();
    const counts = await copyStore(path, draft);
    const contents = await checkCopy(draft, { name: file, journal: 'DELETE' });
    assertSame(counts, contents, file);
    await syncFile(draft);
    if (force) await placeOver(draft, file);
    else if (!(await placeNew(draft, file))) throw occupied(file);
    return contents;
  } finally {
    for (const suffix of ['', ...SIDE_FILES]) await rm(`${draft}${suffix}`, { force: true });
  }
}

/** The transaction keeps one moment in view: without it the copy would begin again after each write of others. */
async function copyStore(path: string, draft: string): Promise<StoreCounts> {
  const identity = identify(path);
  const db = await connect(path);
  try {
    const counts = await retryWhileBusy(() => {
      assertIdentity(path, identity);
      return beginAndCount(db);
    }, BUSY_TIMEOUT_MS);
    await db.backup(draft);
    db.exec('COMMIT');
    return counts;
  } catch (error) {
    throw toStoreError(error, path);
  } finally {
    db.close();
  }
}

function beginAndCount(db: Connection): StoreCounts {
  assertKnownSchema(db);
  db.exec('BEGIN');
  try {
    return countContents(new Statements(db));
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

async function assertStore(path: string): Promise<void> {
  if (identify(path) === undefined) {
    throw new MemoryError('STORE', `there is no store at \`${path}\` yet: nothing to back up`, {
      data: { path },
    });
  }
  await ensureStoreFile(path);
}

async function assertTarget(path: string, file: string, force: boolean): Promise<void> {
  const store = await realpath(path);
  const found = await stat(file).catch(() => undefined);
  const own = [store, ...SIDE_FILES.map((suffix) => `${store}${suffix}`)];
  const isOwn = own.includes(await realpath(file).catch(() => file)) || own.includes(file);
  if (isOwn || (found !== undefined && identify(file) === identify(path))) {
    throw new MemoryError('STORE', `\`${file}\` belongs to the store itself: name another file`);
  }
  if (found === undefined) return;
  if (!found.isFile()) {
    const kind = found.isDirectory() ? 'a folder' : 'something that is not a file';
    throw new MemoryError('STORE', `expected a file to write at \`${file}\`, found ${kind}`);
  }
  if (!force) throw occupied(file);
}

function occupied(file: string): MemoryError {
  return new MemoryError(
    'STORE',
    `\`${file}\` exists and was left as it is: name another file, or replace it with \`--force\``,
  );
}

function assertSame(counted: StoreCounts, contents: CopyContents, file: string): void {
  const { bytes: _, ...copied } = contents;
  if (JSON.stringify(counted) === JSON.stringify(copied)) return;
  throw new MemoryError(
    'STORE_CORRUPT',
    `expected ${JSON.stringify(counted)} in the copy for \`${file}\`, found ${JSON.stringify(copied)}; it was removed`,
  );
}
