import { toUnitLength } from '../../vectors.ts';
import type { WeighedWord } from '../embedder.ts';
import type { StaticModel } from './static-model.ts';

/** Words of a text that are looked at: more of them find a like to anything. */
const MAX_WORDS = 64;

/** A cosine up to here is no likeness between words. */
const CHANCE = 0.3;

/** Where words begin in the vocabulary, after how many of them they are rare, and what the commonest count. */
const FIRST_WORD = 1_996;
const RARE_AFTER = 6_000;
const COMMON = 0.35;

const hump = /(\p{Ll}|\d)(\p{Lu})/gu;
/** The vocabulary is English: of other scripts it knows letters, not words. */
const word = /[\p{Script=Latin}\p{M}\p{N}]+/gu;
// The same for plain text, which most is, in a third of the time.
const plain = /^[ -~\s]*$/;
const plainHump = /([a-z\d])([A-Z])/g;
const plainWord = /[a-z\d]+/g;

/**
 * How well the words of a question find their like in each text: 0 where none does, 1 where all stand there.
 * An average of words cannot tell which of them it holds; this can.
 */
export function wordLikeness(
  asked: readonly WeighedWord[],
  texts: readonly string[],
  model: StaticModel,
): number[] {
  const known = asked.flatMap(({ word: each, weight }) =>
    wordsOf(each).map((text) => ({
      text,
      vector: vectorOf(text, model),
      weight: weight * rarityOf(text, model),
    })),
  );
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return texts.map(() => 0);
  const askedFor = new Set(known.map(({ text }) => text));
  const compare = (each: string): Float32Array | undefined => {
    const piece = model.wordPiece.wholeWord(each);
    // Words that the vocabulary lacks are names and slips: they are like themselves alone.
    if (piece === undefined && !askedFor.has(each)) return undefined;
    const cosines = new Float32Array(known.length);
    for (const [i, { text, vector }] of known.entries()) {
      cosines[i] = text === each ? 1 : piece === undefined ? 0 : cosineOf(piece, vector, model);
    }
    return cosines;
  };
  // Texts share their words: each is compared once.
  const compared = new Map<string, Float32Array | undefined>();
  return texts.map((text) => {
    const best = new Float32Array(known.length);
    for (const each of wordsOf(text)) {
      if (!compared.has(each)) compared.set(each, compare(each));
      const cosines = compared.get(each);
      if (cosines === undefined) continue;
      for (let i = 0; i < best.length; i++) best[i] = Math.max(best[i] ?? 0, cosines[i] ?? 0);
    }
    const sum = known.reduce((s, { weight }, i) => s + weight * likenessFrom(best[i] ?? 0), 0);
    return sum / total;
  });
}

/**
 * How rare a word is in English, whatever the store holds: the vocabulary lists words by how often they come,
 * and those it does not have as a whole come hardly ever. A name that is missing weighs more than a verb.
 */
function rarityOf(text: string, { wordPiece }: StaticModel): number {
  const [id = 0, ...more] = wordPiece.encode(text);
  if (more.length > 0) return 1;
  return COMMON + (1 - COMMON) * Math.min(1, Math.max(0, (id - FIRST_WORD) / RARE_AFTER));
}

function likenessFrom(cosine: number): number {
  return Math.max(0, (Math.min(1, cosine) - CHANCE) / (1 - CHANCE));
}

function wordsOf(text: string): readonly string[] {
  const words = plain.test(text)
    ? text.replace(plainHump, '$1 $2').toLowerCase().match(plainWord)
    : text.normalize('NFKC').replace(hump, '$1 $2').toLowerCase().match(word);
  return words?.slice(0, MAX_WORDS) ?? [];
}

function cosineOf(piece: number, vector: Float32Array, { dim, vectors }: StaticModel): number {
  const start = piece * dim;
  let product = 0;
  let squares = 0;
  for (let d = 0; d < dim; d++) {
    const value = vectors[start + d] ?? 0;
    product += value * (vector[d] ?? 0);
    squares += value * value;
  }
  return squares === 0 ? 0 : product / Math.sqrt(squares);
}

function vectorOf(text: string, { dim, vectors, scales, wordPiece }: StaticModel): Float32Array {
  const sum = new Float32Array(dim);
  for (const piece of wordPiece.encode(text)) {
    const factor = scales[piece] ?? 0;
    const start = piece * dim;
    for (let d = 0; d < dim; d++) sum[d] = (sum[d] ?? 0) + factor * (vectors[start + d] ?? 0);
  }
  return toUnitLength(sum);
}
