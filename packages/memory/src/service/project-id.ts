import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { expandPath, type PathBase } from '../config/expand-path.ts';

const PATH_LIKE = /^(?:[/\\]|~(?:$|\/)|\.{1,2}(?:$|[/\\]))/;
const WINDOWS_PATH = /^[A-Za-z]:[/\\]/;

/**
 * The one name of a project, however it was written: a path absolute, its links resolved, and the same
 * for every worktree of one repository. A name that is no path stays itself.
 */
export async function canonicalProjectId(projectId: string, base: PathBase): Promise<string> {
  const isPath =
    PATH_LIKE.test(projectId) || (process.platform === 'win32' && WINDOWS_PATH.test(projectId));
  if (!isPath) return projectId;
  return mainWorktreePath(await resolveLinks(expandPath(projectId, base)));
}

/** Resolves as much of a path as exists, so that a folder keeps its name when it is made later. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const parent = dirname(path);
    // A loop of links or a forbidden folder has no better name than the one given.
    if (code !== 'ENOENT' || parent === path) return path;
    // A link that leads nowhere exists itself: its name is kept too.
    if (await exists(path)) return path;
    return join(await resolveLinks(parent), basename(path));
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The same place in the repository's main worktree, where the path lies in a linked one. */
async function mainWorktreePath(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const main = await mainWorktreeOf(folder);
    if (main !== undefined) return join(main, relative(folder, path));
    if ((await exists(join(folder, '.git'))) || dirname(folder) === folder) return path;
  }
}

/** A linked worktree has a file `.git` that names its own folder, and that one names the common folder. */
async function mainWorktreeOf(folder: string): Promise<string | undefined> {
  const pointer = await readText(join(folder, '.git'));
  const gitDir = /^gitdir: (.+)$/m.exec(pointer ?? '')?.[1]?.trim();
  if (gitDir === undefined) return undefined;
  const ownDir = resolve(folder, gitDir);
  const common = (await readText(join(ownDir, 'commondir')))?.trim();
  if (common === undefined) return undefined;
  const commonDir = await resolveLinks(resolve(ownDir, common));
  // A bare repository has no main worktree: its own folder is the common name.
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Absent or a folder: not a linked worktree.
    return undefined;
  }
}
