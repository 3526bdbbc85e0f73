import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MemoryError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { syncHandle } from '../sync-handle.ts';

/**
 * Replaces a file in one step, readable by its owner alone: it may hold a key. Once this resolves, a power
 * failure leaves the new content, before that the old one.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(path));
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await syncHandle(file);
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await rm(draft, { force: true });
    throw new MemoryError('CONFIG', `the configuration \`${path}\` cannot be written`, { cause });
  }
}

/** Makes the new name durable. Windows opens no folders and needs none of it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await syncHandle(folder);
  } finally {
    await folder.close();
  }
}
