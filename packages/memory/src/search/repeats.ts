import type { Note } from '../store/note.ts';
import { comparedWords } from './overlap.ts';
import { searchableNote } from './searchable.ts';

/** What a note loses whose every word stands in one above it. */
const REPEATED = 0.25;

/** Notes at the top that are looked at: nobody reads far enough to mind the others. */
const LOOKED_AT = 20;

/** A note with its rank, and how far it is one of a talk, 0 to 1: only talk says a thing several times. */
export interface RankedInTalk {
  readonly note: Note;
  readonly rank: number;
  readonly talk: number;
}

/**
 * Lets notes come later that repeat one above them, so that the first few say more. Takes notes by falling
 * rank and gives them so.
 */
export function demoteRepeats<T extends RankedInTalk>(ranked: readonly T[]): T[] {
  if (ranked.every(({ talk }) => talk === 0)) return [...ranked];
  let open = ranked.slice(0, LOOKED_AT).map((each) => ({
    each,
    words: comparedWords(searchableNote(each.note)),
    rank: each.rank,
  }));
  const placed: T[] = [];
  while (open.length > 0) {
    const next = open.reduce((best, other) => (other.rank > best.rank ? other : best));
    placed.push({ ...next.each, rank: next.rank });
    open = open
      .filter((other) => other !== next)
      .map((other) => {
        const { each, words } = other;
        const repeated = REPEATED * each.talk * shareIn(next.words, words);
        return { ...other, rank: Math.min(other.rank, each.rank - repeated) };
      });
  }
  return [...placed, ...ranked.slice(LOOKED_AT)].sort((a, b) => b.rank - a.rank);
}

/** Share of some words that others have too. */
function shareIn(others: ReadonlySet<string>, words: ReadonlySet<string>): number {
  let both = 0;
  for (const word of words) if (others.has(word)) both += 1;
  return both / Math.max(1, words.size);
}
