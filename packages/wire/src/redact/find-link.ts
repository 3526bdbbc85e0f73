import { codeAt, isLetter, isQuote, isSpace, skipSpaces } from './characters.ts';
import type { Scan } from './scan.ts';

/** What links a name to its value. */
export interface Link {
  /** Where the value begins. */
  readonly end: number;
  /** White space alone, as in prose. */
  readonly isBare: boolean;
  /** `:` or `=`. */
  readonly isAssigned: boolean;
  /** Nothing but `=`. */
  readonly isEquals: boolean;
}

const WORDS =
  /["']?\s+value\s?=\s?|(?:\s(?:for|of|on|in|from)(?:\s[\w.@-]{1,30}){1,4}?)?\s(?:is now|is|was|ist|lautet|es|est|é|:|=|(?:is |was |has been |been )?(?:set|changed|reset|rotated) to|to be|to)\s+|\sprovided:\s/iy;
/** Words that a link may begin with, and whether it may end with them too. */
const FIRST_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...spelt('value for of on in from set changed reset rotated has been provided', false),
  ...spelt('is was ist lautet es est é to', true),
]);
/** By length and first letter, whether one of them can stand there. */
const FIRST_LETTERS: Uint8Array = new Uint8Array(512);
for (const word of FIRST_WORDS.keys()) {
  FIRST_LETTERS[(word.length << 5) | (word.charCodeAt(0) & 31)] = 1;
}
/** Without one of these there is no link of words. */
const LAST_WORD = /\s(?:(?:is|was|ist|lautet|es|est|é|:|=|to|be|now)\s|value\s?=|provided:)/gi;

function spelt(words: string, isLast: boolean): [string, boolean][] {
  return words
    .split(' ')
    .flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)])
    .map((word) => [word, isLast]);
}

/** The link that begins at the end of a name, `undefined` where no value follows. */
export function findLink(scan: Scan, at: number): Link | undefined {
  const { text } = scan;
  const closed = skipClosers(text, at);
  const spaced = skipSpaces(text, closed, 8);
  const sign = signEnd(text, spaced);
  if (sign > spaced) {
    const code = codeAt(text, spaced);
    const isAssigned = code === 58 || code === 61;
    const end = skipSpaces(text, sign, 8);
    return { end, isBare: false, isAssigned, isEquals: code === 61 && end - at === 1 };
  }
  if (spaced === closed) return gluedLink(text, closed);
  const words = wordsEnd(scan, closed, spaced);
  if (words > 0) {
    const code = codeAt(text, skipBack(text, words) - 1);
    const isAssigned = code === 58 || code === 61;
    return { end: words, isBare: false, isAssigned, isEquals: false };
  }
  if (spaced - closed > 4) return undefined;
  return { end: spaced, isBare: closed === at, isAssigned: false, isEquals: false };
}

/** `(` before a quote, and は and が, which no space follows. */
function gluedLink(text: string, at: number): Link | undefined {
  const code = codeAt(text, at);
  const isParticle = code === 0x306f || code === 0x304c;
  if (code !== 40 && !isParticle) return undefined;
  const end = isParticle ? at + 1 : skipSpaces(text, at + 1, 1);
  if (!isParticle && !isQuote(codeAt(text, end))) return undefined;
  return { end, isBare: false, isAssigned: false, isEquals: false };
}

function skipBack(text: string, at: number): number {
  let end = at;
  while (isSpace(codeAt(text, end - 1))) end -= 1;
  return end;
}

/** Quotes, stars and brackets that close a name; a quote after a bracket closes something larger. */
function skipClosers(text: string, at: number): number {
  let end = at;
  let hasBracket = false;
  for (let i = 0; i < 4; i++) {
    const code = codeAt(text, end);
    if (code === 93 || code === 41) {
      end += 1;
      hasBracket = true;
    } else if (code === 42 || (isQuote(code) && !hasBracket)) end += 1;
    else if (code === 92 && !hasBracket && isQuote(codeAt(text, end + 1))) end += 2;
    else break;
  }
  return end;
}

/** The end of `:`, `=`, `:=`, `=>`, `==`, `->`, `→`, `|`, `>`, or of a comma before a quote. */
function signEnd(text: string, at: number): number {
  const code = codeAt(text, at);
  const next = codeAt(text, at + 1);
  if (code === 58) return next === 61 ? at + 2 : at + 1;
  if (code === 61) return next === 61 || next === 62 ? at + 2 : at + 1;
  if (code === 45) return next === 62 ? at + 2 : at;
  if (code === 124 || code === 62 || code === 0x2192 || code === 0xff1a) return at + 1;
  if (code !== 44) return at;
  const quote = skipSpaces(text, at + 1, 4);
  const isQuoted =
    isQuote(codeAt(text, quote)) ||
    (codeAt(text, quote) === 92 && isQuote(codeAt(text, quote + 1)));
  return isQuoted ? at + 1 : at;
}

/** The end of words such as `for staging is`, or 0. */
function wordsEnd(scan: Scan, at: number, word: number): number {
  const { text } = scan;
  let end = word;
  while (end - word < 9 && isLetter(codeAt(text, end))) end += 1;
  if (end === word && codeAt(text, word) === 0xe9) end += 1;
  const after = codeAt(text, end);
  if (end === word || !(isSpace(after) || after === 58 || after === 61)) return 0;
  if (FIRST_LETTERS[((end - word) << 5) | (codeAt(text, word) & 31)] !== 1) return 0;
  const isLast = FIRST_WORDS.get(text.slice(word, end));
  if (isLast === undefined) return 0;
  if (isLast && isSpace(after)) {
    const value = skipSpaces(text, end, 8);
    if (!isContinued(codeAt(text, value) | 32)) return value;
  }
  if (scan.next(LAST_WORD, at) - at > 130) return 0;
  WORDS.lastIndex = at;
  return WORDS.test(text) ? WORDS.lastIndex : 0;
}

/** Whether another word of a link may begin so: now, set, changed, reset, be. */
function isContinued(letter: number): boolean {
  return letter === 110 || letter === 115 || letter === 99 || letter === 114 || letter === 98;
}
