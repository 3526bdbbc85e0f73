import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CliError } from './cli-error.ts';

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
    const message = `\`${packageName}\` is not installed; \`npm install -g ${packageName}\` does that`;
    throw new CliError('BROKEN', message, { cause });
  }
  while (dirname(folder) !== folder && nameIn(folder) !== packageName) folder = dirname(folder);
  return folder;
}

function nameIn(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
  } catch {
    // No manifest here: look further up.
    return undefined;
  }
}
