import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The checkout. */
export const ROOT: string = resolve(import.meta.dirname, '../../..');
/** Folders of the packages that are published. */
export const PACKAGES = ['wire', 'mcp', 'memory', 'answer', 'cli'] as const;

/** What npm would publish of a package. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** What a test looks at of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly mcpName?: string;
  readonly description?: string;
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What nothing runs from; copying it takes longer than all the rest. */
const SOURCES = /[\\/](?:src|deps|obj(?:\.target)?)$|\.(?:map|mts)$/;
const exec = promisify(execFile);
const shell = process.platform === 'win32';

/** Reads a JSON file of the checkout. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;
}

/** Packs every package, and installs the tarballs, and nothing of the checkout, into an empty folder. */
export async function installPacked(): Promise<{ folder: string; packed: readonly Packed[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-packed-'));
  const workspaces = PACKAGES.flatMap((name) => ['-w', `packages/${name}`]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...workspaces];
  const { stdout } = await exec('npm', args, { cwd: ROOT, shell, maxBuffer: 64 * 1024 * 1024 });
  const packed = JSON.parse(stdout) as readonly Packed[];
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  // What others made is in the checkout, compiled: npm finds it in place and fetches nothing.
  for (const name of foreignOf(PACKAGES.map((each) => join(ROOT, 'packages', each)))) {
    const from = join(ROOT, 'node_modules', name);
    cpSync(from, join(folder, 'node_modules', name), {
      recursive: true,
      filter: (path) => !SOURCES.test(path.slice(from.length)),
    });
  }
  const tarballs = packed.map(({ filename }) => `./${filename}`);
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await exec('npm', ['install', '--offline', '--ignore-scripts', ...quiet, ...tarballs], {
    cwd: folder,
    shell,
  });
  return { folder, packed };
}

/** Gives an installed folder a development dependency of the checkout. */
export function linkFromCheckout(folder: string, name: string): void {
  const target = join(folder, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) symlinkSync(join(ROOT, 'node_modules', name), target, 'junction');
}

/** Packages of others that these folders need to run, and those that they need. */
function foreignOf(folders: readonly string[], found: Set<string> = new Set()): Set<string> {
  for (const folder of folders) {
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Manifest;
    const names = Object.keys(dependencies).filter((name) => !name.startsWith('tincan-'));
    const news = names.filter((name) => !found.has(name));
    for (const name of news) found.add(name);
    foreignOf(
      news.map((name) => join(ROOT, 'node_modules', name)),
      found,
    );
  }
  return found;
}
