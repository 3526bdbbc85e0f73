import type { WordPiece } from './word-piece.ts';

const camelCase = /(\p{Ll}|\d)(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/** The word pieces that stand for a text: identifiers are cut at their humps first. */
export function textPieces(text: string, wordPiece: WordPiece): number[] {
  return wordPiece.encode(text.normalize('NFKC').replace(camelCase, '$1$3 $2'));
}
