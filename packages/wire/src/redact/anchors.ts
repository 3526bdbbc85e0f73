import { codeAt } from './characters.ts';

/**
 * Words that names of secrets are made of, each by a pair of letters that is seldom elsewhere: the pair is
 * looked up for every character, the word only where the pair stands.
 */
const ANCHORS: readonly { readonly word: string; readonly pair: number }[] = [
  { word: 'pass', pair: 2 },
  { word: 'pwd', pair: 0 },
  { word: 'pw', pair: 0 },
  { word: 'secret', pair: 2 },
  { word: 'token', pair: 1 },
  { word: 'cookie', pair: 2 },
  { word: 'key', pair: 1 },
  { word: 'cred', pair: 0 },
  { word: 'auth', pair: 0 },
  { word: 'jwt', pair: 0 },
  { word: 'kennwort', pair: 3 },
  { word: 'contrase', pair: 4 },
  { word: 'senha', pair: 2 },
];

/** By a pair of letters, case folded: the number of the pair, 0 for none. */
export const PAIRS: Uint8Array = new Uint8Array(1024);
const WORDS: { readonly word: string; readonly offset: number }[][] = [[]];
for (const { word, pair } of ANCHORS) {
  const place = ((word.charCodeAt(pair) & 31) << 5) | (word.charCodeAt(pair + 1) & 31);
  if (PAIRS[place] === 0) PAIRS[place] = WORDS.push([]) - 1;
  // How far the word's start lies before the second letter of the pair.
  WORDS[PAIRS[place] ?? 0]?.push({ word, offset: pair + 1 });
}

/** Whether a word of the pair stands with the pair's second letter at this place. */
export function isAnchor(text: string, at: number, pair: number): boolean {
  for (const { word, offset } of WORDS[pair] ?? []) {
    if (isWordAt(text, at - offset, word)) return true;
  }
  return false;
}

function isWordAt(text: string, start: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    if ((codeAt(text, start + i) | 32) !== word.charCodeAt(i)) return false;
  }
  return true;
}
