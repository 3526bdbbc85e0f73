import { fsync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';

const sync = promisify(fsync);

/**
 * Waits until what was written to a file, or into a folder, is on the disk. By its number: where Yarn runs a program
 * without `node_modules`, it replaces file handles by its own, and those have no `sync`.
 */
export async function syncHandle(file: Pick<FileHandle, 'fd'>): Promise<void> {
  await sync(file.fd);
}
