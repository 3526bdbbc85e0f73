import { bareEnd, codeAt, isLetter, isNameCode, isQuote } from './characters.ts';
import { findLink, type Link } from './find-link.ts';
import { hasMix, isPlaceholder, isRandom } from './plausible.ts';
import type { Scan } from './scan.ts';
import { kindOfName, type NameKind } from './secret-name.ts';

/** A name reaches no farther than this from where it was noticed. */
const MAX_NAME = 60;
const MAX_BARE = 2_000;
const MAX_QUOTED = 8_000;
/** Names that are tried on one bare value: `a=b=c` is one value after three names. */
const MAX_TRIES = 4;

/** Finds the value that a name calls a secret: `password is …`, `API_KEY=…`, `"token": "…"`. */
export function findNamed(scan: Scan, start: number, end: number): void {
  if (start < scan.namedUntil) return;
  if (end < scan.bareValueEnd && scan.bareValueTries >= MAX_TRIES) return;
  const name = nameAround(scan.text, start, end);
  findValue(scan, name, undefined);
}

const FOREIGN = [
  'пароль',
  'Пароль',
  'パスワード',
  '密码',
  '密碼',
  '暗証番号',
  'contraseña',
  'Contraseña',
];

/** The same for names in other scripts, which no run of letters holds. */
export function findForeign(scan: Scan): void {
  const { text } = scan;
  scan.namedUntil = 0;
  for (const word of FOREIGN) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
      findValue(scan, { start: at, end: at + word.length }, 'password');
    }
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Value extends Range {
  readonly isQuoted: boolean;
}

/** The value is looked at before the name is understood: most values are words, and end it there. */
function findValue(scan: Scan, name: Range, known: NameKind | undefined): void {
  const { text } = scan;
  const link = findLink(scan, name.end);
  if (link === undefined) return;
  const whole = valueAt(scan, link.end);
  if (whole === undefined) return;
  const value = link.isBare ? whole : innerValue(text, whole);
  const looks = looksOf(text, value.start, Math.min(value.end, value.start + 300));
  if (looks === PLAIN && !mayBeWord(text, name, { link, value })) return;
  const kind = known ?? kindAt(text, name);
  if (kind === undefined || (kind !== 'password' && looks !== DIGITS)) return;
  if (!isSecret(text, { name, kind, link, value })) return;
  scan.add(value.start, value.end, 'named-secret');
  scan.namedUntil = Math.max(scan.namedUntil, value.end);
}

const PLAIN = 0;
const SIGNS = 1;
const DIGITS = 2;

/** Whether a value has a digit, or else a sign that passwords have. */
function looksOf(text: string, start: number, end: number): number {
  let looks = PLAIN;
  for (let i = start; i < end; i++) {
    const code = codeAt(text, i);
    if (code <= 57 && code >= 48) return DIGITS;
    // ! # $ & * + ? @ ^ ~
    if (
      code < 44
        ? code > 32 && code !== 34 && code !== 39
        : code === 63 || code === 64 || code === 94 || code === 126
    )
      looks = SIGNS;
  }
  return looks;
}

/** Whether a word of letters alone may be a password there. */
function mayBeWord(
  text: string,
  name: Range,
  { link, value }: { readonly link: Link; readonly value: Value },
): boolean {
  // `passphrase` and its like end so, and may have spaces.
  if (value.isQuoted && (codeAt(text, name.end - 1) | 32) === 101) return true;
  if (value.isQuoted ? !link.isAssigned : !link.isEquals) return false;
  for (let i = value.start; i < value.end; i++) if (!isLetter(codeAt(text, i))) return false;
  return value.end - value.start <= 40;
}

/** The whole identifier around a run, with the parts before and after a dot. */
function nameAround(text: string, from: number, to: number): Range {
  let start = from;
  while (start > 0 && from - start < MAX_NAME && isNameCode(codeAt(text, start - 1))) start -= 1;
  let end = to;
  while (end - to < MAX_NAME && isNameCode(codeAt(text, end))) end += 1;
  return { start, end };
}

/** What the name says; `api key` and `mot de passe` are names of more than one word. */
function kindAt(text: string, { start, end }: Range): NameKind | undefined {
  const name = trimmed(text, start, end);
  if (name.length > 9) return kindOfName(name);
  const lower = name.toLowerCase();
  switch (lower) {
    case 'key':
    case 'pin': {
      const before = text.charAt(start - 1);
      if (lower === 'key' && (before === '?' || before === '&')) return 'perhaps';
      const word = wordBefore(text, start);
      return (word === '' ? undefined : kindOfName(`${word} ${lower}`)) ?? kindOfName(lower);
    }
    case 'passe':
      return wordBefore(text, start) === 'de' ? 'password' : undefined;
    case 'token':
    case 'secret': {
      const word = wordBefore(text, start);
      return word === '' ? kindOfName(lower) : kindOfName(`${word} ${lower}`);
    }
    case 'sig':
    case 'signature':
      return '?&'.includes(text.charAt(start - 1) || ' ') ? 'perhaps' : undefined;
    default:
      return kindOfName(name);
  }
}

/** The name without the signs around it. */
function trimmed(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isDash(codeAt(text, from))) from += 1;
  while (to > from && isDash(codeAt(text, to - 1))) to -= 1;
  return text.slice(from, to);
}

function isDash(code: number): boolean {
  return code === 45 || code === 46;
}

/** The word of 2 to 12 letters before a space, or nothing. */
function wordBefore(text: string, start: number): string {
  if (codeAt(text, start - 1) !== 32) return '';
  let from = start - 1;
  while (start - from < 13 && isLetter(codeAt(text, from - 1))) from -= 1;
  return start - 1 - from < 2 ? '' : text.slice(from, start - 1);
}

const CLOSERS: Readonly<Record<string, string>> = { '「': '」', '“': '”', '‘': '’' };

/** The value that begins here: in its quotes, or up to what ends a bare word. */
function valueAt(scan: Scan, from: number): Value | undefined {
  const { text } = scan;
  let start = from;
  while (start - from < 2 && codeAt(text, start) === 42) start += 1;
  const quote = quoteAt(text, start);
  if (quote !== '') {
    start += quote.length;
    const end = closing(scan, start, CLOSERS[quote] ?? quote);
    return end === -1 ? undefined : { start, end, isQuoted: true };
  }
  if (start >= text.length) return undefined;
  if (start >= scan.bareValueEnd) {
    scan.bareValueEnd = bareEnd(text, start, MAX_BARE);
    scan.bareValueTries = 0;
  }
  scan.bareValueTries += 1;
  if (scan.bareValueTries > MAX_TRIES) return undefined;
  let end = scan.bareValueEnd;
  // What ends a sentence does not belong to the value.
  while (end > start && endsSentence(codeAt(text, end - 1))) end -= 1;
  return end - start < 4 ? undefined : { start, end, isQuoted: false };
}

/** `.`, `,`, `!`, `?`, `:` and `*`. */
function endsSentence(code: number): boolean {
  return code === 46 || code === 44 || code === 33 || code === 63 || code === 58 || code === 42;
}

function quoteAt(text: string, at: number): string {
  const code = codeAt(text, at);
  if (isQuote(code) || code === 0x300c || code === 0x201c || code === 0x2018)
    return text.charAt(at);
  return code === 92 && isQuote(codeAt(text, at + 1)) ? text.slice(at, at + 2) : '';
}

/** The place of the closing quote on the same line, or -1. */
function closing(scan: Scan, start: number, quote: string): number {
  const { text } = scan;
  const limit = Math.min(start + MAX_QUOTED, scan.next('\n', start));
  let at = scan.next(quote, start);
  // A quote after a backslash is part of the value.
  for (let i = 0; i < 16 && at < limit && codeAt(text, at - 1) === 92 && at > start; i++) {
    at = scan.next(quote, at + 1);
  }
  return at < limit ? at : -1;
}

const SCHEME = /(?:Bearer|Basic|Token|ApiKey|Api-Key|Digest|Negotiate|base64:|s%3A|pass:)\s*/iy;

/** The secret part of a value: without the scheme of a header. */
function innerValue(text: string, value: Value): Value {
  if (!mayBeScheme(text, value.start)) return value;
  SCHEME.lastIndex = value.start;
  if (!SCHEME.test(text)) return value;
  const start = SCHEME.lastIndex;
  if (value.isQuoted) return start < value.end ? { ...value, start } : value;
  const end = bareEnd(text, start, MAX_BARE);
  return end - start >= 6 ? { start, end, isQuoted: false } : value;
}

/** Schemes begin with b, t, a, d, n or s, and `pass:` has its colon. */
function mayBeScheme(text: string, at: number): boolean {
  const letter = codeAt(text, at) | 32;
  if (letter === 112) return codeAt(text, at + 4) === 58;
  return (
    letter === 98 ||
    letter === 116 ||
    letter === 97 ||
    letter === 100 ||
    letter === 110 ||
    letter === 115
  );
}

interface Candidate {
  readonly name: Range;
  readonly kind: NameKind;
  readonly link: Link;
  readonly value: Value;
}

function isSecret(text: string, { name, kind, link, value }: Candidate): boolean {
  const most = Math.min(value.end, value.start + 300);
  if (!value.isQuoted && text.charAt(value.end) === '(') return false;
  if (kind !== 'password') {
    const called = text.slice(name.start, name.end);
    if (/cookie/i.test(called)) return false;
    const body = text.slice(value.start, most);
    if (link.isAssigned && /^authorization$/i.test(called)) return !isPlaceholder(body);
    return isRandom(body, kind === 'key' ? 8 : 16);
  }
  const body = text.slice(value.start, most);
  if (isPlaceholder(body)) return false;
  return isNamedPassword(text, body, { name, kind, link, value });
}

function isNamedPassword(text: string, body: string, { name, link, value }: Candidate): boolean {
  const called = text.slice(name.start, name.end);
  if (value.isQuoted && /phrase$/i.test(called))
    return /^[a-z]+(?:[ -][a-z]+){2,}$/.test(body) || hasMix(body);
  if (hasMix(body)) return !link.isBare || value.isQuoted || isStrong(body);
  if (/^\d{4,12}$/.test(body)) return link.isAssigned && !/^(?:pass|pw|pwd)$/i.test(called);
  if (!/^[A-Za-z]{6,40}$/.test(body) || /passw|kennw|contras/i.test(body)) return false;
  // Letters alone are a password only where nothing else can stand.
  if (value.isQuoted) return link.isAssigned && /^[a-z]+$/.test(body);
  return link.isEquals && (/^[A-Z][A-Z0-9_]*$/.test(called) || text.startsWith('--', name.start));
}

/** Enough of a password to be one without any sign before it. */
function isStrong(body: string): boolean {
  return (
    /\d/.test(body) &&
    /[A-Za-z]/.test(body) &&
    !/^[a-z]+[-_/]?\d+$/i.test(body.replace(/[.,]$/, ''))
  );
}
