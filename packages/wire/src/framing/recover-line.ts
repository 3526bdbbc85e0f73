import { endOfValue } from './json-scan.ts';

/** A JSON value found inside a line, or the text around it. */
export type LinePiece =
  | { readonly value: unknown; readonly text: string }
  | { readonly stray: string };

/** Candidates tried in one line; keeps a line of nothing but brackets cheap. */
const MAX_ATTEMPTS = 64;

/**
 * Takes a line that is not JSON apart: messages joined without a newline and, when `lenient`,
 * a message with stray text before or behind it. Returns undefined when nothing can be saved.
 */
export function recoverLine(line: string, lenient: boolean): LinePiece[] | undefined {
  const pieces: LinePiece[] = [];
  let taken = 0;
  let from = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const start = nextOpening(line, from);
    if (start < 0) break;
    if (!lenient && line.slice(taken, start).trim() !== '') return undefined;
    const end = endOfValue(line, start);
    const text = end < 0 ? '' : line.slice(start, end);
    const value = parseOrUndefined(text);
    if (value === undefined || !looksLikeMessage(value)) {
      if (!lenient) return undefined;
      from = start + 1;
      continue;
    }
    addStray(pieces, line.slice(taken, start));
    pieces.push({ value, text });
    taken = from = end;
  }
  if (pieces.length === 0) return undefined;
  addStray(pieces, line.slice(taken));
  return pieces;
}

/** Whether a parsed value can be a JSON-RPC message or batch, as opposed to a logger's JSON. */
export function looksLikeMessage(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(looksLikeMessage);
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

function nextOpening(line: string, from: number): number {
  const object = line.indexOf('{', from);
  const array = line.indexOf('[', from);
  if (object < 0 || array < 0) return Math.max(object, array);
  return Math.min(object, array);
}

function parseOrUndefined(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not a value after all: the caller looks further along the line.
    return undefined;
  }
}

function addStray(pieces: LinePiece[], text: string): void {
  if (text.trim() !== '') pieces.push({ stray: text.trim() });
}
