import { constants, type Stats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { ResolvedPath } from './resolve-links.ts';

/** Git writes one line into each of the files that are read here. */
const MAX_FILE_BYTES = 8_192;

/** Deeper than any repository: a path of thousands of folders would cost a second. */
const MAX_LEVELS = 128;

/** The same place in the repository's main worktree, where the path is in a linked one. */
export async function mainWorktreePath({ existing, rest }: ResolvedPath): Promise<string> {
  let folder = existing;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const found = await statIfPresent(join(folder, '.git'));
    if (found?.isFile()) {
      const main = (await mainWorktreeOf(folder)) ?? folder;
      return join(main, relative(folder, existing), rest);
    }
    // Anything else of this name, as a FIFO, is not Git's.
    if (found?.isDirectory() || dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return join(existing, rest);
}

/**
 * A linked worktree has a file `.git` that names its own folder in the repository. It is believed only if that
 * folder names the worktree in turn: anyone can write such a file, and would read another project's notes.
 */
async function mainWorktreeOf(folder: string): Promise<string | undefined> {
  const pointer = join(folder, '.git');
  const gitDir = /^gitdir: (.+)$/m.exec((await readLine(pointer)) ?? '')?.[1]?.trim();
  if (gitDir === undefined) return undefined;
  const ownDir = await realPathIfPresent(resolve(folder, gitDir));
  if (ownDir === undefined) return undefined;
  const back = await readLine(join(ownDir, 'gitdir'));
  const common = await readLine(join(ownDir, 'commondir'));
  if (back === undefined || common === undefined) return undefined;
  const commonDir = await realPathIfPresent(resolve(ownDir, common));
  if (commonDir === undefined || dirname(ownDir) !== join(commonDir, 'worktrees')) return undefined;
  const named = await realPathIfPresent(resolve(ownDir, back));
  if (named !== (await realPathIfPresent(pointer))) return undefined;
  // A bare repository has no main worktree: its own folder is the common name.
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
}

/** The content of a small file, `undefined` for anything else. Does not wait for the writer of a FIFO. */
async function readLine(path: string): Promise<string | undefined> {
  const found = await statIfPresent(path);
  if (!found?.isFile() || found.size > MAX_FILE_BYTES) return undefined;
  // The file may have been replaced since: what was opened is looked at again.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_FILE_BYTES) });
    return buffer.toString('utf8', 0, bytesRead).trim();
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

function statIfPresent(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

function realPathIfPresent(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
