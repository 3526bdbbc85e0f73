import { readFileSync } from 'node:fs';

const hiraganaOnly = /^[\p{sc=Hiragana}ー]+$/u;
const kanaOnly = /^[\p{sc=Hiragana}\p{sc=Katakana}ー・]+$/u;
const marker = /^(\([^()]*\)\s*|\{[^{}]*\}\s*)+/;

/** Rows of the vowel table a godan verb runs through; the last entry is the form before て and た. */
const godanEndings = {
  う: 'わいえおっ',
  く: 'かきけこい',
  ぐ: 'がぎげごい',
  す: 'さしせそ',
  つ: 'たちてとっ',
  ぬ: 'なにねのん',
  ぶ: 'ばびべぼん',
  む: 'まみめもん',
  る: 'らりれろっ',
};
const adjectiveEndings = 'くかけさ';

/** Hiragana stands for grammar too: only words of these kinds are looked up by it. */
const contentKinds = /^(n|n-adv|n-t|adj-na|adj-i|adj-no|vs|v1|v5.*|on-mim)$/;
const minHiragana = 3;

/**
 * Reads EDICT into key → glosses. Keys are headwords, kana spellings in common use, and the inflected
 * stems of verbs and adjectives, so that no morphological analysis is needed to find a word in a text.
 */
export function readEdict(path, { maxGlosses }) {
  const lines = new TextDecoder('euc-jp').decode(readFileSync(path)).split('\n').slice(1);
  const entries = lines.map(parseLine).filter((entry) => entry !== undefined);
  // Common words first: where two entries share a spelling, theirs are the glosses that count.
  entries.sort((a, b) => Number(b.common) - Number(a.common));
  const words = new Map();
  const add = (key, glosses) => {
    const known = words.get(key) ?? [];
    const fresh = glosses.filter((gloss) => !known.includes(gloss));
    words.set(key, [...known, ...fresh].slice(0, maxGlosses));
  };
  for (const entry of entries) for (const key of spellings(entry)) add(key, entry.glosses);
  // Stems come last and never displace a word that is written the same.
  const stems = new Map();
  for (const entry of entries) {
    for (const key of spellings(entry)) {
      for (const stem of inflections(key, entry.kinds)) {
        if (!words.has(stem) && !stems.has(stem)) stems.set(stem, words.get(key));
      }
    }
  }
  for (const [stem, glosses] of stems) if (isUsable(stem)) words.set(stem, glosses);
  return words;
}

function parseLine(line) {
  const match = /^(\S+)(?: \[([^\]]+)\])? \/(.*)\/$/.exec(line);
  if (match === null) return undefined;
  const [, headword, reading, body] = match;
  const parts = body.split('/').filter((part) => part !== '' && !part.startsWith('EntL'));
  const common = parts.includes('(P)');
  const glosses = parts.filter((part) => part !== '(P)').map(cleanGloss);
  return {
    headword: headword.normalize('NFKC'),
    reading,
    common,
    usuallyKana: body.includes('(uk)'),
    kinds: (/^\(([^)]*)\)/.exec(body)?.[1] ?? '').split(','),
    glosses: [...new Set(glosses)].filter((gloss) => gloss !== ''),
  };
}

/** Without grammar markers, remarks in brackets and the `to` of a verb. */
function cleanGloss(gloss) {
  return gloss
    .replace(marker, '')
    .replace(/\([^()]*\)/g, ' ')
    .replace(/^to (be )?/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function spellings({ headword, reading, common, usuallyKana, kinds }) {
  const keys = [];
  const isContent = kinds.some((kind) => contentKinds.test(kind));
  const accept = (key) => isUsable(key) && (isContent || !hiraganaOnly.test(key));
  if (accept(headword) && (common || isContent || !kanaOnly.test(headword))) keys.push(headword);
  const kana = reading?.split(';')[0];
  if (kana !== undefined && (usuallyKana || common) && accept(kana)) keys.push(kana);
  return keys;
}

function isUsable(key) {
  return hiraganaOnly.test(key) ? key.length >= minHiragana : key.length >= 1;
}

function inflections(key, kinds) {
  const last = key.at(-1);
  const stem = key.slice(0, -1);
  if (stem === '') return [];
  if (kinds.includes('v1') && last === 'る') return [stem];
  if (kinds.some((kind) => /^v5/.test(kind))) {
    return [...(godanEndings[last] ?? '')].map((ending) => stem + ending);
  }
  if (kinds.includes('adj-i') && last === 'い') {
    return [...adjectiveEndings].map((ending) => stem + ending);
  }
  return [];
}
