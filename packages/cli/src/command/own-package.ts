import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from './cli-error.ts';

/** The package of this program. */
export interface OwnPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** Path of the program `tincan`. */
  readonly program: string;
  /** Whether a release made it, so that npm has this version. */
  readonly isReleased: boolean;
  /** The clone that it is part of, if it is. */
  readonly clone: string | undefined;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  /** Written by a release, so that it is absent in a clone and in anything that was never published. */
  readonly repository?: unknown;
}

/** Finds the package of this program, from source or from a build of it. */
export function ownPackage(): OwnPackage {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (; dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = readManifest(folder);
    const program = manifest?.bin?.['tincan'];
    if (manifest === undefined || program === undefined) continue;
    const above = dirname(dirname(folder));
    return {
      folder,
      name: manifest.name,
      version: manifest.version,
      program: join(folder, program),
      isReleased: manifest.repository !== undefined,
      clone: existsSync(join(above, 'tools', 'setup.mjs')) ? above : undefined,
    };
  }
  throw new CliError(
    'BROKEN',
    'expected the package.json of this program above its code, found none',
  );
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    // Not in this folder: the next one up may have it.
    return undefined;
  }
}
