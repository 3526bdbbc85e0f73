const VOWEL = /[aeiouy]/;

/**
 * Strips the commonest English endings, so that `tokens expired` meets `token expires`.
 * Light on purpose: a wrong merge hides notes, a missed one is caught by the vector part.
 */
export function stem(word: string): string {
  if (word.length < 4) return word;
  return stripVerbEnding(stripPlural(word));
}

function stripPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) {
    return word;
  }
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|ches|shes|zzes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function stripVerbEnding(word: string): string {
  for (const ending of ['ing', 'ed']) {
    if (!word.endsWith(ending)) continue;
    const base = word.slice(0, -ending.length);
    if (base.length < 3 || !VOWEL.test(base)) return word;
    return restoreBase(base);
  }
  // `cache` and `caching` must meet: a final e is dropped from both.
  return word.length > 4 && word.endsWith('e') && !word.endsWith('ee') ? word.slice(0, -1) : word;
}

function restoreBase(base: string): string {
  const last = base.at(-1);
  if (last === base.at(-2) && last !== 'l' && last !== 's' && last !== 'z')
    return base.slice(0, -1);
  return base.length > 4 && base.endsWith('e') && !base.endsWith('ee') ? base.slice(0, -1) : base;
}
