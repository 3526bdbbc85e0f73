import { isStopWord } from './stop-words.ts';
import { normalizeText, tokenize, unspacedNames } from './tokenize.ts';

/** The words of a question: names by their look, and the others. */
export interface NamedWords {
  readonly names: readonly string[];
  readonly others: readonly string[];
}

const word = /[\p{Script=Latin}\p{M}\p{N}_]+/gu;
const capital = /^\p{Lu}/u;
const latin = /\p{Script=Latin}/u;

/** Sets the names of a question apart: capitals within a sentence, and words in one script of Japanese. */
export function splitNames(question: string): NamedWords {
  const text = normalizeText(question);
  const words = text.match(word) ?? [];
  // The first word begins with a capital anyway, and where most others do it says nothing.
  const isCapital = words.map((each, i) => i > 0 && capital.test(each));
  const hasCase = isCapital.filter(Boolean).length * 2 < words.length;
  const meaningful = words
    .map((each, i) => ({ each, isName: hasCase && isCapital[i] === true }))
    .filter(({ each }) => tokenize(each).some((token) => !isStopWord(token)));
  return {
    names: [
      ...meaningful.filter(({ isName }) => isName).map(({ each }) => each),
      ...unspacedNames(text),
    ],
    others: meaningful.filter(({ isName }) => !isName).map(({ each }) => each),
  };
}

/** Whether one of the names stands in one of the texts, or none of them is in a script that could hold it. */
export function isAnyNamed(names: readonly string[], texts: readonly string[]): boolean {
  const tokens = new Set(texts.flatMap((text) => tokenize(text)));
  const isIn = (name: string): boolean =>
    latin.test(name)
      ? tokenize(name).some((token) => tokens.has(token)) || !texts.some((text) => latin.test(text))
      : texts.some((text) => normalizeText(text).includes(name)) ||
        !texts.some((text) => unspacedNames(normalizeText(text)).length > 0);
  return names.some(isIn);
}
