import { inverseFrequency, type TermCounts } from './bm25.ts';
import { isStopWord } from './stop-words.ts';
import { tokenize, wordRuns } from './tokenize.ts';

/** What a mark without letters or digits counts for. */
const MARK = 0.1;

/** How rare the rarest token of a word is in a project; `undefined` for a mark, which has none. */
export type WordRarity = (word: string) => number | undefined;

/** Knows the rarity of a question's words from the counts of its tokens. */
export function wordRarity(tokens: readonly string[], counts: TermCounts): WordRarity {
  const known = new Map(tokens.map((token, index) => [token, inverseFrequency(counts, index)]));
  return (word) => {
    const found = tokenize(word).map((token) => known.get(token) ?? 0);
    return found.length === 0 ? undefined : Math.max(...found);
  };
}

/** How much each word of a question says in this project: the root of how rare it is. */
export function wordWeigher(rarity: WordRarity): (word: string) => number {
  return (word) => {
    const found = rarity(word);
    return found === undefined ? MARK : Math.sqrt(found);
  };
}

/** Words of a question without those that say nothing, and how rare each is in this project. */
export function weighedWords(
  query: string,
  rarity: WordRarity,
): { word: string; weight: number }[] {
  return [...new Set(wordRuns(query))].flatMap((word) => {
    const weight = rarity(word);
    return weight === undefined || tokenize(word).every(isStopWord) ? [] : [{ word, weight }];
  });
}
