import { stem } from './stem.ts';

const MAX_TOKEN_CHARS = 64;

/** Scripts written without spaces between words, and Hangul, whose particles stick to them. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const RUN: RegExp = new RegExp(
  `(?<unspaced>(?:(?=[\\p{L}\\p{M}\\p{N}ー])[${UNSPACED}])+)|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+`,
  'gu',
);
const SPACED_RUN: RegExp = new RegExp(`(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+`, 'gu');
const UNSPACED_START: RegExp = new RegExp(`^[${UNSPACED}]`, 'u');
const ASCII_RUN = /[A-Za-z0-9_]+/g;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}|\p{N}+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
const ASCII_ONLY = /^[\x00-\x7f]*$/;
const PLAIN_WORD = /^(?:[a-z]+|[A-Z][a-z]*|[0-9]+)$/;
/** Words that are spelt in one script throughout: mostly names, which say more whole than in pairs. */
const NAME = /[\p{Script=Katakana}ー]{3,}|\p{Script=Han}{3,}/gu;
const HAN = /\p{Script=Han}/u;
const FOLDED_SCRIPT = /[\p{Script=Latin}\p{Script=Greek}]/u;

/**
 * The searchable tokens of a text, in order: words by their stem, identifiers whole and by their parts,
 * scripts without spaces by overlapping pairs plus each Han character, so that one character is found too,
 * and names in one script whole.
 * A token holds letters and digits alone: nothing in it can be query syntax.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  if (ASCII_ONLY.test(text)) {
    for (const run of text.match(ASCII_RUN) ?? []) pushWord(run, tokens);
    return tokens;
  }
  for (const match of text.normalize('NFKC').matchAll(RUN)) {
    if (match.groups?.['unspaced'] === undefined) pushWord(match[0], tokens);
    else pushPairs(match[0], tokens);
  }
  return tokens;
}

/** The runs of letters and digits that a text's tokens come from, each of which can be tokenised alone. */
export function wordRuns(text: string): readonly string[] {
  if (ASCII_ONLY.test(text)) return text.match(ASCII_RUN) ?? [];
  return text.normalize('NFKC').match(RUN) ?? [];
}

/** A text as its tokens are taken from it. */
export function normalizeText(text: string): string {
  return ASCII_ONLY.test(text) ? text : text.normalize('NFKC');
}

/** The runs of a normalised text whose script sets words apart. */
export function spacedRuns(text: string): readonly string[] {
  return text.match(ASCII_ONLY.test(text) ? ASCII_RUN : SPACED_RUN) ?? [];
}

/** Whether a token stands in a normalised text just as it is: one of a script without spaces. */
export function isUnspaced(token: string): boolean {
  return UNSPACED_START.test(token);
}

/** The runs of a normalised text that are spelt in one script without spaces, as names are. */
export function unspacedNames(text: string): readonly string[] {
  return text.match(NAME) ?? [];
}

/** Whether a text is plain enough to be looked at letter by letter. */
export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

function pushPairs(run: string, tokens: string[]): void {
  const characters = [...run];
  if (characters.length === 1) {
    tokens.push(run);
    return;
  }
  for (const name of run.match(NAME) ?? []) tokens.push(name.slice(0, MAX_TOKEN_CHARS));
  let previous = '';
  for (const character of characters) {
    if (previous !== '') tokens.push(previous + character);
    if (HAN.test(character)) tokens.push(character);
    previous = character;
  }
}

/** Words come again and again: what one becomes is kept until there are too many of them. */
const known: Map<string, readonly string[]> = new Map();
const MAX_KNOWN = 20_000;

function pushWord(run: string, tokens: string[]): void {
  let parts = known.get(run);
  if (parts === undefined) {
    parts = splitWord(run);
    if (known.size >= MAX_KNOWN) known.clear();
    // A slice of a long text would keep all of it in memory.
    if (run.length <= MAX_TOKEN_CHARS) known.set(Buffer.from(run).toString(), parts);
  }
  for (const part of parts) tokens.push(part);
}

function splitWord(run: string): readonly string[] {
  if (PLAIN_WORD.test(run)) return [fold(run)];
  const parts = run.match(PART) ?? [];
  const tokens = parts.map(fold);
  if (parts.length > 1) tokens.push(parts.join('').toLowerCase().slice(0, MAX_TOKEN_CHARS));
  return tokens;
}

function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII_ONLY.test(lower)) return stem(lower).slice(0, MAX_TOKEN_CHARS);
  if (!FOLDED_SCRIPT.test(lower)) return lower.slice(0, MAX_TOKEN_CHARS);
  return stem(lower.normalize('NFD').replace(/\p{Mn}/gu, '')).slice(0, MAX_TOKEN_CHARS);
}
