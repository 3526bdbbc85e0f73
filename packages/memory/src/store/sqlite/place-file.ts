import { link, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../code-of.ts';
import { syncHandle } from '../../sync-handle.ts';

/** What file systems without hard links answer. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'];

/** Gives a finished draft its name, durably; `false` where something has that name already. */
export async function placeNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!isWithoutLinks(error)) throw error;
    if (await exists(path)) return false;
    await rename(draft, path);
  }
  await syncFolder(dirname(path));
  return true;
}

/** Puts a finished draft over what is at the path, in one step and durably. */
export async function placeOver(draft: string, path: string): Promise<void> {
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Waits until what was written to a file is on disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await syncHandle(file);
  } finally {
    await file.close();
  }
}

/** Whether a failed `link` only says that the file system has none. */
export function isWithoutLinks(error: unknown): boolean {
  return NO_LINKS.includes(codeOf(error));
}

/** Makes new names in a folder durable. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await syncHandle(folder);
    } finally {
      await folder.close();
    }
  } catch {
    // Windows cannot open folders, and some file systems cannot sync them; they keep names their own way.
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
