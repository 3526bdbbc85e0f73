import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../command/cli-error.ts';

/** Changes a file as one step, keeping a copy of what was there. Returns the name of the copy, if any. */
export async function editFile(
  file: string,
  edit: (text: string) => string,
): Promise<string | undefined> {
  // A link stays a link: what it points to is changed.
  const target = await realpath(file).catch(() => file);
  const before = await readIfThere(target);
  let after: string;
  try {
    after = edit(before ?? '');
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(error.code, `${file} was left alone: ${error.message}`, { cause: error });
  }
  if (after === before) return undefined;
  await mkdir(dirname(target), { recursive: true });
  const mode = before === undefined ? 0o600 : (await stat(target)).mode;
  const backup = before === undefined ? undefined : await backUp(target);
  const draft = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(draft, after, { mode });
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
