import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CliError } from './cli-error.ts';
import { type OwnPackage, ownPackage } from './own-package.ts';
import { shellWord } from './shell-line.ts';

const packageRequire = createRequire(import.meta.url);

/** Runs the program of another package in this process, as if it had been started with these arguments. */
export async function delegateTo(packageName: string, argv: readonly string[]): Promise<undefined> {
  const program = programOf(packageName);
  process.argv.splice(1, process.argv.length - 1, program, ...argv);
  packageRequire(program);
}

/** The program of a package that is installed beside this one. */
export function programOf(packageName: string): string {
  const folder = folderOf(packageName);
  const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>;
  };
  const file = typeof bin === 'string' ? bin : Object.values(bin)[0];
  if (file === undefined) throw new CliError('BROKEN', `\`${packageName}\` has no program`);
  return join(folder, file);
}

/** The folder of a package, found from its entry point: not every manifest can be asked for by name. */
function folderOf(packageName: string): string {
  let folder: string;
  try {
    folder = dirname(packageRequire.resolve(packageName));
  } catch (cause) {
    const message = `\`${packageName}\` is not installed beside \`tincan\`; ${repairFor(packageName)}`;
    throw new CliError('BROKEN', message, { cause });
  }
  while (dirname(folder) !== folder && nameIn(folder) !== packageName) folder = dirname(folder);
  return folder;
}

/** What to run instead, or first: npm has the package only once this one is released. */
export function repairFor(packageName: string, own: OwnPackage = ownPackage()): string {
  const { isReleased, version, clone, folder } = own;
  if (isReleased) return `run \`npx -y ${packageName}@${version}\` instead`;
  if (clone !== undefined) return `run \`npm run build --prefix ${shellWord(clone)}\` first`;
  return `install its tarball where \`tincan-cli\` is installed: ${folder}`;
}

function nameIn(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
  } catch {
    // No manifest here: look further up.
    return undefined;
  }
}
