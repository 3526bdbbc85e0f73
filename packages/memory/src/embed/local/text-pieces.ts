import type { JapaneseBridge } from './japanese-bridge.ts';
import { japaneseRun, japaneseWords } from './japanese-words.ts';
import type { WordPiece } from './word-piece.ts';

const camelCase = /(\p{Ll}|\d)(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const word = /[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu;

/** How many words into a note one counts half: what a note is about stands at its beginning. */
const FADING_WORDS = 20;

/** What it takes to read a text; without a dictionary Japanese script goes the way of any other. */
export interface TextReader {
  readonly wordPiece: WordPiece;
  readonly bridge: JapaneseBridge | undefined;
  /** How much each word counts; one as much as another without it. Japanese words always do. */
  readonly weigh?: ((word: string) => number) | undefined;
  /** Whether words count the less the later they come, as in a note; a question is all one. */
  readonly isFading?: boolean;
}

/** True for texts that need the dictionary. */
export function hasJapanese(text: string): boolean {
  return text.search(japaneseRun) >= 0;
}

/**
 * How often each word piece stands in a text: its own pieces, identifiers cut at their humps, and for
 * a Japanese word the pieces of its glosses, each gloss an equal share of the word.
 */
export function countPieces(text: string, reader: TextReader): Map<number, number> {
  const { wordPiece, bridge, weigh, isFading = false } = reader;
  const counts = new Map<number, number>();
  let place = 0;
  const fading = (): number => (isFading ? FADING_WORDS / (FADING_WORDS + place) : 1);
  const add = (piece: number, share: number): void => {
    counts.set(piece, (counts.get(piece) ?? 0) + share * fading());
  };
  const addSpaced = (part: string): void => {
    const spaced = part.replace(camelCase, '$1$3 $2');
    for (const each of weigh === undefined ? [spaced] : (spaced.match(word) ?? [])) {
      const weight = weigh?.(each) ?? 1;
      for (const piece of wordPiece.encode(each)) {
        add(piece, weight);
        place += 1;
      }
    }
  };
  const plain = text.normalize('NFKC');
  if (bridge === undefined) {
    addSpaced(plain);
    return counts;
  }
  let rest = 0;
  for (const { 0: run, index } of plain.matchAll(japaneseRun)) {
    addSpaced(plain.slice(rest, index));
    rest = index + run.length;
    for (const { word: found } of japaneseWords(run, bridge)) {
      const { count, pieces } = bridge.glossesOf(found);
      for (const piece of pieces) add(piece, 1 / count);
      place += 1;
    }
  }
  addSpaced(plain.slice(rest));
  return counts;
}
