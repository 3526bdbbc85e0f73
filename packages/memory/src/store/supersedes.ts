import type { Note } from './note.ts';

/** Ids of the notes that a note supersedes by its metadata: hidden from search as long as it says so. */
export function supersededBy({ id, metadata }: Pick<Note, 'id' | 'metadata'>): string[] {
  const named = [metadata?.['supersedes']].flat();
  const ids = named.filter((each): each is string => typeof each === 'string' && each !== id);
  return [...new Set(ids)];
}
