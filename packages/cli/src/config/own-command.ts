import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '../command/cli-error.ts';
import { programOf } from '../command/delegate.ts';

const MEMORY_PACKAGE = 'tincan-memory';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  /** Written by a release, so that it is absent in a clone and in anything that was never published. */
  readonly repository?: unknown;
}

/** The command that starts the memory server: `node` and a path, or `npx` once it is published. */
export function memoryCommand(): readonly string[] {
  const { manifest } = ownManifest();
  if (manifest.repository === undefined) return ['node', programOf(MEMORY_PACKAGE)];
  return ['npx', '-y', `${MEMORY_PACKAGE}@${manifest.version}`];
}

/** The command that starts this program. */
export function tincanCommand(): readonly string[] {
  const { manifest, folder } = ownManifest();
  if (manifest.repository !== undefined) {
    return ['npx', '-y', `${manifest.name}@${manifest.version}`];
  }
  return ['node', join(folder, manifest.bin?.['tincan'] ?? '')];
}

/** The manifest of this package, from source or from a build of it. */
function ownManifest(): { readonly manifest: Manifest; readonly folder: string } {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (; dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = readManifest(folder);
    if (manifest?.bin?.['tincan'] !== undefined) return { manifest, folder };
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
