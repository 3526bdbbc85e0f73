import { randomBytes } from 'node:crypto';
import { copyFile, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolderSync } from 'tincan-wire';
import { CliError } from '../command/cli-error.ts';

/** What an edit does to a file. */
export interface Edit {
  readonly before: string;
  readonly after: string;
  /** Writes it as one step. Resolves with the name of the copy of what was there, if anything was. */
  apply(): Promise<string | undefined>;
}

/** Prepares a change of a file, which is written when it is applied. */
export async function planEdit(file: string, edit: (text: string) => string): Promise<Edit> {
  // A link stays a link: what it points to is changed.
  const target = await realpath(file).catch(() => file);
  const before = await readIfThere(target);
  let after: string;
  try {
    after = edit(before ?? '');
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(error.code, `${file} was not changed: ${error.message}`, { cause: error });
  }
  return {
    before: before ?? '',
    after,
    apply: () => replaceFile(target, { isNew: before === undefined, text: after }),
  };
}

async function replaceFile(
  target: string,
  { isNew, text }: { readonly isNew: boolean; readonly text: string },
): Promise<string | undefined> {
  makeFolderSync(dirname(target));
  const mode = isNew ? 0o600 : (await stat(target)).mode;
  const backup = isNew ? undefined : await backUp(target);
  const draft = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(draft, text, { mode });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return backup;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

async function backUp(file: string): Promise<string> {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const backup = `${file}.${stamp}.bak`;
  await copyFile(file, backup);
  return backup;
}
