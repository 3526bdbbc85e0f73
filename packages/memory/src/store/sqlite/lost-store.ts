import { rename, rm } from 'node:fs/promises';
import { MemoryError } from '../../errors.ts';
import type { Connection } from './driver.ts';
import { saveCopy } from './save-copy.ts';
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
  const { path, file, log, shared } = place;
  if (file === 'there' && log === 'there' && shared !== 'there') return lostSharedMemory(place);
  const rescue = await saveCopy(db, `${path}.rescued-${place.identity}`).then(
    (copy) => ({ copy }),
    (failure: unknown) => ({ failure }),
  );
  const isLogForeign = file === 'replaced' && log === 'there';
  const keptLog = isLogForeign ? await setLogAside(place) : undefined;
  const kept =
    'copy' in rescue
      ? `Everything acknowledged is in \`${rescue.copy}\``
      : `A copy of it could not be saved beside it (${reasonOf(rescue.failure)}); the next call tries again, so let this process run until that is mended`;
  const set = keptLog === undefined ? '' : `; its log is now \`${keptLog}\``;
  return new MemoryError(
    'STORE_MOVED',
    `the store at \`${path}\` ${whatHappened(place)} while this process had it open, so nothing is written any more. ${kept}${set}. ${whatToDo(place)}`,
    {
      cause: 'copy' in rescue ? undefined : rescue.failure,
      data: {
        path,
        ...('copy' in rescue ? { copy: rescue.copy } : {}),
        ...(keptLog && { log: keptLog }),
      },
    },
  );
}

/** Whether what an error says of a lost store still holds: it was saved, and the copy is there. */
export function isSaved({ cause, data }: MemoryError): boolean {
  const copy = data?.['copy'];
  return cause === undefined && (typeof copy !== 'string' || identify(copy) !== undefined);
}

function whatHappened({ file, log }: StorePlace): string {
  if (file === 'replaced') return 'was replaced by another file';
  if (file === 'gone') return 'was moved or removed';
  return log === 'there' ? 'was away for a moment' : 'lost its write-ahead log (`-wal`)';
}

function whatToDo({ path, file, log, logPath }: StorePlace): string {
  const leftover = file === 'gone' && log === 'there' ? `, and move \`${logPath}\` away,` : '';
  return `Stop every server that uses this store, put the store or that copy at \`${path}\`${leftover} and start again`;
}

/** The database and its log are where they were, so all is in them; but others may not see this process's locks. */
function lostSharedMemory({ path, sharedPath }: StorePlace): MemoryError {
  return new MemoryError(
    'STORE_MOVED',
    `\`${sharedPath}\` was removed or replaced while this process had the store open, so nothing is written any more. Everything acknowledged is in the store at \`${path}\`. Stop every server that uses it, then start again`,
    { data: { path } },
  );
}

/** A log beside another database than its own would be read into it. */
async function setLogAside({
  path,
  logPath,
  sharedPath,
  identity,
}: StorePlace): Promise<string | undefined> {
  const aside = `${path}-wal.of-${identity}`;
  try {
    await rename(logPath, aside);
    await rm(sharedPath, { force: true });
    return aside;
  } catch {
    // Another process has done it; if it cannot be done, the error still says to stop and look.
    return identify(aside) === undefined ? undefined : aside;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
