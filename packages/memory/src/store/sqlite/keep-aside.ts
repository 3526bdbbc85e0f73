import { constants } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';

/**
 * Copies an unreadable store beside itself, once for each state of it, so that no attempt at repair
 * can destroy the only copy. Returns the copy's path, `undefined` where none could be made.
 */
export async function keepAside(path: string): Promise<string | undefined> {
  try {
    const { mtime } = await stat(path);
    const stamp = mtime.toISOString().replaceAll(/[:.]/g, '-');
    const copy = `${path}.corrupt-${stamp}`;
    for (const suffix of ['', '-wal']) await copyOnce(`${path}${suffix}`, `${copy}${suffix}`);
    return copy;
  } catch {
    // The original stays untouched in any case; a full disk must not hide the first error.
    return undefined;
  }
}

async function copyOnce(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Already kept, or there is no write-ahead log.
    if (code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
}
