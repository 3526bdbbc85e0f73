import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { onnxError } from './onnx-error.ts';

const STICKY = 0o1000;
const WRITABLE_BY_OTHERS = 0o022;
const MAX_LINKS = 40;

/**
 * Refuses a package that somebody else could change. Its files, the packages it depends on and the folders
 * above them must belong to this user or root, and nobody else may write to them. Windows has no such bits.
 */
export function assertOwnCode(folder: string): void {
  if (process.getuid === undefined) return;
  new CodeCheck([process.getuid(), 0]).package(folder);
}

class CodeCheck {
  readonly #owners: readonly number[];
  readonly #seen = new Set<string>();

  constructor(owners: readonly number[]) {
    this.#owners = owners;
  }

  /** A package with everything in it and everything it loads. */
  package(folder: string): void {
    this.#path(folder);
    const real = realpathSync(folder);
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    this.#inside(real);
    for (const name of dependenciesOf(real)) {
      const found = nearest(name, real);
      if (found !== undefined) this.package(found);
    }
  }

  /** A path and the folders above it, each symbolic link along the way included. */
  #path(path: string, links = 0): void {
    const parent = dirname(path);
    if (parent !== path) this.#path(parent, links);
    const { isLink } = this.#entry(path, { mayBeSticky: true });
    if (!isLink) return;
    if (links >= MAX_LINKS) throw onnxError(`\`${path}\` has too many symbolic links`);
    this.#path(resolve(parent, readlinkSync(path)), links + 1);
  }

  #inside(folder: string): void {
    this.#entry(folder);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.#inside(path);
      else if (!entry.isSymbolicLink()) this.#entry(path);
      else if (existsSync(path)) this.#linked(path);
    }
  }

  #linked(path: string): void {
    this.#path(path);
    const target = realpathSync(path);
    if (this.#seen.has(target)) return;
    this.#seen.add(target);
    if (lstatSync(target).isDirectory()) this.#inside(target);
    else this.#entry(target);
  }

  /** In a folder with the sticky bit, as `/tmp` is, nobody can replace what belongs to another user. */
  #entry(path: string, { mayBeSticky = false } = {}): { readonly isLink: boolean } {
    const found = lstatSync(path);
    if (!this.#owners.includes(found.uid)) {
      throw onnxError(`\`${path}\` belongs to another user (${found.uid}), whose code is not run`, {
        repair: 'install the runtime as the user of this program, in a folder of its own',
      });
    }
    // The bits of a link say nothing; its folder decides who may replace it.
    if (found.isSymbolicLink()) return { isLink: true };
    const isSticky = mayBeSticky && found.isDirectory() && (found.mode & STICKY) !== 0;
    if ((found.mode & WRITABLE_BY_OTHERS) !== 0 && !isSticky) {
      throw onnxError(`other users can write to \`${path}\`, so its code is not run`, {
        repair: `run \`chmod -R go-w ${JSON.stringify(path)}\``,
      });
    }
    return { isLink: false };
  }
}

/** Names of the packages that a package may load. */
function dependenciesOf(folder: string): string[] {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return [];
  const { dependencies } = JSON.parse(readFileSync(path, 'utf8')) as { dependencies?: object };
  return Object.keys(dependencies ?? {});
}

/** Where Node finds a package from another: in the nearest `node_modules` that has it. */
function nearest(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}
