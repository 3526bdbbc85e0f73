import { homedir } from 'node:os';
import { join } from 'node:path';

/** What is put behind a folder to name its weights. */
const version = /@[0-9a-f]{8}$/;

/** The folder that a configured model, or the name of its vectors, means. */
export function modelFolderOf(model: string): string {
  return fromHome(model.replace(version, ''));
}

/** A path with `~/` at its start replaced by the user's home. */
export function fromHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}
