import { constants, isUtf8 } from 'node:buffer';
import { ByteQueue, decodeUtf8 } from './byte-queue.ts';
import { type Decoded, excerpt } from './decoded.ts';
import { Findings } from './findings.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from './framing.ts';
import {
  type HeaderBlock,
  indexOfHeader,
  MAX_HEADER_BYTES,
  opensHeaderBlock,
} from './header-block.ts';
import { isOpening, LineReader, withoutBlanks } from './line-reader.ts';
import { recoverLine } from './recover-line.ts';
import { SkippedMessage } from './skipped-message.ts';

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
/** A body announced as longer is not skipped to its end, which would swallow every message that follows. */
const MAX_SKIPPED_BYTES = 1024 * 1024 * 1024;
/** Times the same bytes are searched for a message, where bodies that fail lie inside each other. */
const MAX_RESCANS = 16;

/**
 * Turns bytes into messages, both framings, deciding anew at each message from its first non-blank byte.
 * Linear in the bytes whatever the chunking; holds no more than one message.
 */
export class FrameDecoder {
  readonly #limit: number;
  readonly #found = new Findings();
  readonly #lines: LineReader;
  /** The line or body that has begun and not ended. */
  readonly #partial = new ByteQueue();
  #header: HeaderBlock | undefined;
  /** Length of the body, while inside one. */
  #bodyBytes = -1;
  #skip: SkippedMessage | undefined;
  /** How many bytes of lines to decode at once: grows while lines follow lines. */
  #window = 0;
  /** Bodies that failed since the last byte that was seen for the first time ended a frame. */
  #failedBodies = 0;
  #rescanDepth = 0;

  constructor({
    maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES,
    lenient = false,
  }: FrameDecoderOptions = {}) {
    // What does not fit a string cannot be decoded, whatever was asked for.
    this.#limit = Math.min(maxMessageBytes, constants.MAX_STRING_LENGTH);
    this.#lines = new LineReader(this.#found, this.#limit, lenient);
  }

  /** Whether a message has begun and not ended. */
  get isInsideMessage(): boolean {
    return this.#hasTail || this.#lines.isHolding;
  }

  /** Beginning of the unfinished message, for a report. */
  get partialHead(): string {
    if (this.#skip !== undefined) return excerpt(this.#skip.head);
    if (this.#partial.length > 0) return excerpt(this.#partial.head(MAX_HEADER_BYTES).toString());
    return excerpt(this.#header?.text ?? this.#lines.held);
  }

  /** Takes the next bytes and returns what they completed. Never throws. */
  push(chunk: Buffer): Decoded[] {
    this.#consume(chunk);
    return this.#found.take();
  }

  /** Tells the decoder that no bytes follow; returns what the tail still gives. */
  end(): Decoded[] {
    this.#lines.isAtEnd = true;
    while (this.#hasTail) this.#finishTail();
    this.#lines.release();
    this.#lines.isAtEnd = false;
    return this.#found.take();
  }

  get #hasTail(): boolean {
    return (
      this.#partial.length > 0 ||
      this.#header !== undefined ||
      this.#bodyBytes > 0 ||
      this.#skip !== undefined
    );
  }

  #consume(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#skip !== undefined) at = this.#skipOn(this.#skip, chunk, at);
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
    const text = decodeUtf8(chunk, at, end);
    if (isBroken(text, chunk, at, end)) {
      // The report is about one line.
      this.#window = 0;
      return this.#readLine(chunk, at);
    }
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
        this.#header = this.#lines.accept(whole);
      }
      lines++;
      start = stop + 1;
      if (this.#header !== undefined) {
        this.#window = 0;
        return offsetOfLine(chunk, at, lines);
      }
    }
    this.#window = Math.min(MAX_WINDOW, Math.max(this.#window, end - at, 256) * 4);
    if (this.#rescanDepth === 0) this.#failedBodies = 0;
    return end + 1;
  }

  /** One line, possibly begun in an earlier chunk. */
  #readLine(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(LF, at);
    const end = newline < 0 ? chunk.length : newline;
    const length = this.#partial.length + end - at;
    if (this.#header !== undefined && length > MAX_HEADER_BYTES) this.#dropHeader(this.#header);
    if (this.#header === undefined && length > this.#limit) {
      const isMessage = isOpening(this.#partial.first ?? chunk[at]);
      const limit = isMessage ? this.#limit : Math.max(this.#limit, MAX_HEADER_BYTES);
      // The carriage return of the line end does not count, even where the newline is still to come.
      const last = end > at ? chunk[end - 1] : this.#partial.last;
      if (length > (last === CR ? limit + 1 : limit)) return this.#startSkip(chunk, at);
    }
    this.#partial.push(chunk.subarray(at, end));
    if (newline < 0) return end;
    if (this.#rescanDepth === 0) this.#failedBodies = 0;
    this.#onLine(this.#partial.take());
    return end + 1;
  }

  #onLine(bytes: Buffer): void {
    if (this.#header !== undefined) {
      this.#onHeaderLine(this.#header, bytes);
      return;
    }
    const text = this.#decode(bytes);
    if (bytes.length > this.#limit && !this.#fits(bytes, text)) this.#refuse(bytes);
    else if (isOpening(bytes[0])) this.#header = this.#lines.accept(text);
    else this.#header = this.#lines.acceptText(text);
  }

  /** Whether a line is over the limit only for its carriage return, or as a header, which has its own. */
  #fits(bytes: Buffer, text: string): boolean {
    const line = withoutBlanks(text);
    if (line === '' || opensHeaderBlock(line.trimEnd(), line.endsWith('\r'))) return true;
    return bytes.length === this.#limit + 1 && bytes.at(-1) === CR;
  }

  #refuse(bytes: Buffer): void {
    this.#skip = new SkippedMessage('line');
    this.#skip.add(bytes, 0, bytes.length);
    this.#finishSkip(this.#skip);
  }

  #decode(bytes: Buffer): string {
    const text = decodeUtf8(bytes, 0, bytes.length);
    if (isBroken(text, bytes, 0, bytes.length)) this.#found.warn('invalid-utf8', text);
    return text;
  }

  #onHeaderLine(header: HeaderBlock, bytes: Buffer): void {
    const line = bytes.toString('latin1').replace(/\r$/, '');
    if (line === '') {
      this.#header = undefined;
      this.#startBody(header);
      return;
    }
    // A message behind blanks is no folded header.
    const isMessage = isOpening(withoutBlanks(bytes.toString()).charCodeAt(0));
    const step = isMessage ? 'not-a-header' : header.add(line);
    if (step === 'malformed') this.#found.warn('header-line', line);
    if (step === 'too-long' || step === 'not-a-header') {
      this.#dropHeader(header);
      this.#onLine(bytes);
    }
  }

  #dropHeader(header: HeaderBlock): void {
    this.#header = undefined;
    this.#found.junk('bad-header', header.text, 'header');
  }

  #startBody(header: HeaderBlock): void {
    const { length, fault } = header;
    const isUsable = length !== undefined && length <= MAX_SKIPPED_BYTES;
    if (!isUsable || fault === 'bad-header') this.#dropHeader(header);
    else if (length === 0) this.#found.junk('empty-body', '', 'header');
    else {
      this.#bodyBytes = length;
      if (length > this.#limit || fault !== undefined) {
        this.#skip = new SkippedMessage('header', fault);
      }
    }
  }

  #readBody(chunk: Buffer, at: number): number {
    const end = Math.min(at + this.#bodyBytes - this.#partial.length, chunk.length);
    this.#partial.push(chunk.subarray(at, end));
    if (this.#partial.length < this.#bodyBytes) return end;
    this.#bodyBytes = -1;
    this.#onBody(this.#partial.take(), true);
    return end;
  }

  #onBody(body: Buffer, isWhole: boolean): void {
    const text = this.#decode(body).replace(/^\uFEFF/, '');
    if (this.#takeBody(text, isWhole)) {
      if (this.#rescanDepth === 0) this.#failedBodies = 0;
      return;
    }
    // The announced length was wrong or the body is not JSON: look for the next message inside it.
    const next = this.#failedBodies++ < MAX_RESCANS ? indexOfHeader(body) : -1;
    const before = next < 0 ? text : body.toString('utf8', 0, next);
    if (next < 0 || !this.#takeBody(before, false)) {
      this.#found.junk(isWhole ? 'bad-body' : 'truncated', before, 'header');
    }
    if (next < 0) return;
    this.#rescanDepth++;
    this.#consume(body.subarray(next));
    this.#rescanDepth--;
  }

  #takeBody(text: string, hasLength: boolean): boolean {
    const found = this.#found;
    if (!found.parsed(text, 'header')) {
      return found.pieces(text, recoverLine(text, false), 'header');
    }
    if (!hasLength) found.warn('bad-length', text);
    return true;
  }

  #startSkip(chunk: Buffer, at: number): number {
    const skip = new SkippedMessage('line');
    for (const part of this.#partial.takeParts()) skip.add(part, 0, part.length);
    this.#skip = skip;
    return this.#skipOn(skip, chunk, at);
  }

  #skipOn(skip: SkippedMessage, chunk: Buffer, at: number): number {
    if (skip.framing === 'line') {
      const newline = chunk.indexOf(LF, at);
      skip.add(chunk, at, newline < 0 ? chunk.length : newline);
      if (newline < 0) return chunk.length;
      this.#finishSkip(skip);
      return newline + 1;
    }
    const end = Math.min(at + this.#bodyBytes - skip.bytes, chunk.length);
    skip.add(chunk, at, end);
    if (skip.bytes === this.#bodyBytes) this.#finishSkip(skip);
    return end;
  }

  #finishSkip(skip: SkippedMessage): void {
    const { framing, reason } = skip;
    const head = withoutBlanks(skip.head);
    const size = framing === 'header' ? this.#bodyBytes : skip.size;
    this.#skip = undefined;
    this.#bodyBytes = -1;
    if (reason !== undefined) this.#found.junk(reason, head, 'header');
    else this.#found.oversize(head, size, this.#limit, framing);
  }

  /** One step towards the end: what is unfinished is taken as it is. */
  #finishTail(): void {
    if (this.#skip !== undefined) this.#finishSkip(this.#skip);
    else if (this.#bodyBytes >= 0) {
      this.#bodyBytes = -1;
      this.#onBody(this.#partial.take(), false);
    } else if (this.#partial.length > 0) this.#onLine(this.#partial.take());
    else if (this.#header !== undefined) {
      this.#found.junk('truncated', this.#header.text, 'header');
      this.#header = undefined;
    }
  }
}

/** Whether a text was decoded from bytes that are not UTF-8. U+FFFD may be in the message itself. */
function isBroken(text: string, bytes: Buffer, start: number, end: number): boolean {
  return text.includes('\uFFFD') && !isUtf8(bytes.subarray(start, end));
}

/** Byte offset of the line with number `lines` after `from`. Counts newlines, so broken UTF-8 does no harm. */
function offsetOfLine(chunk: Buffer, from: number, lines: number): number {
  let at = from;
  for (let i = 0; i < lines; i++) at = chunk.indexOf(LF, at) + 1;
  return at;
}
