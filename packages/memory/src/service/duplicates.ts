import { isDeepStrictEqual } from 'node:util';
import type { Note } from '../store/note.ts';
import { foldText } from '../store/same-text.ts';
import type { Lookalike } from '../store/store.ts';

/** Share of words in common from which two notes are said to be similar. */
const SIMILAR_WORDS = 0.6;

/** Cosine from which two notes are said to be similar. */
const SIMILAR_VECTORS = 0.95;

/** Similar notes that an answer names at most. */
const MAX_SIMILAR = 3;

/** A note that says nearly the same. */
export interface SimilarNote {
  readonly id: string;
  /** 0 to 1, 1 the same words or the same vector. */
  readonly score: number;
}

/** What was said of a new note besides its text; what was not said cannot differ. */
export interface Stated {
  readonly title: string | null;
  readonly metadata: Note['metadata'];
  readonly createdAt: number | undefined;
}

/**
 * Whether a note of the same text says all that a new one was to say: another title, other metadata or
 * another moment make it a note of its own, tags and source do not.
 */
export function isSaidBy(held: Note, { title, metadata, createdAt }: Stated): boolean {
  if (title !== null && foldText(title) !== foldText(held.title ?? '')) return false;
  if (metadata !== null && !isDeepStrictEqual(metadata, held.metadata)) return false;
  return createdAt === undefined || createdAt === held.createdAt;
}

/** Those of the lookalikes that say nearly the same, the most similar first. */
export function similarNotes(lookalikes: readonly Lookalike[]): SimilarNote[] {
  return lookalikes
    .filter(({ overlap, cosine = 0 }) => overlap >= SIMILAR_WORDS || cosine >= SIMILAR_VECTORS)
    .map(({ id, overlap, cosine = 0 }) => ({ id, score: Math.min(1, Math.max(overlap, cosine)) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SIMILAR);
}
