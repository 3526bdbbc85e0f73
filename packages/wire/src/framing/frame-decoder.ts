import { isUtf8 } from 'node:buffer';
import { ByteQueue, decodeUtf8 } from './byte-queue.ts';
import { type Decoded, excerpt, type JunkReason, type WarningReason } from './decoded.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, type Framing } from './framing.ts';
import { GLUED_HEADER, HeaderBlock, opensHeaderBlock } from './header-block.ts';
import { LineHold } from './line-hold.ts';
import { looksLikeMessage, recoverLine } from './recover-line.ts';

/** Settings of a {@link FrameDecoder}. */
export interface FrameDecoderOptions {
  /** Largest message accepted, in bytes without its frame. */
  readonly maxMessageBytes?: number;
  /** Save messages from lines with stray text, and join pretty-printed ones. For the client end. */
  readonly lenient?: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
/** Most bytes of whole lines decoded with one call. */
const MAX_WINDOW = 64 * 1024;
/** Bytes of an oversized message kept to find its id. */
const HEAD_BYTES = 4 * 1024;
/** Bodies in a row that may fail before their bytes are no longer searched for a message. */
const MAX_RESCANS = 16;
const LEADING_BLANKS = /^[\0\s\uFEFF]+/;
const JSON_SCALAR = /^["\-\dtfn]/;

/**
 * Turns bytes into messages, both framings, deciding anew at each message from its first non-blank byte.
 * Linear in the bytes whatever the chunking; holds no more than one message.
 */
export class FrameDecoder {
  readonly #limit: number;
  readonly #lenient: boolean;
  readonly #partial = new ByteQueue();
  readonly #hold = new LineHold();
  #out: Decoded[] = [];
  #header: HeaderBlock | undefined;
  /** Body bytes still to come, while inside a body. */
  #bodyBytes = -1;
  /** Set while the rest of a message over the limit is being skipped. */
  #skip: { head: Buffer; size: number; framing: Framing; reason?: JunkReason } | undefined;
  /** How many bytes of lines to decode at once: grows while lines follow lines. */
  #window = 0;
  #failedBodies = 0;

  constructor(options: FrameDecoderOptions = {}) {
    this.#limit = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    this.#lenient = options.lenient ?? false;
  }

  /** Whether a message has begun and not ended. */
  get isInsideMessage(): boolean {
    return this.#partial.length > 0 || this.#header !== undefined || this.#bodyBytes > 0;
  }

  /** Beginning of the unfinished message, for a report. */
  get partialHead(): string {
    return excerpt(this.#partial.head(HEAD_BYTES).toString('utf8'));
  }

  /** Takes the next bytes and returns what they completed. Never throws. */
  push(chunk: Buffer): Decoded[] {
    this.#out = [];
    this.#consume(chunk);
    return this.#out;
  }

  /** Tells the decoder that no bytes follow; returns what the tail still gives. */
  end(): Decoded[] {
    this.#out = [];
    if (this.#skip !== undefined) this.#finishSkip();
    else this.#finishTail();
    this.#releaseHold();
    return this.#out;
  }

  #consume(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#skip !== undefined) at = this.#skipOn(chunk, at);
      else if (this.#bodyBytes >= 0) at = this.#readBody(chunk, at);
      else if (this.#header !== undefined || this.#partial.length > 0)
        at = this.#readLine(chunk, at);
      else if (isOpening(chunk[at])) at = this.#readLines(chunk, at);
      else at = this.#readLine(chunk, at);
    }
  }

  /** The fast path: whole lines, many at once, decoded with one call and cut as strings. */
  #readLines(chunk: Buffer, at: number): number {
    let end = -1;
    if (this.#window > 0) {
      end = chunk.lastIndexOf(LF, Math.min(at + this.#window, chunk.length) - 1);
    }
    if (end < at) end = chunk.indexOf(LF, at);
    if (end < 0 || end - at > this.#limit) return this.#readLine(chunk, at);
    const text = this.#decode(chunk, at, end);
    let start = 0;
    let lines = 0;
    while (start <= text.length) {
      const newline = text.indexOf('\n', start);
      const stop = newline < 0 ? text.length : newline;
      if (stop > start) {
        const first = text.charCodeAt(start);
        if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) {
          // Something else than a message: only the bytes tell where it ends.
          this.#window = 0;
          return this.#readLine(chunk, offsetOfLine(chunk, at, lines));
        }
        const whole = start === 0 && stop === text.length ? text : text.slice(start, stop);
        this.#acceptLine(whole);
      }
      lines++;
      start = stop + 1;
      if (this.#header !== undefined) {
        this.#window = 0;
        return offsetOfLine(chunk, at, lines);
      }
    }
    this.#window = Math.min(MAX_WINDOW, Math.max(this.#window, end - at, 256) * 4);
    return end + 1;
  }

  /** One line, possibly begun in an earlier chunk. */
  #readLine(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(LF, at);
    const end = newline < 0 ? chunk.length : newline;
    const limit = this.#header === undefined ? this.#limit : Math.max(this.#limit, 64 * 1024);
    if (this.#partial.length + end - at > limit) {
      // The carriage return of the line end does not count.
      const isJustOver = newline >= 0 && this.#partial.length + end - at === limit + 1;
      if (!(isJustOver && chunk[end - 1] === CR)) return this.#startSkip(chunk, at);
    }
    this.#partial.push(chunk.subarray(at, end));
    if (newline < 0) return chunk.length;
    const line = this.#partial.take();
    this.#onLine(line);
    return end + 1;
  }

  #onLine(bytes: Buffer): void {
    if (this.#header !== undefined) {
      this.#onHeaderLine(bytes.toString('latin1').replace(/\r$/, ''), bytes);
      return;
    }
    if (isOpening(bytes[0])) {
      this.#acceptLine(this.#decode(bytes, 0, bytes.length));
      return;
    }
    this.#onText(this.#decode(bytes, 0, bytes.length));
  }

  #decode(bytes: Buffer, start: number, end: number): string {
    const text = decodeUtf8(bytes, start, end);
    // U+FFFD may be in the message itself: only the bytes tell.
    if (text.includes('\uFFFD') && !isUtf8(bytes.subarray(start, end))) {
      this.#warn('invalid-utf8', text);
    }
    return text;
  }

  /** A line that does not start with a bracket: blank, header, stray text, or a message behind blanks. */
  #onText(raw: string): void {
    const blanks = LEADING_BLANKS.exec(raw)?.[0] ?? '';
    if (blanks.includes('\0')) this.#warn('nul-bytes', raw);
    const line = raw.slice(blanks.length);
    if (line === '') return;
    if (isOpening(line.charCodeAt(0))) {
      this.#acceptLine(line);
      return;
    }
    const text = line.replace(/\r$/, '');
    if (opensHeaderBlock(text, text.length < line.length)) {
      this.#releaseHold();
      this.#header = new HeaderBlock();
      this.#header.add(text);
      return;
    }
    if (this.#hold.isOpen) {
      this.#continueHold(line);
      return;
    }
    const glued = GLUED_HEADER.exec(line);
    if (glued !== null) {
      this.#junk('not-json', line.slice(0, glued.index), 'header');
      this.#onText(line.slice(glued.index));
      return;
    }
    if (JSON_SCALAR.test(text) && this.#tryMessage(text)) return;
    if (this.#lenient && this.#deliverPieces(line)) return;
    this.#junk('not-json', text, 'line');
  }

  /** A line that starts like a message. */
  #acceptLine(line: string): void {
    if (this.#hold.isOpen) {
      this.#continueHold(line);
      return;
    }
    if (this.#tryMessage(line)) return;
    const glued = GLUED_HEADER.exec(line);
    if (glued !== null) {
      this.#acceptLine(line.slice(0, glued.index));
      this.#header = new HeaderBlock();
      this.#header.add(line.slice(glued.index).trim());
      return;
    }
    if (this.#deliverPieces(line)) return;
    if (this.#lenient && this.#hold.open(line)) return;
    const isUtf16 = line.charCodeAt(1) === 0 || line.charCodeAt(0) === 0;
    this.#junk(isUtf16 ? 'utf16' : 'not-json', line, 'line');
  }

  #tryMessage(text: string): boolean {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Not JSON: the caller decides what else it may be.
      return false;
    }
    this.#failedBodies = 0;
    this.#out.push({ kind: 'message', value, text, framing: 'line' });
    return true;
  }

  #deliverPieces(line: string): boolean {
    const pieces = recoverLine(line, this.#lenient);
    if (pieces === undefined) return false;
    this.#warn('glued', line);
    for (const piece of pieces) {
      if ('stray' in piece) this.#warn('stray', piece.stray);
      else this.#out.push({ kind: 'message', ...piece, framing: 'line' });
    }
    return true;
  }

  /** Lines of a pretty-printed message are joined until they close, or until a whole message interrupts them. */
  #continueHold(line: string): void {
    const parsed = isOpening(line.charCodeAt(0)) ? parseMessage(line) : undefined;
    if (parsed !== undefined) {
      this.#releaseHold();
      this.#out.push({ kind: 'message', value: parsed, text: line, framing: 'line' });
      return;
    }
    const state = this.#hold.add(line, this.#limit);
    if (state === 'open') return;
    const text = this.#hold.take();
    if (state === 'closed' && this.#tryMessage(text)) return;
    this.#junk('not-json', text, 'line');
  }

  #releaseHold(): void {
    if (this.#hold.isOpen) this.#junk('not-json', this.#hold.take(), 'line');
  }

  #onHeaderLine(line: string, bytes: Buffer): void {
    const header = this.#header as HeaderBlock;
    if (line === '') {
      this.#header = undefined;
      this.#startBody(header);
      return;
    }
    const step = isOpening(line.charCodeAt(0)) ? 'not-a-header' : header.add(line);
    if (step === 'malformed') this.#warn('header-line', line);
    if (step === 'too-long' || step === 'not-a-header') {
      this.#header = undefined;
      this.#junk('bad-header', header.lines.join('\n'), 'header');
      this.#onLine(bytes);
    }
  }

  #startBody(header: HeaderBlock): void {
    const { length, fault } = header;
    if (length === undefined || fault === 'bad-header') {
      this.#junk('bad-header', header.lines.join('\n'), 'header');
    } else if (length === 0) {
      this.#junk('empty-body', '', 'header');
    } else if (length > this.#limit || fault === 'charset') {
      const head = Buffer.alloc(0);
      this.#skip = { head, size: 0, framing: 'header', ...(fault && { reason: fault }) };
      this.#bodyBytes = length;
    } else {
      this.#bodyBytes = length;
    }
  }

  #readBody(chunk: Buffer, at: number): number {
    const end = Math.min(at + this.#bodyBytes - this.#partial.length, chunk.length);
    this.#partial.push(chunk.subarray(at, end));
    if (this.#partial.length < this.#bodyBytes) return end;
    this.#bodyBytes = -1;
    this.#onBody(this.#partial.take());
    return end;
  }

  #onBody(body: Buffer): void {
    const text = this.#decode(body, 0, body.length).replace(/^\uFEFF/, '');
    try {
      const value: unknown = JSON.parse(text);
      this.#failedBodies = 0;
      this.#out.push({ kind: 'message', value, text, framing: 'header' });
      return;
    } catch {
      // The announced length was wrong or the body is not JSON: look for the next message inside it.
    }
    const next = this.#failedBodies++ < MAX_RESCANS ? indexOfHeader(body) : -1;
    this.#junk('bad-body', next < 0 ? text : body.toString('utf8', 0, next), 'header');
    if (next >= 0) this.#consume(body.subarray(next));
  }

  #startSkip(chunk: Buffer, at: number): number {
    const head = Buffer.concat([
      this.#partial.head(HEAD_BYTES),
      chunk.subarray(at, at + Math.max(0, HEAD_BYTES - this.#partial.length)),
    ]);
    this.#skip = { head, size: this.#partial.length, framing: 'line' };
    this.#partial.clear();
    this.#header = undefined;
    return this.#skipOn(chunk, at);
  }

  #skipOn(chunk: Buffer, at: number): number {
    const skip = this.#skip;
    if (skip === undefined) return at;
    if (skip.framing === 'line') {
      const newline = chunk.indexOf(LF, at);
      const end = newline < 0 ? chunk.length : newline;
      skip.size += end - at;
      if (newline >= 0) this.#finishSkip();
      return newline < 0 ? end : end + 1;
    }
    const end = Math.min(at + this.#bodyBytes - skip.size, chunk.length);
    if (skip.head.length < HEAD_BYTES) {
      skip.head = Buffer.concat([skip.head, chunk.subarray(at, end)]).subarray(0, HEAD_BYTES);
    }
    skip.size += end - at;
    if (skip.size === this.#bodyBytes) this.#finishSkip();
    return end;
  }

  #finishSkip(): void {
    const skip = this.#skip;
    if (skip === undefined) return;
    const head = skip.head.toString('utf8').replace(LEADING_BLANKS, '');
    const size = skip.framing === 'header' ? this.#bodyBytes : skip.size;
    this.#skip = undefined;
    this.#bodyBytes = -1;
    if (skip.reason !== undefined) this.#junk(skip.reason, head, 'header');
    else {
      const { framing } = skip;
      this.#out.push({ kind: 'oversize', head, size, limit: this.#limit, framing });
    }
  }

  #finishTail(): void {
    const text = this.#partial.take().toString('utf8').replace(LEADING_BLANKS, '');
    const isHeader = this.#header !== undefined || this.#bodyBytes >= 0;
    const lines = this.#header?.lines ?? [];
    this.#bodyBytes = -1;
    this.#header = undefined;
    if (text === '' && !isHeader) return;
    if (lines.length === 0 && isOpening(text.charCodeAt(0))) {
      if (!this.#hold.isOpen && (this.#tryMessage(text) || this.#deliverPieces(text))) return;
    }
    if (this.#hold.isOpen) this.#continueHold(text);
    else this.#junk('truncated', [...lines, text].join('\n'), isHeader ? 'header' : 'line');
  }

  #junk(reason: JunkReason, text: string, framing: Framing): void {
    this.#out.push({ kind: 'junk', reason, text: excerpt(text), framing });
  }

  #warn(reason: WarningReason, text: string): void {
    this.#out.push({ kind: 'warning', reason, text: excerpt(text) });
  }
}

function isOpening(code: number | undefined): boolean {
  return code === OPEN_OBJECT || code === OPEN_ARRAY;
}

/** Byte offset of the line with number `lines` after `from`. Counts newlines, so broken UTF-8 does no harm. */
function offsetOfLine(chunk: Buffer, from: number, lines: number): number {
  let at = from;
  for (let i = 0; i < lines; i++) at = chunk.indexOf(LF, at) + 1;
  return at;
}

function indexOfHeader(body: Buffer): number {
  return body.toString('latin1').search(/content-length[ \t]*:[ \t]*\d{1,15}[ \t]*\r?\n/i);
}

function parseMessage(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return looksLikeMessage(value) ? value : undefined;
  } catch {
    // Part of something larger.
    return undefined;
  }
}
