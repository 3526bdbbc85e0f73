import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../../../config/settings.ts';
import type { Check } from './diagnose.ts';

/** Whether the files can be written, and by nobody else read or replaced. */
export async function checkPermissions(settings: Settings): Promise<Check[]> {
  const { store, paths } = settings;
  const name = 'permissions';
  const checks: Check[] = [];
  if (store.path !== null) {
    const place = (await exists(store.path)) ? store.path : await nearestFolder(store.path);
    if (!(await isWritable(place))) {
      checks.push({
        name,
        status: 'fail',
        message: `\`${place}\` cannot be written`,
        fix: `give yourself the right (chmod u+w ${place}), or set TINCAN_HOME to a folder of yours`,
      });
    }
  }
  for (const path of [paths.configPath, store.path]) {
    if (path === null || !(await isOpenToOthers(path))) continue;
    checks.push({
      name,
      status: 'warn',
      message: `others can read \`${path}\``,
      fix: `chmod 600 ${path}`,
    });
  }
  for (const folder of new Set([paths.configPath, store.path].flatMap(folderOf))) {
    const problem = await ownerProblem(folder);
    if (problem === undefined) continue;
    checks.push({
      name,
      status: 'warn',
      message: `${problem}, and could replace what is in it`,
      fix: `chown ${process.getuid?.()} ${folder} && chmod go-w ${folder}, or set TINCAN_HOME to a folder of yours`,
    });
  }
  return checks.length > 0
    ? checks
    : [{ name, status: 'ok', message: 'files are writable, and readable by you alone' }];
}

function folderOf(path: string | null): string[] {
  return path === null ? [] : [dirname(path)];
}

/** Who else decides what a folder holds; `undefined` where nobody does, or it is not there yet. */
async function ownerProblem(folder: string): Promise<string | undefined> {
  const own = process.getuid?.();
  const found = await stat(folder).catch(() => undefined);
  if (own === undefined || found === undefined) return undefined;
  if (found.uid !== own && found.uid !== 0) {
    return `\`${folder}\` belongs to another user (${found.uid})`;
  }
  return (found.mode & 0o022) === 0 ? undefined : `others can write to \`${folder}\``;
}

async function nearestFolder(path: string): Promise<string> {
  let folder = dirname(path);
  while (!(await exists(folder)) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function isOpenToOthers(path: string): Promise<boolean> {
  // Windows has no such bits; the user's folder is private there.
  if (process.platform === 'win32') return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}
