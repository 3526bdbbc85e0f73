import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MAX_PROJECT_ID_BYTES } from '../../../service/project-id.ts';
import type { Arguments } from '../arguments.ts';
import { usageError } from '../command-error.ts';
import { type CommandIo, remark } from '../io.ts';
import { isText } from '../render/format.ts';

/** The project that a command line names, or else the one of the folder it was typed in. */
export function projectOf(args: Arguments, { cwd }: Pick<CommandIo, 'cwd'>): string {
  const given = args.text('project');
  if (given === '') throw usageError('project ID is required (-p or --project)');
  return given ?? repositoryOf(cwd);
}

/** Tells a reader where nothing was found. */
export function remarkProject(projectId: string, args: Arguments, io: CommandIo): void {
  if (isText(args, io)) remark(io, `searched project: ${projectId} (\`-p\` names another)`);
}

/** The repository around a folder, or the folder itself: what an agent started there would call the project. */
export function repositoryOf(cwd: string): string {
  const start = resolve(cwd);
  // No folder has such a path; the memory refuses it and says why.
  if (Buffer.byteLength(start) > MAX_PROJECT_ID_BYTES) return start;
  for (let folder = start; ; folder = dirname(folder)) {
    if (isGit(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** A repository has a folder of this name, a linked worktree a file; anything else, as a FIFO, is not Git's. */
function isGit(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (found.isDirectory() || found.isFile());
  } catch {
    // A folder that cannot be entered, or a path that is too long.
    return false;
  }
}
