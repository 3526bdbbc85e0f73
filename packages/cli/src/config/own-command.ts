import { programOf } from '../command/delegate.ts';
import { ownPackage } from '../command/own-package.ts';

const MEMORY_PACKAGE = 'tincan-memory';

/** The command that starts the memory server: `node` and a path, or `npx` once it is published. */
export function memoryCommand(): readonly string[] {
  const { isReleased, version } = ownPackage();
  if (!isReleased) return ['node', programOf(MEMORY_PACKAGE)];
  return ['npx', '-y', `${MEMORY_PACKAGE}@${version}`];
}

/** The command that starts this program. */
export function tincanCommand(): readonly string[] {
  const { isReleased, name, version, program } = ownPackage();
  return isReleased ? ['npx', '-y', `${name}@${version}`] : ['node', program];
}
