import { MemoryError } from '../../errors.ts';
import { lockAlone } from './replace-store.ts';
import { realPathOf, statIfPresent } from './store-file.ts';

/**
 * Refuses a store whose log was taken away while others have it open: they go on with the old log, and a
 * new one would be filled by an index that counts the old one's pages. Where nobody has it open, all is well.
 */
export async function assertLogInPlace(path: string): Promise<void> {
  const target = await realPathOf(path);
  if (!(await isLogMissing(target))) return;
  try {
    const { db } = await lockAlone(target);
    db.close();
  } catch (error) {
    const isLocked = error instanceof MemoryError && error.code === 'STORE_BUSY';
    if (!isLocked) throw error;
    if (await isLogMissing(target)) throw logTaken(path, `${target}-wal`, error);
  }
}

/** SQLite makes the log before the shared memory and removes it after: one never is without the other. */
async function isLogMissing(target: string): Promise<boolean> {
  if ((await statIfPresent(`${target}-shm`)) === undefined) return false;
  if ((await statIfPresent(`${target}-wal`)) !== undefined) return false;
  return (await statIfPresent(`${target}-shm`)) !== undefined;
}

function logTaken(path: string, logPath: string, cause: unknown): MemoryError {
  return new MemoryError(
    'STORE_MOVED',
    `the store at \`${path}\` lost its write-ahead log (\`${logPath}\`) while another process has it open. Stop every server that uses this store: the last one to end puts everything into it. Then start again`,
    { cause, data: { path, log: logPath } },
  );
}
