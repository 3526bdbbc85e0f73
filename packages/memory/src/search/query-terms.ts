import { isStopWord } from './stop-words.ts';
import { tokenize } from './tokenize.ts';

const MAX_TERMS = 64;

/** What a query asks for: its distinct tokens, stop words only when there is nothing else. */
export function queryTerms(query: string): string[] {
  const distinct = [...new Set(tokenize(query))];
  const meaningful = distinct.filter((token) => !isStopWord(token));
  return (meaningful.length > 0 ? meaningful : distinct).slice(0, MAX_TERMS);
}
