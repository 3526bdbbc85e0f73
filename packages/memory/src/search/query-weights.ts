import { inverseFrequency, type TermCounts } from './bm25.ts';
import { isStopWord } from './stop-words.ts';
import { tokenize, wordRuns } from './tokenize.ts';

/** What a mark without letters or digits counts for. */
const MARK = 0.1;

/** Words of a question without those that say nothing, and how rare each is in this store. */
export function weighedWords(
  query: string,
  terms: readonly string[],
  counts: TermCounts,
): { word: string; weight: number }[] {
  const rarity = new Map(terms.map((term, index) => [term, inverseFrequency(counts, index)]));
  return [...new Set(wordRuns(query))].flatMap((word) => {
    const tokens = tokenize(word);
    if (tokens.length === 0 || tokens.every(isStopWord)) return [];
    return [{ word, weight: Math.max(...tokens.map((token) => rarity.get(token) ?? 0)) }];
  });
}

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
