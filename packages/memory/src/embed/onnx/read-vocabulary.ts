import { readFile } from 'node:fs/promises';
import { onnxError } from './onnx-error.ts';

/** The word pieces of a model by number, from `vocab.txt` or from the WordPiece part of `tokenizer.json`. */
export async function readVocabulary(path: string): Promise<readonly string[]> {
  const content = await readFile(path, 'utf8');
  const pieces = path.endsWith('.json') ? fromTokenizer(content) : content.trimEnd().split(/\r?\n/);
  const missing = ['[CLS]', '[SEP]', '[UNK]'].filter((piece) => !pieces?.includes(piece));
  if (pieces === undefined || missing.length > 0) {
    throw onnxError(
      `expected \`${path}\` to hold a WordPiece vocabulary with \`[CLS]\`, \`[SEP]\` and \`[UNK]\``,
    );
  }
  return pieces;
}

function fromTokenizer(content: string): readonly string[] | undefined {
  const model = modelOf(content);
  if (model?.type !== 'WordPiece' || typeof model.vocab !== 'object') return undefined;
  const pieces: string[] = [];
  for (const [piece, id] of Object.entries(model.vocab ?? {})) pieces[Number(id)] = piece;
  return pieces;
}

function modelOf(content: string): { type?: string; vocab?: unknown } | undefined {
  try {
    return (JSON.parse(content) as { model?: { type?: string; vocab?: unknown } } | null)?.model;
  } catch {
    // Whatever it is, it is no vocabulary, and that is what the caller says.
    return undefined;
  }
}
