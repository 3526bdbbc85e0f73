import { TextDecoder } from 'node:util';
import { DEFAULT_MAX_MESSAGE_BYTES } from 'tincan-wire';

const NEWLINE = 0x0a;

/** A line that is not blank. */
export interface SplitLine {
  /** Counts from 1, blank lines included. */
  readonly number: number;
  /** Empty where the line is refused. */
  readonly text: string;
  /** Why the line cannot be read as text. */
  readonly refusal?: string;
  /** Bytes up to its end. */
  readonly bytes: number;
}

/** Splits bytes into lines of text. The bytes of a line that is too long are dropped as they come. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #held: Buffer[] = [];
  #length = 0;
  #number = 0;
  #bytes = 0;

  /** A line may be as long as the longest message that a server takes. */
  constructor({ maxBytes = DEFAULT_MAX_MESSAGE_BYTES }: { readonly maxBytes?: number } = {}) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of all lines that ended. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The lines that end in a chunk. */
  *push(chunk: Buffer): Iterable<SplitLine> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      start = end + 1;
      yield* this.#take(1);
    }
    this.#hold(chunk.subarray(start));
  }

  /** The last line, where no newline ends it. */
  *end(): Iterable<SplitLine> {
    if (this.#length > 0) yield* this.#take(0);
  }

  #hold(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#maxBytes) this.#held = [];
    else if (part.length > 0) this.#held.push(part);
  }

  *#take(newlineBytes: number): Iterable<SplitLine> {
    const [held, length] = [this.#held, this.#length];
    this.#held = [];
    this.#length = 0;
    this.#number += 1;
    this.#bytes += length + newlineBytes;
    const place = { number: this.#number, bytes: this.#bytes };
    if (length > this.#maxBytes) {
      const refusal = `expected a line of at most ${this.#maxBytes} bytes, got ${length} bytes: split the record`;
      yield { ...place, text: '', refusal };
      return;
    }
    const bytes = Buffer.concat(held);
    // JSON has no raw NUL, and Node decodes a file of them as if they were text.
    if (bytes.includes(0)) {
      yield {
        ...place,
        text: '',
        refusal: 'expected JSON, got NUL bytes: not a text file in UTF-8',
      };
      return;
    }
    const text = this.#decode(bytes);
    if (text === undefined) {
      yield { ...place, text: '', refusal: 'expected text in UTF-8, got other bytes' };
    } else if (text.trim() !== '') yield { ...place, text };
  }

  /** Without the byte order mark of a first line, which the decoder drops. */
  #decode(bytes: Buffer): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }
}
