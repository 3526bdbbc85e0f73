import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { VERSION } from '../../version.ts';

/** The command line that runs this program again: `node` and its path, or `npx` once a release made it. */
export function ownCommand(started: string = process.argv[1] ?? ''): string {
  const program = realPath(started);
  return isReleased(program) ? `npx -y tincan-memory@${VERSION}` : `node ${quoted(program)}`;
}

/** The command line that runs `tincan`; undefined where neither npm nor this installation has it. */
export function tincanCommand(started: string = process.argv[1] ?? ''): string | undefined {
  const program = realPath(started);
  if (isReleased(program)) return `npx -y tincan-cli@${VERSION}`;
  // Beside this package: in a clone by its folder, elsewhere by its name.
  const found = ['cli', 'tincan-cli']
    .map((folder) => resolve(program, '../../..', folder, 'bin/tincan.js'))
    .find((path) => existsSync(path));
  return found === undefined ? undefined : `node ${quoted(found)}`;
}

/** The file behind a path; `npx` starts a program by a link in `node_modules/.bin`. */
function realPath(started: string): string {
  const path = resolve(started);
  return existsSync(path) ? realpathSync(path) : path;
}

/** A release writes the repository into the manifest: without one, npm does not have this version. */
function isReleased(program: string): boolean {
  try {
    const file = join(dirname(program), '../package.json');
    const { name, repository } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return name === 'tincan-memory' && repository !== undefined;
  } catch {
    // A bundle has no manifest of the package, and runs by its path.
    return false;
  }
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : JSON.stringify(path);
}
