/** Parts of a sketch, and words that each stands for. */
const PARTS = 6;
const WORDS = 2;

/** Multipliers of the orders that words are put into, one for each word of each part. */
const FACTORS: readonly number[] = Array.from(
  { length: PARTS * WORDS },
  (_, index) => mix(Math.imul(index + 1, 0x9e3779b1)) | 1,
);

/**
 * A few names that texts of nearly the same words share. Each stands for the words that come first in two
 * arbitrary orders, so two texts have it in common with the square of their overlap as its chance: of six,
 * texts that share four in five words have one almost surely, strangers seldom. Long words come first more
 * often: they are the rarer ones, and what many notes share tells little.
 */
export function sketchOf(words: Iterable<string>): string[] {
  const least = new Float64Array(FACTORS.length).fill(Number.POSITIVE_INFINITY);
  const first = new Uint32Array(FACTORS.length);
  for (const word of words) {
    const hash = hashOf(word);
    const weight = word.length;
    for (let i = 0; i < FACTORS.length; i += 1) {
      const place = mix(Math.imul(hash, FACTORS[i] ?? 1)) / weight;
      if (place >= (least[i] ?? 0)) continue;
      least[i] = place;
      first[i] = hash;
    }
  }
  return Array.from({ length: PARTS }, (_, part) => {
    const chosen = first.subarray(part * WORDS, (part + 1) * WORDS);
    const name = chosen.reduce((sum, hash) => mix(Math.imul(sum, 0x85ebca77) ^ hash), part);
    return `${part}${name.toString(16)}`;
  });
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  }
  return hash;
}

/** Lets every bit have a say in every other. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 15);
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  mixed ^= mixed >>> 12;
  mixed = Math.imul(mixed, 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
