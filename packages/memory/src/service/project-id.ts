import { expandPath, type PathBase } from '../config/expand-path.ts';
import { invalidParams } from '../errors.ts';
import { mainWorktreePath } from './main-worktree.ts';
import { resolveLinks } from './resolve-links.ts';
import { wellFormed } from './well-formed.ts';

/** The longest path that Linux resolves, and more than anyone types. */
export const MAX_PROJECT_ID_BYTES = 4_096;

const PATH_LIKE = /^(?:[/\\]|~(?:$|\/)|\.{1,2}(?:$|[/\\]))/;
const WINDOWS_PATH = /^[A-Za-z]:[/\\]/;

/** Refuses an id that cannot be resolved in bounded time, or at all. */
export function assertProjectId(projectId: string): void {
  if (projectId.includes('\0')) {
    throw invalidParams('projectId contains invalid characters', 'projectId');
  }
  const bytes = Buffer.byteLength(projectId);
  if (bytes <= MAX_PROJECT_ID_BYTES) return;
  throw invalidParams(
    `expected \`projectId\` of at most ${MAX_PROJECT_ID_BYTES} bytes, got ${bytes} bytes: use the project's folder or a short name`,
    'projectId',
  );
}

/** Whether an id is a path, to be resolved on the file system. */
export function isPathLike(projectId: string): boolean {
  return (
    PATH_LIKE.test(projectId) || (process.platform === 'win32' && WINDOWS_PATH.test(projectId))
  );
}

/**
 * The canonical name of a project: an absolute path with its links resolved, the same for every worktree of
 * one repository. A name that is not a path stays itself.
 */
export async function canonicalProjectId(projectId: string, base: PathBase): Promise<string> {
  const id = wellFormed(projectId);
  if (!isPathLike(id)) return id;
  return mainWorktreePath(await resolveLinks(expandPath(id, base)));
}
