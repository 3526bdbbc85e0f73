import { isAscii } from 'node:buffer';

/** Above this size an ASCII check and a one-byte copy are cheaper than decoding UTF-8. */
const ASCII_CHECK_BYTES = 64 * 1024;

/** Decodes UTF-8 and never throws: bytes that are not UTF-8 become U+FFFD. */
export function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  if (end - start < ASCII_CHECK_BYTES) return bytes.toString('utf8', start, end);
  const part = bytes.subarray(start, end);
  return isAscii(part) ? part.toString('latin1') : part.toString('utf8');
}

/** The parts of one unfinished message, joined once when it is complete. */
export class ByteQueue {
  #parts: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** Returns everything as one buffer and forgets it. */
  take(): Buffer {
    const [first] = this.#parts;
    const whole =
      this.#parts.length === 1 && first !== undefined
        ? first
        : Buffer.concat(this.#parts, this.#length);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#parts = [];
    this.#length = 0;
  }

  /** The first `bytes` bytes, copied, so that they do not pin the chunks they came in. */
  head(bytes: number): Buffer {
    const wanted = Math.min(bytes, this.#length);
    const head = Buffer.allocUnsafe(wanted);
    let at = 0;
    for (const part of this.#parts) {
      if (at >= wanted) break;
      at += part.copy(head, at, 0, wanted - at);
    }
    return head;
  }
}
