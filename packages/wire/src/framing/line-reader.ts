import type { Findings } from './findings.ts';
import type { Framing } from './framing.ts';
import { HeaderBlock, indexOfGluedHeader, opensHeaderBlock } from './header-block.ts';
import { LineHold } from './line-hold.ts';
import { recoverLine } from './recover-line.ts';

const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;
const LEADING_BLANKS = /^[\0\s\uFEFF]+/;
const JSON_SCALAR = /^["\-\dtfn]/;

/** Whether a byte or character opens a JSON object or array. */
export function isOpening(code: number | undefined): boolean {
  return code === OPEN_OBJECT || code === OPEN_ARRAY;
}

/** Drops what may stand in front of a message without a meaning. */
export function withoutBlanks(text: string): string {
  return text.replace(LEADING_BLANKS, '');
}

/**
 * Says what a line is: a message, several, part of one, the start of a header block, or junk.
 * Each line that starts a header block gives that block back.
 */
export class LineReader {
  /** Set when no line follows: what does not parse then is cut off rather than wrong. */
  isAtEnd = false;
  readonly #found: Findings;
  readonly #limit: number;
  readonly #lenient: boolean;
  readonly #hold = new LineHold();

  constructor(found: Findings, limit: number, lenient: boolean) {
    this.#found = found;
    this.#limit = limit;
    this.#lenient = lenient;
  }

  get isHolding(): boolean {
    return this.#hold.isOpen;
  }

  /** Lines of a pretty-printed message that has not closed yet. */
  get held(): string {
    return this.#hold.text;
  }

  /** Takes a line that starts with a bracket. */
  accept(line: string): HeaderBlock | undefined {
    if (this.#hold.isOpen) return this.#continueHold(line);
    if (this.#found.parsed(line, 'line')) return undefined;
    return this.#recover(line);
  }

  /** Takes any line: blank, header, stray text, or a message behind blanks. */
  acceptText(raw: string): HeaderBlock | undefined {
    const line = withoutBlanks(raw);
    if (raw.slice(0, raw.length - line.length).includes('\0')) this.#found.warn('nul-bytes', raw);
    if (line === '') return undefined;
    if (isOpening(line.charCodeAt(0))) return this.accept(line);
    const text = withoutReturn(line);
    if (opensHeaderBlock(text, text.length < line.length)) {
      this.release();
      return headerFrom(text);
    }
    if (this.#hold.isOpen) return this.#continueHold(line);
    if (JSON_SCALAR.test(text) && this.#found.parsed(text, 'line')) return undefined;
    return this.#recover(line);
  }

  /** Gives up on lines that wait for their end. */
  release(): void {
    if (this.#hold.isOpen) this.#junk(this.#hold.take(), 'line');
  }

  /** A line that is not JSON. */
  #recover(line: string): HeaderBlock | undefined {
    const glued = indexOfGluedHeader(line);
    if (glued >= 0) {
      const before = line.slice(0, glued);
      const isMessage = isOpening(before.charCodeAt(0)) && this.#found.parsed(before, 'line');
      if (!isMessage && !this.#takeApart(before)) this.#junk(before, 'header');
      return headerFrom(line.slice(glued).trim());
    }
    if (this.#takeApart(line)) return undefined;
    const mayGoOn = this.#lenient && isOpening(line.charCodeAt(0));
    if (!mayGoOn || !this.#hold.open(line)) this.#junk(line, 'line');
    return undefined;
  }

  #takeApart(line: string): boolean {
    return this.#found.pieces(line, recoverLine(line, this.#lenient), 'line');
  }

  /** Lines of a pretty-printed message are joined until they close, or until a message interrupts them. */
  #continueHold(line: string): HeaderBlock | undefined {
    const state = interrupts(line) ? 'interrupted' : this.#hold.add(line, this.#limit);
    if (state === 'open') return undefined;
    if (state === 'closed') {
      const text = this.#hold.take();
      if (!this.#found.parsed(text, 'line')) this.#junk(text, 'line');
      return undefined;
    }
    this.release();
    return isOpening(line.charCodeAt(0)) ? this.accept(line) : this.#recover(line);
  }

  #junk(line: string, framing: Framing): void {
    const otherwise = this.isAtEnd ? 'truncated' : 'not-json';
    const reason = isUtf16(line) ? 'utf16' : otherwise;
    this.#found.junk(reason, withoutReturn(line), framing);
  }
}

function headerFrom(line: string): HeaderBlock {
  const header = new HeaderBlock();
  header.add(line);
  return header;
}

/** Whether a line holds more than a part of a pretty-printed message: a member starts with a quote. */
function interrupts(line: string): boolean {
  if (indexOfGluedHeader(line) >= 0) return true;
  if (line.charCodeAt(0) === QUOTE || !line.includes('"jsonrpc"')) return false;
  return recoverLine(line, true) !== undefined;
}

/** Drops the carriage return of a line end. */
function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** UTF-16 read as UTF-8: every other character is NUL, and a byte order mark is two broken ones. */
function isUtf16(line: string): boolean {
  return line.charCodeAt(1) === 0 || (line.startsWith('\uFFFD\uFFFD') && line.includes('\0'));
}
