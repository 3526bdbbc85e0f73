import type { Note } from '../store/note.ts';
import { comparedWords } from './overlap.ts';
import { tokenize } from './tokenize.ts';

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
 * rank and gives them so. `most` is what a note loses whose every word stands in one above it.
 */
export function demoteRepeats<T extends RankedInTalk>(ranked: readonly T[], most: number): T[] {
  if (ranked.every(({ talk }) => talk === 0)) return [...ranked];
  const numbers = new Map<string, number>();
  const open = ranked
    .slice(0, LOOKED_AT)
    // Notes outside of a talk neither repeat it nor are repeated.
    .map((each) => ({
      each,
      rank: each.rank,
      words: each.talk === 0 ? [] : numbered(each.note, numbers),
    }));
  const isSaid = new Uint8Array(numbers.size);
  const placed: T[] = [];
  while (open.length > 0) {
    const [next] = open.splice(indexOfBest(open), 1);
    if (next === undefined) break;
    placed.push({ ...next.each, rank: next.rank });
    isSaid.fill(0);
    for (const word of next.words) isSaid[word] = 1;
    for (const other of open) {
      const { each, words } = other;
      const repeated = most * each.talk * shareSaid(words, isSaid);
      other.rank = Math.min(other.rank, each.rank - repeated);
    }
  }
  return [...placed, ...ranked.slice(LOOKED_AT)].sort((a, b) => b.rank - a.rank);
}

/** The words of a note by number, so that comparing them is counting. */
function numbered({ title, text }: Note, numbers: Map<string, number>): readonly number[] {
  const words = comparedWords({
    title: title === null ? [] : tokenize(title),
    text: tokenize(text),
  });
  return Array.from(words, (word) => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, numbers.size);
    return numbers.size - 1;
  });
}

/** The first of the best. */
function indexOfBest(list: readonly { readonly rank: number }[]): number {
  let best = 0;
  for (const [i, { rank }] of list.entries()) if (rank > (list[best]?.rank ?? rank)) best = i;
  return best;
}

/** Share of some words that are said already. */
function shareSaid(words: readonly number[], isSaid: Uint8Array): number {
  let said = 0;
  for (const word of words) said += isSaid[word] ?? 0;
  return said / Math.max(1, words.length);
}
