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
    this.#take(this.#decoder.write(chunk));
  }

  /** Reports the last line, if it has no end. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#line !== '') this.#onLine(this.#line);
    this.#line = '';
  }

  #take(text: string): void {
    this.#tail = (this.#tail + text).slice(-this.#maxChars);
    const lines = (this.#line + text).split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const rest = this.#cut(line);
      this.#onLine(rest.endsWith('\r') ? rest.slice(0, -1) : rest);
    }
    this.#line = this.#cut(last);
  }

  /** Reports the pieces of a line that is too long and returns what is left of it. */
  #cut(line: string): string {
    let start = 0;
    for (; line.length - start > MAX_LINE_CHARS; start += MAX_LINE_CHARS) {
      this.#onLine(line.slice(start, start + MAX_LINE_CHARS));
    }
    return line.slice(start);
  }
}
