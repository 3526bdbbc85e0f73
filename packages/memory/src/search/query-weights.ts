import { inverseFrequency, type TermCounts } from './bm25.ts';
import { tokenize } from './tokenize.ts';

/** What a mark without letters or digits counts for. */
const MARK = 0.1;

/** How much each word of a question says in this store: the root of how rare it is. */
export function wordWeigher(
  terms: readonly string[],
  counts: TermCounts,
): (word: string) => number {
  const rarity = new Map(terms.map((term, index) => [term, inverseFrequency(counts, index)]));
  return (word) => {
    const found = tokenize(word).map((token) => rarity.get(token) ?? 0);
    return found.length === 0 ? MARK : Math.sqrt(Math.max(...found));
  };
}
