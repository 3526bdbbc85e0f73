import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryError } from '../../../errors.ts';
import { suitableMajor } from './better-sqlite.ts';
import { SAFE_VERSION } from './safe-version.ts';

/** Releases of Node from which each line has a SQLite that is safe. */
const NODE_NEEDED = '22.23, 24.20 or newer';

/** What was found instead of a driver. */
export interface DriverSearch {
  /** Version of Node's own SQLite, if it has one. */
  readonly own: string | undefined;
  /** SQLite version of `better-sqlite3`, if it loads. */
  readonly installed?: string;
  /** Why `better-sqlite3` does not load. */
  readonly cause?: unknown;
}

/** Names the Node found, the Node needed and the command that installs the other driver here. */
export function driverMissing({ own, installed, cause }: DriverSearch): MemoryError {
  const repair = repairCommand(fileURLToPath(import.meta.url));
  const ofNode = own === undefined ? 'has no SQLite' : `has SQLite ${own}`;
  const ofPackage = installed === undefined ? whyNotLoaded(cause) : `has SQLite ${installed}`;
  return new MemoryError(
    'DRIVER_MISSING',
    `the memory needs SQLite ${SAFE_VERSION} or newer: Node.js ${process.version} ${ofNode}, \`better-sqlite3\` ${ofPackage}. Use Node.js ${NODE_NEEDED}, or run \`${repair}\``,
    { cause, data: { node: process.version, nodeNeeded: NODE_NEEDED, repair } },
  );
}

/** The command that makes `better-sqlite3` available to the program in this file. */
export function repairCommand(
  file: string,
  nodeApi: string = process.versions['napi'] ?? '0',
): string {
  const name = `better-sqlite3@${suitableMajor(nodeApi)}`;
  const [folder = ''] = file.split(`${sep}node_modules${sep}`);
  const quoted = JSON.stringify(folder);
  if (folder === file) return repairOutsideNodeModules(file, name);
  if (existsSync(join(folder, 'node_modules', '.pnpm'))) {
    return `pnpm add --dir ${quoted} --allow-build=better-sqlite3 ${name}`;
  }
  // Only a global folder has no manifest beside its packages.
  const isGlobal = !existsSync(join(folder, 'package.json'));
  return isGlobal ? `npm install --global ${name}` : `npm install --prefix ${quoted} ${name}`;
}

/** In a clone the set-up builds the driver; a bundle is a folder with a manifest of its own. */
function repairOutsideNodeModules(file: string, name: string): string {
  let manifestFolder: string | undefined;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'tools', 'setup.mjs'))) {
      return `npm run build --prefix ${JSON.stringify(folder)}`;
    }
    if (existsSync(join(folder, 'package.json'))) manifestFolder ??= folder;
  }
  return `npm install --prefix ${JSON.stringify(manifestFolder ?? dirname(file))} ${name}`;
}

function whyNotLoaded(cause: unknown): string {
  if (!(cause instanceof Error)) return 'does not load';
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'MODULE_NOT_FOUND' && cause.message.includes("'better-sqlite3/package.json'")) {
    return 'is not installed';
  }
  const isUnbuilt =
    code === 'ERR_DLOPEN_FAILED' || cause.message.startsWith('Could not locate the bindings file');
  return isUnbuilt ? 'is not built for it' : `does not load (${cause.message})`;
}
