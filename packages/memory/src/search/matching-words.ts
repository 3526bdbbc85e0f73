import { tokenize } from './tokenize.ts';

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const SPACED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_]+$/u;

/** The words of a question that stand behind some of its terms, as the question has them. */
export function matchingWords(query: string, terms: readonly string[]): string[] {
  const wanted = new Set(terms);
  const words = (query.normalize('NFKC').match(WORD) ?? []).flatMap((word) => {
    const shared = tokenize(word).filter((token) => wanted.has(token));
    // Where words are not set apart, the shared pairs say more than the whole run.
    return SPACED.test(word) && shared.length > 0 ? [word] : joined(word, shared);
  });
  return [...new Set(words)];
}

/** Overlapping pairs of a run put together again. */
function joined(run: string, tokens: readonly string[]): string[] {
  const isShared = new Array<boolean>(run.length).fill(false);
  for (const token of tokens) {
    for (let at = run.indexOf(token); at >= 0; at = run.indexOf(token, at + 1)) {
      isShared.fill(true, at, at + token.length);
    }
  }
  return (
    run.replace(/./gsu, (unit, at: number) => (isShared[at] ? unit : ' ')).match(/\S+/gu) ?? []
  );
}
