import { endOfValue } from './json-scan.ts';

/** A JSON value found inside a line, or the text around it. */
export type LinePiece =
  | { readonly value: unknown; readonly text: string }
  | { readonly stray: string };

/** Candidates that may fail in one line; keeps a line of nothing but brackets cheap. */
const MAX_FAILURES = 64;
/** Characters of failed candidates that are read again at most: this many, or the line this often. */
const MAX_REREAD_CHARS = 1024 * 1024;
const MAX_REREADS = 2;
/** What can open a message: an object with a member, or an array with an object. */
const OPENING = /\{(?=\s*")|\[(?=\s*\{)/g;

/**
 * Takes a line that is not JSON apart: messages joined without a newline and, when `lenient`,
 * a message with stray text before or behind it. Returns undefined when nothing can be saved.
 */
export function recoverLine(line: string, lenient: boolean): LinePiece[] | undefined {
  const pieces: LinePiece[] = [];
  let taken = 0;
  let from = 0;
  let failures = 0;
  // Candidates that do not close are each read to the end: the sum keeps a long hostile line linear.
  let budget = Math.max(MAX_REREAD_CHARS, line.length * MAX_REREADS);
  // End of a value that is broken or no message: what it quotes was not sent.
  let strangerEnd = 0;
  while (failures < MAX_FAILURES && budget > 0) {
    const start = nextOpening(line, from);
    if (start < 0) break;
    if (!lenient && line.slice(taken, start).trim() !== '') return undefined;
    if (start < strangerEnd && isElement(line, start)) {
      from = start + 1;
      continue;
    }
    const end = endOfValue(line, start);
    const text = end < 0 ? '' : line.slice(start, end);
    const value = parseOrUndefined(text);
    if (value === undefined || !looksLikeMessage(value)) {
      if (!lenient) return undefined;
      failures++;
      from = start + 1;
      const failedEnd = end < 0 ? line.length : end;
      budget -= failedEnd - start;
      strangerEnd = Math.max(strangerEnd, failedEnd);
      continue;
    }
    addStray(pieces, line.slice(taken, start));
    pieces.push({ value, text });
    taken = from = end;
  }
  if (pieces.length === 0) return undefined;
  if (!lenient && line.slice(taken).trim() !== '') return undefined;
  addStray(pieces, line.slice(taken));
  return pieces;
}

/** Whether a parsed value can be a JSON-RPC message or batch, as opposed to a logger's JSON. */
function looksLikeMessage(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isMessage) : isMessage(value);
}

function isMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

function nextOpening(line: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(line)?.index ?? -1;
}

/** Whether a bracket is where a value of something larger has its place. */
function isElement(line: string, start: number): boolean {
  let before = start - 1;
  while (line.charCodeAt(before) <= 0x20) before--;
  return ':,['.includes(line.charAt(before) || ' ');
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
