/**
 * What stands for a secret without being one: variables, templates, samples, masks, words that say what
 * belongs there. Tried on the first characters only, so that a long value costs no more than a short one.
 */
const REFERENCE =
  /^(?:\$|%[\w-]+%|%[sdq]$|\{\{|<|\[redacted|\[[a-z _-]+\]$|:[a-z_]+$|\?$|@\w+@$|#\{|\(|arn:aws|projects\/|(?:process|import\.meta|os|env|ENV|config|settings|secrets|vars|self|this|req|request|ctx|context|options|opts|args|params|props|data|user|input|body)\b[.[]|env\(|getenv|op:\/\/|vault:|ref\+|file:|https?:\/\/|(?:~|\.{1,2})?\/[\w.~-]*(?:\/|$)|[A-Za-z]:\\)/;
/** Words that stand for a value. */
const SAMPLES: ReadonlySet<string> = new Set(
  `1234 12345 123456 1234567 12345678 123456789 1234567890 abc123 secret password passwd pass test testing foo
  foobar bar dummy fake sample placeholder redacted masked hidden changeme change-me change_me change-it
  change_it change-this change_this changeit changethis replaceme replace-me replace_me todo tbd none null nil
  undefined true false yes no n/a required optional string number boolean text str bytes unknown void any never
  empty missing invalid expired wrong default value token key username user email`.split(/\s+/),
);
const LONGEST_SAMPLE = 12;
const SAMPLE_PART =
  /\bexample\b|EXAMPLE|(?:^|[-_ ])(?:your|my|some|insert|enter|replace|put|add|the)[-_ ](?:\w{1,20}[-_ ]){0,4}(?:key|token|secret|password|pass|value|here|id)|YOUR|placeholder|change-?me|(?:^|[-_])here$|goes-here|redacted/;

/** Whether a value stands for a secret, and is none itself. */
export function isPlaceholder(value: string): boolean {
  const looks = looksOf(value);
  if ((looks & FILLED) !== 0) return true;
  const head = value.length > 200 ? value.slice(0, 200) : value;
  if ((looks & SIGNS) !== 0 && REFERENCE.test(head)) return true;
  const mayHoldWords = (looks & WORDS) !== 0 || looks === (SIGNS | SYLLABLES);
  if (mayHoldWords && SAMPLE_PART.test(head)) return true;
  return value.length <= LONGEST_SAMPLE && SAMPLES.has(value.toLowerCase());
}

/** Something besides letters and digits. */
const SIGNS = 1;
/** Letters in a row: enough for `my`, enough for `here`. */
const SYLLABLES = 8;
const WORDS = 2;
/** One character or a sequence where a value should be: `xxxxxx`, `...`, `0123456789`. */
const FILLED = 4;

/** What a value is made of, from its first 200 characters. */
function looksOf(value: string): number {
  const length = Math.min(value.length, 200);
  let looks = 0;
  let letters = 0;
  let same = 1;
  let ascending = 1;
  let before = -1;
  let isUniform = true;
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i);
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    letters = isLetter ? letters + 1 : 0;
    if (letters === 2) looks |= SYLLABLES;
    if (letters === 4) looks |= WORDS;
    if (!isLetter && (code < 48 || code > 57)) looks |= SIGNS;
    if (i > 0) {
      same = code === before ? same + 1 : 1;
      ascending = code === before + 1 || (code === 48 && before === 57) ? ascending + 1 : 1;
      if (same === 1) isUniform = false;
    }
    if (isFilling(code, same, ascending)) return looks | FILLED;
    before = code;
  }
  return isUniform && isFiller(before, value.length) ? looks | FILLED : looks;
}

/** Six of `x` or `*`, three dots, ten of anything, ten in order. */
function isFilling(code: number, same: number, ascending: number): boolean {
  if (same >= 10 || ascending >= 10 || code === 0x2026) return true;
  if (same >= 6) return code === 42 || (code | 32) === 120;
  return same >= 3 && code === 46;
}

/** A value of one character alone. */
function isFiller(code: number, length: number): boolean {
  if (code === 42 || code === 45 || code === 95 || code === 35 || code === 48) return true;
  return (length >= 2 && code === 46) || (length >= 3 && (code | 32) === 120);
}

/** Whether a part between separators has both letters and digits, and so is not a word or a number. */
export function hasMixedPart(value: string, least: number): boolean {
  return value
    .slice(0, 400)
    .split(/[-_.*]/)
    .some((part) => part.length >= least && /\d/.test(part) && /[A-Za-z]/.test(part));
}

const WORDS_AND_NUMBERS = /^(?:[A-Za-z]+|\d+)(?:[-_./: ](?:[A-Za-z]+|\d+))*$/;
const VERSION = /^v?\d+(?:\.\d+)+[-+.\w]{0,20}$/;
const DATE = /^\d{4}-\d\d-\d\d/;
const IDENTIFIER_PATH = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+$/;
const DURATION = /^\d+(?:ms|s|m|h|d|w|y|kb|mb|gb|px|%)$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a value looks made by a machine: what stands for keys and tokens. */
export function isRandom(value: string, least = 12): boolean {
  if (value.length < least || isPlaceholder(value)) return false;
  const head = value.length > 160 ? value.slice(0, 160) : value;
  const classes = classesOf(head);
  if (classes === DIGITS) return head.length >= 16;
  if (classes === LETTERS) return false;
  if (classes !== (LETTERS | DIGITS)) {
    if (!/\d/.test(head) || !/[A-Za-z]/.test(head)) return false;
    if (VERSION.test(head) || DATE.test(head) || /\s/.test(head)) return false;
    if (WORDS_AND_NUMBERS.test(head)) return false;
    if (IDENTIFIER_PATH.test(head) && !hasMixedPart(head, 16)) return false;
    if (UUID.test(head)) return true;
  }
  return transitions(head) >= (head.length < 20 ? 3 : 4);
}

/** Whether a value looks like a password that a person chose: letters with a digit or a sign among them. */
export function isPasswordLike(value: string): boolean {
  return value.length >= 6 && value.length <= 200 && !isPlaceholder(value) && hasMix(value);
}

/** The same of a value that is known to be no placeholder. */
export function hasMix(value: string): boolean {
  if (value.length < 6 || value.length > 200) return false;
  const classes = classesOf(value);
  // Most values are letters and digits alone, which only a duration is too.
  if (classes === (LETTERS | DIGITS)) return !DURATION.test(value);
  if (classes === LETTERS || classes === DIGITS) return false;
  return hasMixWithSigns(value);
}

function hasMixWithSigns(value: string): boolean {
  if (/[\s(){}[\]]/.test(value) || VERSION.test(value) || DATE.test(value)) return false;
  if (DURATION.test(value)) return false;
  if (/^[\w-]+\.[A-Za-z]\w*$/.test(value) && !/\d/.test(value)) return false;
  if (IDENTIFIER_PATH.test(value) && !hasMixedPart(value, 8)) return false;
  const letters = /[A-Za-z\u00c0-\u024f]/.test(value);
  const digits = /\d/.test(value);
  if (letters && digits) return true;
  return (letters || digits) && /[!#$^&*+?~@]/.test(value.slice(0, -1));
}

const LETTERS = 1;
const DIGITS = 2;
const OTHERS = 4;

/** Which classes of ASCII characters a value has. */
function classesOf(value: string): number {
  let classes = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code >= 48 && code <= 57) classes |= DIGITS;
    else if ((code | 32) >= 97 && (code | 32) <= 122) classes |= LETTERS;
    else return classes | OTHERS;
  }
  return classes;
}

/** How often the class of characters changes: often in keys, seldom in words. */
function transitions(value: string): number {
  let count = 0;
  let before = 0;
  for (let i = 0; i < value.length; i++) {
    const now = classOf(value.charCodeAt(i));
    // A capital that begins a word is no change.
    if (now !== before && before !== 0 && !(before === UPPER && now === LOWER)) count += 1;
    before = now;
  }
  return count;
}

const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;
const OTHER = 4;

function classOf(code: number): number {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 97 && code <= 122) return LOWER;
  return code >= 65 && code <= 90 ? UPPER : OTHER;
}
