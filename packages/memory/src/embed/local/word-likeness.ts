import { dot, toUnitLength } from '../../vectors.ts';
import type { WeighedWord } from '../embedder.ts';
import type { StaticModel } from './static-model.ts';
import { countPieces } from './text-pieces.ts';

/** Words of a text that are looked at: more of them find a like to anything. */
const MAX_WORDS = 256;

/** A cosine up to here is no likeness between words. */
const CHANCE = 0.3;

const MAX_KNOWN = 4_000;
const vectorsOfWords: WeakMap<StaticModel, Map<string, Float32Array>> = new WeakMap();

/** Where words begin in the vocabulary, after how many of them they are rare, and what the commonest count. */
const FIRST_WORD = 1_996;
const RARE_AFTER = 6_000;
const COMMON = 0.35;

const hump = /(\p{Ll}|\d)(\p{Lu})/gu;
/** The vocabulary is English: of other scripts it knows letters, not words. */
const word = /[\p{Script=Latin}\p{M}\p{N}]+/gu;

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
    [...wordsOf(each)].map((part) => ({
      vector: knownVector(part, model),
      weight: weight * rarityOf(part, model),
    })),
  );
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return texts.map(() => 0);
  // Texts share their words: each is compared once.
  const compared = new Map<string, Float32Array>();
  return texts.map((text) => {
    const best = new Float32Array(known.length);
    for (const each of wordsOf(text)) {
      let cosines = compared.get(each);
      if (cosines === undefined) {
        const vector = knownVector(each, model);
        cosines = Float32Array.from(known, (other) => dot(vector, other.vector));
        compared.set(each, cosines);
      }
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

function wordsOf(text: string): Set<string> {
  const words = text.normalize('NFKC').replace(hump, '$1 $2').toLowerCase().match(word) ?? [];
  return new Set(words.slice(0, MAX_WORDS));
}

/** Words come again with every question: as many as fit in some megabytes are kept. */
function knownVector(text: string, model: StaticModel): Float32Array {
  let known = vectorsOfWords.get(model);
  if (known === undefined || known.size >= MAX_KNOWN) {
    known = new Map();
    vectorsOfWords.set(model, known);
  }
  let vector = known.get(text);
  if (vector === undefined) {
    vector = vectorOf(text, model);
    known.set(text, vector);
  }
  return vector;
}

function vectorOf(text: string, { dim, vectors, scales, wordPiece }: StaticModel): Float32Array {
  const sum = new Float32Array(dim);
  for (const [piece, count] of countPieces(text, { wordPiece, bridge: undefined })) {
    const factor = (scales[piece] ?? 0) * count;
    const start = piece * dim;
    for (let d = 0; d < dim; d++) sum[d] = (sum[d] ?? 0) + factor * (vectors[start + d] ?? 0);
  }
  return toUnitLength(sum);
}
