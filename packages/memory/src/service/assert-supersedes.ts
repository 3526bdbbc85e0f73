import { invalidParams } from '../errors.ts';
import type { Metadata } from '../store/note.ts';

/** The most notes that one note may supersede. */
const MAX_SUPERSEDED = 100;

/** Refuses a `supersedes` that could hide nothing: the writer would believe that it does. */
export function assertSupersedes(metadata: Metadata | null | undefined, path: string): void {
  const named = metadata?.['supersedes'];
  if (named === undefined || named === null) return;
  const ids = [named].flat();
  if (ids.length <= MAX_SUPERSEDED && ids.every((id) => typeof id === 'string' && id !== ''))
    return;
  throw invalidParams(
    `expected ${path}.supersedes to be the id of a note or a list of at most ${MAX_SUPERSEDED} ids`,
    `${path}.supersedes`,
  );
}
