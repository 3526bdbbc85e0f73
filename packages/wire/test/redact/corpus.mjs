import { readFileSync } from 'node:fs';

/**
 * One entry of a corpus: a text, and the secrets that must not be left in it.
 * @typedef {{ part: string, line: string, text: string, secrets: string[] }} Sample
 * @typedef {{ redactText(text: string): string, redactValue(value: unknown): unknown }} Redactor
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALPHABETS = {
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  a: `${LETTERS}${DIGITS}`,
  l: LETTERS,
  U: `${LETTERS.toUpperCase()}${DIGITS}`,
  B: `${LETTERS.toUpperCase()}234567`,
  G: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  w: `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}`,
  s: `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}_-`,
  b: `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}+/`,
};

/**
 * Reads a corpus. Its files hold no secrets: `{w36}` becomes 36 random letters and digits here, the same in
 * every run, `{p12}` a password, `{u}` a UUID; `«` and `»` enclose what is secret.
 * @param {string} name
 * @returns {Sample[]}
 */
export function readCorpus(name) {
  const file = new URL(`corpus/${name}.txt`, import.meta.url);
  const samples = [];
  const random = generator(name.length * 7919);
  let part = '';
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('# ')) part = line.slice(2);
    else if (line !== '') samples.push({ part, line, ...fill(line, part, random) });
  }
  return samples;
}

/**
 * Whether a redactor does with a sample what it should: no piece of a secret left, no other text lost.
 * @param {Sample} sample
 * @param {Redactor} redactor
 * @returns {boolean}
 */
export function isRight({ part, text, secrets }, redactor) {
  const clean = isJson(part)
    ? JSON.stringify(redactor.redactValue(JSON.parse(text)))
    : redactor.redactText(text);
  if (part.startsWith('look-alike')) return clean === normal(part, text);
  const isGone = secrets.every((secret) => pieces(secret).every((piece) => !clean.includes(piece)));
  return isGone && (isJson(part) || (clean.startsWith('Before. ') && clean.endsWith('\nAfter.')));
}

function normal(part, text) {
  return isJson(part) ? JSON.stringify(JSON.parse(text)) : text;
}

function isJson(part) {
  return part === 'key' || part.endsWith('json');
}

/** Runs of eight characters, or the whole where it is shorter. */
function pieces(secret) {
  if (secret.length <= 8) return [secret];
  return Array.from({ length: secret.length - 7 }, (_, i) => secret.slice(i, i + 8));
}

function fill(line, part, random) {
  const isText = !isJson(part);
  const filled = line
    .replace(/\{([a-zA-Z])(\d*)(u?)\}/g, (_, name, count) =>
      generate(name, Number(count || '0'), random),
    )
    .replaceAll('\\\\n', '\u0000')
    .replaceAll('\\n', isText ? '\n' : '\\n')
    .replaceAll('\u0000', '\\n');
  const secrets = [...filled.matchAll(/«([^»]*)»/g)].map(([, secret = '']) => secret);
  const text = filled.replace(/[«»]/g, '');
  const wrapped = secrets.length > 0 && isText ? `Before. ${text}\nAfter.` : text;
  return { text: wrapped, secrets };
}

function generate(name, count, random) {
  const pick = (alphabet, n) =>
    Array.from({ length: n }, () => alphabet.charAt(random(alphabet.length))).join('');
  if (name === 'u') return [8, 4, 4, 4, 12].map((n) => pick(ALPHABETS.h, n)).join('-');
  if (name !== 'p') return pick(ALPHABETS[name], count);
  // A password: letters of both cases, a digit within, and in half of them a sign.
  const letters = pick(LETTERS + LETTERS.toUpperCase(), count - 3);
  const sign = random(2) === 0 ? pick('!#*+?^~-_', 1) : pick(DIGITS, 1);
  return `${letters.slice(0, 4)}${pick(DIGITS, 1)}${sign}${letters.slice(4)}${pick(DIGITS, 1)}`;
}

/** Random numbers that are the same in every run. */
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
