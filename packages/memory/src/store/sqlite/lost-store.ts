import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MemoryError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Connection } from './driver.ts';
import { identify, type StorePlace } from './store-place.ts';

/** Thrown where a write finds that the files at the path are not those that are open. */
export class StoreMoved extends Error {
  override readonly name: string = 'StoreMoved';
}

/**
 * Saves what is in a store whose files are no longer at their path, and says where. The connection still
 * reads the files that were opened, even deleted ones, so the copy holds every acknowledged write of every process.
 */
export async function rescueLostStore(db: Connection, place: StorePlace): Promise<MemoryError> {
  const { path, file, log, logPath } = place;
  const copy = `${path}.rescued-${place.identity}`;
  const failure = await copyTo(db, copy).then(
    () => undefined,
    (error: unknown) => error,
  );
  const isLogForeign = file === 'replaced' && log === 'there';
  const keptLog = isLogForeign ? await setLogAside(place) : undefined;
  const kept =
    failure === undefined
      ? `Everything acknowledged is in \`${copy}\``
      : `A copy of it could not be saved at \`${copy}\` (${reasonOf(failure)})`;
  const set = keptLog === undefined ? '' : `; its log is now \`${keptLog}\``;
  const leftover = file === 'gone' && log === 'there' ? `, and move \`${logPath}\` away,` : '';
  return new MemoryError(
    'STORE_MOVED',
    `the store at \`${path}\` ${whatHappened(place)} while this process had it open, so nothing is written any more. ${kept}${set}. Stop every server that uses this store, put the store or that copy at \`${path}\`${leftover} and start again`,
    {
      cause: failure,
      data: { path, ...(failure === undefined ? { copy } : {}), ...(keptLog && { log: keptLog }) },
    },
  );
}

function whatHappened({ file, log }: StorePlace): string {
  if (file === 'replaced') return 'was replaced by another file';
  if (file === 'gone') return 'was moved or removed';
  return log === 'there' ? 'was away for a moment' : 'lost its write-ahead log (`-wal`)';
}

/** The first of several processes makes the copy; each of them would make the same. */
async function copyTo(db: Connection, copy: string): Promise<void> {
  if (identify(copy) !== undefined) return;
  const draft = `${copy}.${randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(copy));
    const file = await open(draft, 'wx', 0o600);
    await file.close();
    await db.backup(draft);
    await link(draft, copy).catch(async (error: unknown) => {
      if (identify(copy) === undefined)
        await rename(draft, copy).catch(() => Promise.reject(error));
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** A log beside another database than its own would be read into it. */
async function setLogAside({ path, logPath, identity }: StorePlace): Promise<string | undefined> {
  const aside = `${path}-wal.of-${identity}`;
  try {
    await rename(logPath, aside);
    await rm(logPath.replace(/-wal$/, '-shm'), { force: true });
    return aside;
  } catch {
    // Another process has done it; if it cannot be done, the error still says to stop and look.
    return identify(aside) === undefined ? undefined : aside;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
