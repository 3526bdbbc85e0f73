import type { Note } from '../store/note.ts';
import type { Candidate, Candidates, CosineRange } from '../store/store.ts';
import { createLexicalScorer } from './bm25.ts';
import { searchableNote } from './searchable.ts';

/** Share of the vector part; the words have the rest. */
const VECTOR_WEIGHT = 0.4;

/** A note with its place in the answer. */
export interface RankedNote {
  readonly note: Note;
  /** 0 to 1, 1 the closest. */
  readonly score: number;
}

interface Weighed extends RankedNote {
  /** Orders the notes of one answer; means nothing outside it. */
  readonly rank: number;
}

/**
 * Orders candidates by words and vectors together. The vector part enters stretched over the range the
 * question has in this project, which ranks best; the score that is told is the absolute closeness of
 * the first note, the others in proportion to it.
 */
export function rankCandidates(found: Candidates, terms: readonly string[]): RankedNote[] {
  const scorer = createLexicalScorer(terms, found.statistics);
  const weighed = found.candidates.map((candidate) =>
    weigh(candidate, scorer.score(searchableNote(candidate.note)), found.ranges),
  );
  weighed.sort((a, b) => b.rank - a.rank || b.note.createdAt - a.note.createdAt);
  const [first] = weighed;
  if (first === undefined) return [];
  return weighed.map(({ note, rank }) => ({
    note,
    score: first.rank === 0 ? first.score : Math.min(1, (first.score * rank) / first.rank),
  }));
}

function weigh(
  { note, cosines }: Candidate,
  lexical: number,
  ranges: readonly (CosineRange | undefined)[],
): Weighed {
  const space = cosines.findIndex((cosine) => cosine !== undefined);
  const cosine = cosines[space];
  const range = ranges[space];
  // A note that waits for its vector stands on its words alone.
  if (cosine === undefined || range === undefined) return { note, rank: lexical, score: lexical };
  return {
    note,
    rank: blend(stretch(cosine, range), lexical),
    score: blend(clamp((1 + cosine) / 2), lexical),
  };
}

function blend(vector: number, lexical: number): number {
  return VECTOR_WEIGHT * vector + (1 - VECTOR_WEIGHT) * lexical;
}

function stretch(cosine: number, { min, max }: CosineRange): number {
  return max > min ? clamp((cosine - min) / (max - min)) : 1;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
