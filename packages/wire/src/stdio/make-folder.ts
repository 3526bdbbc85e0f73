import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and the folders above it, for their owner alone. Node's own `recursive` never returns
 * where a file system answers "no such folder" to making one, as `/proc` does.
 */
export function makeFolderSync(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // It was there, or another process was first.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const parent = dirname(path);
    if (Reflect.get(Object(error), 'code') !== 'ENOENT' || parent === path) throw error;
    // Fails where no parent can be made; where one could, only the folder itself is left to make.
    makeFolderSync(parent);
    makeLast(path);
  }
}

function makeLast(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
