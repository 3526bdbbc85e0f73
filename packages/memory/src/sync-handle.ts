import { fsync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Waits until what was written to a file, or into a folder, is on the disk. Where Yarn runs a program without
 * `node_modules`, it replaces file handles by its own, which have a number and no `sync`.
 */
export async function syncHandle(
  file: Pick<FileHandle, 'fd' | 'sync'>,
  isOfYarn: boolean = process.versions['pnp'] !== undefined,
): Promise<void> {
  await (isOfYarn ? promisify(fsync)(file.fd) : file.sync());
}
