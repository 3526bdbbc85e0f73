import { bareEnd, codeAt, skipSpaces } from './characters.ts';
import { findNamed } from './find-named.ts';
import { isPasswordLike, isRandom } from './plausible.ts';
import type { Scan } from './scan.ts';

/** Finds the secret that a word carries: `(scan, end of the word)`. */
type Find = (scan: Scan, start: number, end: number) => void;

const FLAG_P = /\s-p\s?["']?([^\s"']{4,200})/g;
const FLAG_P_JOINED = /\s-p["']?([^\s"']{4,200})/g;
const FLAG_A = /\s-a\s?["']?([^\s"']{4,200})/g;
const FLAG_U = /\s(?:-u|--user)[ =]?["']?[^\s"':]{1,80}:([^\s"']{4,200})/g;

/** Words whose secret follows without a name of its own: headers, commands, statements of SQL. */
const CARRIERS: ReadonlyMap<string, Find> = new Map<string, Find>([
  ['bearer', both(findCredential, findNamed)],
  ['basic', findCredential],
  ['cookie', findCookies],
  ['set-cookie', findCookies],
  ['curl', flagged(FLAG_U, 300)],
  ['mysql', flagged(FLAG_P_JOINED, 120)],
  ['mysqldump', flagged(FLAG_P_JOINED, 120)],
  ['sshpass', flagged(FLAG_P, 120)],
  ['docker', flagged(FLAG_P, 120)],
  ['redis-cli', flagged(FLAG_A, 120)],
  ['identified', following(/\sby\s(?:password\s)?["']([^"'\n]{4,200})/iy, /["']/g)],
  ['convertto-securestring', following(/\s(?:-String\s)?["']([^"'\n]{4,200})/iy, /["']/g)],
  [
    'credentials',
    both(
      following(/(?:\sare)?:?\s{1,3}[\w.@+-]{2,40}\s?[/:]\s?["'`]?([^\s"'`,;]{6,200})/iy, /[/:]/g),
      findNamed,
    ),
  ],
  [
    'login',
    following(/(?:\sis|\swith)?:?\s{1,3}[\w.@+-]{2,40}\s?\/\s?["'`]?([^\s"'`,;]{6,200})/iy, /\//g),
  ],
  ['pin', findNamed],
  ['sig', findNamed],
  ['signature', findNamed],
]);

/** The words as they are usually written, so that a look-up copies nothing. */
const SPELT: ReadonlyMap<string, Find> = new Map(
  [...CARRIERS].flatMap(([word, find]): [string, Find][] => [
    [word, find],
    [word.toUpperCase(), find],
    [word.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()), find],
  ]),
);

/** By length and first letter, whether a word of the list can stand there. */
const LENGTHS: Uint8Array = new Uint8Array(1024);
for (const word of CARRIERS.keys()) LENGTHS[(word.length << 5) | (word.charCodeAt(0) & 31)] = 1;

/** What finds the secret that a run carries, `undefined` for an ordinary word. */
export function carrierAt(text: string, start: number, end: number): Find | undefined {
  if (end - start > 31) return undefined;
  if (LENGTHS[((end - start) << 5) | (codeAt(text, start) & 31)] !== 1) return undefined;
  const word = text.slice(start, end);
  return SPELT.get(word) ?? CARRIERS.get(word.toLowerCase());
}

function both(first: Find, second: Find): Find {
  return (scan, start, end) => {
    first(scan, start, end);
    second(scan, start, end);
  };
}

function following(pattern: RegExp, sign: RegExp): Find {
  return (scan, _start, end) => {
    if (scan.next(sign, end) - end > 60) return;
    pattern.lastIndex = end;
    const value = pattern.exec(scan.text)?.[1];
    if (value === undefined || !isPasswordLike(value)) return;
    scan.add(pattern.lastIndex - value.length, pattern.lastIndex, 'named-secret');
  };
}

/** A flag of a command, on its line and before a pipe. */
function flagged(flag: RegExp, reach: number): Find {
  return (scan, _start, end) => {
    const at = scan.next(flag, end);
    if (at - end > reach || scan.next('\n', end) < at || scan.next('|', end) < at) return;
    flag.lastIndex = at;
    const value = flag.exec(scan.text)?.[1];
    if (value === undefined || !isPasswordLike(value)) return;
    scan.add(flag.lastIndex - value.length, flag.lastIndex, 'named-secret');
  };
}

const CREDENTIAL = /[0-9A-Za-z._~+/=-]{8,4096}/y;

/** What follows `Bearer` and `Basic`. */
function findCredential(scan: Scan, start: number, end: number): void {
  const from = skipSpaces(scan.text, end, 4);
  if (from === end || bareEnd(scan.text, from, 8) - from < 8) return;
  CREDENTIAL.lastIndex = from;
  const value = CREDENTIAL.exec(scan.text)?.[0].replace(/\.+$/, '');
  if (value === undefined) return;
  const isBasic = end - start === 5;
  if (isBasic ? isBasicPair(value) : isRandom(value, 8)) {
    scan.add(from, from + value.length, isBasic ? 'basic-auth' : 'bearer-token');
  }
}

/** Whether it is base64, of a pair with a colon or of anything long. */
function isBasicPair(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value)) return false;
  const pair = Buffer.from(value.slice(0, 400), 'base64').toString('latin1');
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(pair) || (value.length >= 16 && isRandom(value, 16));
}

const COOKIE_VALUE = /=\s?(?:s%3A)?([^\s;,="']{12,4096})/y;

/** The values of cookies up to the end of the line that look random. */
function findCookies(scan: Scan, _start: number, end: number): void {
  const { text } = scan;
  if (text.charAt(end) !== ':' || end < scan.namedUntil) return;
  const limit = Math.min(scan.next('\n', end), end + 8_000, text.length);
  let at = end;
  for (;;) {
    const equals = scan.next('=', at);
    if (equals >= limit) break;
    COOKIE_VALUE.lastIndex = equals;
    const value = COOKIE_VALUE.exec(text)?.[1];
    at = value === undefined ? equals + 1 : COOKIE_VALUE.lastIndex;
    if (value !== undefined && isRandom(value, 12)) scan.add(at - value.length, at, 'cookie');
  }
  scan.namedUntil = Math.max(scan.namedUntil, at);
}
