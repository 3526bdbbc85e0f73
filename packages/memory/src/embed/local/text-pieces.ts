import type { JapaneseBridge } from './japanese-bridge.ts';
import { japaneseRun, japaneseWords } from './japanese-words.ts';
import type { WordPiece } from './word-piece.ts';

const camelCase = /(\p{Ll}|\d)(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const word = /[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu;

/** What it takes to read a text; without a dictionary Japanese script goes the way of any other. */
export interface TextReader {
  readonly wordPiece: WordPiece;
  readonly bridge: JapaneseBridge | undefined;
  /** How much each word counts; one as much as another without it. Japanese words always do. */
  readonly weigh?: ((word: string) => number) | undefined;
}

/** True for texts that need the dictionary. */
export function hasJapanese(text: string): boolean {
  return text.search(japaneseRun) >= 0;
}

/**
 * How often each word piece stands in a text: its own pieces, identifiers cut at their humps, and for
 * a Japanese word the pieces of its glosses, each gloss an equal share of the word.
 */
export function countPieces(
  text: string,
  { wordPiece, bridge, weigh }: TextReader,
): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (piece: number, share: number) => counts.set(piece, (counts.get(piece) ?? 0) + share);
  const plain = text.normalize('NFKC');
  const foreign = bridge === undefined ? plain : plain.replace(japaneseRun, ' ');
  const spaced = foreign.replace(camelCase, '$1$3 $2');
  for (const part of weigh === undefined ? [spaced] : (spaced.match(word) ?? [])) {
    const weight = weigh?.(part) ?? 1;
    for (const piece of wordPiece.encode(part)) add(piece, weight);
  }
  if (bridge === undefined) return counts;
  for (const [run] of plain.matchAll(japaneseRun)) {
    for (const { word } of japaneseWords(run, bridge)) {
      const { count, pieces } = bridge.glossesOf(word);
      for (const piece of pieces) add(piece, 1 / count);
    }
  }
  return counts;
}
