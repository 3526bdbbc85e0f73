import type { JapaneseBridge } from './japanese-bridge.ts';
import { japaneseRun, japaneseWords } from './japanese-words.ts';
import type { WordPiece } from './word-piece.ts';

const camelCase = /(\p{Ll}|\d)(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/** Takes the word pieces of a text one by one, each with the share it has in the text's vector. */
export type PieceSink = (piece: number, weight: number) => void;

/** Word pieces of a text in Latin script: identifiers are cut at their humps first. */
export function latinPieces(text: string, wordPiece: WordPiece): number[] {
  return wordPiece.encode(text.replace(camelCase, '$1$3 $2'));
}

/** True for texts that need the dictionary. */
export function hasJapanese(text: string): boolean {
  return text.search(japaneseRun) >= 0;
}

/** The word pieces that stand for a text: its own, and for Japanese words those of their glosses. */
export function visitPieces(
  text: string,
  { wordPiece, bridge }: { wordPiece: WordPiece; bridge: JapaneseBridge | undefined },
  visit: PieceSink,
): void {
  const plain = text.normalize('NFKC');
  const latin = bridge === undefined ? plain : plain.replace(japaneseRun, ' ');
  for (const piece of latinPieces(latin, wordPiece)) visit(piece, 1);
  if (bridge === undefined) return;
  for (const [run] of plain.matchAll(japaneseRun)) {
    for (const { word } of japaneseWords(run, bridge)) {
      const { count, pieces } = bridge.glossesOf(word);
      for (const piece of pieces) visit(piece, 1 / count);
    }
  }
}
