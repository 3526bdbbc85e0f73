import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Arguments } from '../arguments.ts';
import { usageError } from '../command-error.ts';
import type { CommandIo } from '../io.ts';

/** The project that a command line names, or else the one of the folder it was typed in. */
export function projectOf(args: Arguments, { cwd }: Pick<CommandIo, 'cwd'>): string {
  const given = args.text('project');
  if (given === '') throw usageError('project ID is required (-p or --project)');
  return given ?? repositoryOf(cwd);
}

/** The repository around a folder, or the folder itself: what an agent started there would call the project. */
export function repositoryOf(cwd: string): string {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
