import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, readlink, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../../code-of.ts';
import { MemoryError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { syncHandle } from '../../sync-handle.ts';
import { emptyDatabase } from './empty-database.ts';
import { placeNew } from './place-file.ts';
import { readOnly } from './store-error.ts';

/** Sees that a store is at the path, and makes one where nothing is. Nothing that is there is changed. */
export async function ensureStoreFile(path: string): Promise<void> {
  try {
    const target = await realPathOf(path);
    const [logPath, sharedPath] = [`${target}-wal`, `${target}-shm`];
    // SQLite opens these too, and would wait for the writer of a FIFO.
    const log = await statFile(logPath);
    const shared = await statFile(sharedPath);
    await statFile(`${target}-journal`);
    // The store last: another process that begins it makes these files after it.
    const file = await statFile(path);
    const isEmpty = file === undefined || file.size === 0;
    // SQLite would delete a log that it finds beside an empty database.
    if (isEmpty && log !== undefined && log.size > 0) throw logAlone(path, logPath);
    if (file === undefined && shared !== undefined) throw sharedAlone(path, sharedPath);
    if (file === undefined) await createStoreFile(path);
    else if (isEmpty) throw emptyFile(path);
  } catch (error) {
    throw error instanceof MemoryError ? error : unreachable(path, error);
  }
}

/** Notes are private: the file and the folder made for it are for their owner alone. */
async function createStoreFile(path: string): Promise<void> {
  await makeFolder(dirname(path));
  const target = await realPathOf(path);
  const draft = `${target}.${randomUUID()}.new`;
  try {
    await writeNew(draft, emptyDatabase());
    // Another process may have been first: then its file stays.
    await placeNew(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeNew(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await syncHandle(file);
  } finally {
    await file.close();
  }
}

/** Links resolved, as SQLite does, also where the file is yet to be made. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined) return realPathOf(resolve(dirname(path), target));
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

/** What is at a path, `undefined` for nothing. */
export function statIfPresent(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** Like {@link statIfPresent}; refuses anything but a file. */
export async function statFile(path: string): Promise<Stats | undefined> {
  const found = await statIfPresent(path);
  if (found !== undefined && !found.isFile()) throw notAFile(path, kindOf(found));
  return found;
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a FIFO';
  if (found.isSocket()) return 'a socket';
  return 'a device';
}

function notAFile(path: string, kind: string): MemoryError {
  return new MemoryError('STORE', `expected a file at \`${path}\`, found ${kind}`, {
    data: { path },
  });
}

function logAlone(path: string, logPath: string): MemoryError {
  return new MemoryError(
    'STORE_MOVED',
    `\`${logPath}\` holds notes of a store that is not at \`${path}\` any more; both were left as they are. Stop every server that uses this store, then put the store back beside it, or move \`${logPath}\` away (and delete the \`-shm\` file) to begin a new store`,
    { data: { path, log: logPath } },
  );
}

function sharedAlone(path: string, shared: string): MemoryError {
  return new MemoryError(
    'STORE_MOVED',
    `the store at \`${path}\` is gone, but \`${shared}\` says that a server may still have it open: stop every server that uses it, then put the store back, or delete \`${shared}\` to begin a new store`,
    { data: { path } },
  );
}

function emptyFile(path: string): MemoryError {
  return new MemoryError(
    'STORE_CORRUPT',
    `the store at \`${path}\` is an empty file (0 bytes), expected a database; it was left as it is. If it held notes, put a backup in its place with \`tincan-memory restore <file>\`; otherwise delete it to begin a new store`,
    { data: { path } },
  );
}

function unreachable(path: string, cause: unknown): MemoryError {
  const code = codeOf(cause);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return readOnly(path, cause);
  return new MemoryError(
    'STORE',
    `the store at \`${path}\` cannot be created: \`${code}\`; check that its folder can be made, or set \`store.path\` to another place`,
    { cause, data: { path } },
  );
}
