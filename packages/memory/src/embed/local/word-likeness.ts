import { toUnitLength } from '../../vectors.ts';
import type { WeighedWord } from '../embedder.ts';
import type { StaticModel } from './static-model.ts';
import { MAX_ASKED } from './word-comparison.ts';

/** Words of a text that are looked at: more of them find a like to anything. */
const MAX_WORDS = 64;

/** A cosine up to here is no likeness between words. */
const CHANCE = 0.3;

/** Where words begin in the vocabulary, after how many of them they are rare, and what the commonest count. */
const FIRST_WORD = 1_996;
const RARE_AFTER = 6_000;
const COMMON = 0.35;

/** The vocabulary is English: of other scripts it knows letters, not words. */
const run = /[\p{Script=Latin}\p{M}\p{N}]+/gu;
const hump = /(\p{Ll}|\d)(\p{Lu})/gu;
// The same for plain text, which most is, in a third of the time.
const plain = /^[ -~\s]*$/;
const plainRun = /[A-Za-z\d]+/g;
const oneWord = /^[A-Z]?[a-z\d]*$/;

/** A word of the question, and how much finding its like says. */
interface AskedWord {
  readonly text: string;
  readonly weight: number;
}

/** What a run of letters and digits has of the question. */
interface Likes {
  /** Words it is made of: an identifier has several. */
  readonly words: number;
  /** Cosines with the question's words, in their order; absent where none is more than chance. */
  readonly cosines: Float32Array | undefined;
}

/**
 * How well the words of a question find their like in each text: 0 where none does, 1 where all stand there.
 * An average of words cannot tell which of them it holds; this can.
 */
export function wordLikeness(
  asked: readonly WeighedWord[],
  texts: readonly string[],
  model: StaticModel,
): number[] {
  const known = askedWords(asked, model);
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return texts.map(() => 0);
  model.comparison.ask(known.map(({ text }) => vectorOf(text, model)));
  // Texts share their words: each is compared once.
  const compared = new Map<string, Likes>();
  const best = new Float32Array(known.length);
  return texts.map((text) => {
    best.fill(0);
    let words = 0;
    for (const each of runsOf(text)) {
      let likes = compared.get(each);
      if (likes === undefined) {
        likes = likesOf(each, known, model);
        compared.set(each, likes);
      }
      raise(best, likes.cosines);
      words += likes.words;
      if (words >= MAX_WORDS) break;
    }
    let sum = 0;
    for (const [i, { weight }] of known.entries()) sum += weight * likenessFrom(best[i] ?? 0);
    return sum / total;
  });
}

/** The weightiest words of a question: as many as can be compared. */
function askedWords(asked: readonly WeighedWord[], model: StaticModel): readonly AskedWord[] {
  const known = asked.flatMap(({ word, weight }) =>
    runsOf(word)
      .flatMap(wordsOf)
      .map((text) => ({ text, weight: weight * rarityOf(text, model) })),
  );
  if (known.length <= MAX_ASKED) return known;
  return known.sort((a, b) => b.weight - a.weight).slice(0, MAX_ASKED);
}

const NOTHING: Likes = { words: 1, cosines: undefined };

function likesOf(each: string, known: readonly AskedWord[], model: StaticModel): Likes {
  if (oneWord.test(each)) {
    const cosines = cosinesOf(each.toLowerCase(), known, model);
    return cosines === undefined ? NOTHING : { words: 1, cosines };
  }
  const words = wordsOf(each);
  const best = new Float32Array(known.length);
  for (const text of words) raise(best, cosinesOf(text, known, model));
  return { words: words.length, cosines: best };
}

/** Cosines of a word with those of the question; absent where none is more than chance. */
function cosinesOf(
  text: string,
  known: readonly AskedWord[],
  { wordPiece, comparison }: StaticModel,
): Float32Array | undefined {
  const piece = wordPiece.wholeWord(text);
  // Words that the vocabulary lacks are names and slips: they are like themselves alone.
  let cosines = piece === undefined ? undefined : comparison.cosines(piece, CHANCE);
  for (let i = 0; i < known.length; i += 1) {
    if (known[i]?.text !== text) continue;
    cosines ??= new Float32Array(known.length);
    cosines[i] = 1;
  }
  return cosines;
}

function raise(best: Float32Array, by: Float32Array | undefined): void {
  if (by === undefined) return;
  for (let i = 0; i < best.length; i += 1) {
    const value = by[i] ?? 0;
    if (value > (best[i] ?? 0)) best[i] = value;
  }
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

function runsOf(text: string): readonly string[] {
  return (plain.test(text) ? text.match(plainRun) : text.normalize('NFKC').match(run)) ?? [];
}

/** The words of a run, cut at its humps. */
function wordsOf(each: string): readonly string[] {
  return each.replace(hump, '$1 $2').toLowerCase().split(' ');
}

function vectorOf(
  text: string,
  { dim, stride, vectors, scales, wordPiece }: StaticModel,
): Float32Array {
  const sum = new Float32Array(dim);
  for (const piece of wordPiece.encode(text)) {
    const factor = scales[piece] ?? 0;
    const start = piece * stride;
    for (let d = 0; d < dim; d++) sum[d] = (sum[d] ?? 0) + factor * (vectors[start + d] ?? 0);
  }
  return toUnitLength(sum);
}
