import { isAscii } from 'node:buffer';

/** Above this size an ASCII check and a one-byte copy are cheaper than decoding UTF-8. */
const ASCII_CHECK_BYTES = 64 * 1024;

/** Decodes UTF-8 and never throws: bytes that are not UTF-8 become U+FFFD. */
export function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  if (end - start < ASCII_CHECK_BYTES) return bytes.toString('utf8', start, end);
  const part = bytes.subarray(start, end);
  return isAscii(part) ? part.toString('latin1') : part.toString('utf8');
}

/** Parts shorter than this are copied together: kept apart, each would cost more than its bytes. */
const SMALL_PART = 512;
const MIN_BLOCK = 1024;
const MAX_BLOCK = 64 * 1024;

/** The parts of one unfinished message, joined once when it is complete. */
export class ByteQueue {
  #parts: Buffer[] = [];
  #length = 0;
  /** Small parts that follow each other. */
  #block: Buffer | undefined;
  #blockBytes = 0;

  get length(): number {
    return this.#length;
  }

  get first(): number | undefined {
    return this.#parts[0]?.[0];
  }

  get last(): number | undefined {
    return this.#block?.[this.#blockBytes - 1] ?? this.#parts.at(-1)?.at(-1);
  }

  push(part: Buffer): void {
    if (part.length === 0) return;
    if (part.length < SMALL_PART && this.#parts.length > 0) this.#gather(part);
    else {
      this.#closeBlock();
      this.#parts.push(part);
    }
    this.#length += part.length;
  }

  /** Returns everything as one buffer and forgets it. */
  take(): Buffer {
    const length = this.#length;
    const parts = this.takeParts();
    const [first] = parts;
    return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts, length);
  }

  /** Returns everything in parts and forgets it. */
  takeParts(): readonly Buffer[] {
    this.#closeBlock();
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    return parts;
  }

  /** The first `bytes` bytes, copied, so that they do not pin the chunks they came in. */
  head(bytes: number): Buffer {
    this.#closeBlock();
    const wanted = Math.min(bytes, this.#length);
    const head = Buffer.allocUnsafe(wanted);
    let at = 0;
    for (const part of this.#parts) {
      if (at >= wanted) break;
      at += part.copy(head, at, 0, wanted - at);
    }
    return head;
  }

  #gather(part: Buffer): void {
    if (this.#block !== undefined && this.#blockBytes + part.length > this.#block.length) {
      this.#closeBlock();
    }
    // Blocks grow with the message, so that their number stays small and so does the room they waste.
    this.#block ??= Buffer.allocUnsafe(Math.min(MAX_BLOCK, Math.max(MIN_BLOCK, this.#length)));
    this.#blockBytes += part.copy(this.#block, this.#blockBytes);
  }

  #closeBlock(): void {
    if (this.#block === undefined) return;
    this.#parts.push(this.#block.subarray(0, this.#blockBytes));
    this.#block = undefined;
    this.#blockBytes = 0;
  }
}
