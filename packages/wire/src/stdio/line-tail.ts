import { StringDecoder } from 'node:string_decoder';

/** A line longer than this is reported in pieces. */
const MAX_LINE_CHARS = 8 * 1024;

/** Reads text line by line and remembers the end of it, in bounded memory. */
export class LineTail {
  readonly #decoder = new StringDecoder('utf8');
  readonly #maxChars: number;
  readonly #onLine: (line: string) => void;
  #tail = '';
  #line = '';

  constructor(maxChars: number, onLine: (line: string) => void) {
    this.#maxChars = maxChars;
    this.#onLine = onLine;
  }

  /** The last characters seen. */
  get text(): string {
    return this.#tail;
  }

  push(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    this.#tail = (this.#tail + text).slice(-this.#maxChars);
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    while (this.#line.length > MAX_LINE_CHARS) {
      this.#onLine(this.#line.slice(0, MAX_LINE_CHARS));
      this.#line = this.#line.slice(MAX_LINE_CHARS);
    }
  }

  /** Reports the last line, if it has no end. */
  end(): void {
    if (this.#line !== '') this.#onLine(this.#line);
    this.#line = '';
  }
}
