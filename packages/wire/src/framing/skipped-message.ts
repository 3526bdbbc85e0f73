import type { JunkReason } from './decoded.ts';
import type { Framing } from './framing.ts';

/** Bytes kept to find the id of a message that is skipped. */
const HEAD_BYTES = 4 * 1024;
const CR = 0x0d;

/** A message that is not taken: counted up to its end and never held, but for its beginning. */
export class SkippedMessage {
  readonly framing: Framing;
  /** Why it is skipped; undefined for its size. */
  readonly reason: JunkReason | undefined;
  readonly #head = Buffer.allocUnsafe(HEAD_BYTES);
  #headBytes = 0;
  #bytes = 0;
  #last: number | undefined;

  constructor(framing: Framing, reason?: JunkReason) {
    this.framing = framing;
    this.reason = reason;
  }

  /** Bytes that went by. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of the message: the carriage return of a line end is none of them. */
  get size(): number {
    return this.framing === 'line' && this.#last === CR ? this.#bytes - 1 : this.#bytes;
  }

  get head(): string {
    return this.#head.toString('utf8', 0, this.#headBytes);
  }

  add(chunk: Buffer, start: number, end: number): void {
    if (end <= start) return;
    this.#headBytes += chunk.copy(this.#head, this.#headBytes, start, end);
    this.#bytes += end - start;
    this.#last = chunk[end - 1];
  }
}
