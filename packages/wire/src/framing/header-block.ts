/** A header block may not be longer than this; what is longer is not a header block. */
export const MAX_HEADER_BYTES: number = 8 * 1024;

const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(.*)$/;
const LENGTH = /^\d{1,15}$/;
const LENGTH_HEADER = /content-length[ \t]*:[ \t]*\d{1,15}[ \t]*\r?$/i;
const CHARSET = /charset\s*=\s*"?([^\s";]+)/i;

/** A length header glued behind other text is not longer than this, so a long line is not searched. */
const GLUED_CHARS = 256;
const SHORTEST_HEADER = 'content-length:1'.length;
const LF = 0x0a;

/** Offset of a length header at the end of a line, as after a body longer than announced, or -1. */
export function indexOfGluedHeader(line: string): number {
  const from = Math.max(0, line.length - GLUED_CHARS);
  const at = line.slice(from).search(LENGTH_HEADER);
  return at < 0 ? -1 : from + at;
}

/** Offset of a length header anywhere in bytes, or -1. JSON has no raw newline behind one in a string. */
export function indexOfHeader(bytes: Buffer): number {
  let start = 0;
  // A loop, because a search for each newline costs too much where there are millions of them.
  for (let end = 0; end < bytes.length; end++) {
    if (bytes[end] !== LF) continue;
    if (end - start >= SHORTEST_HEADER) {
      const from = Math.max(start, end - GLUED_CHARS);
      const at = bytes.toString('latin1', from, end).search(LENGTH_HEADER);
      if (at >= 0) return from + at;
    }
    start = end + 1;
  }
  return -1;
}

/** Outcome of one more header line. */
export type HeaderStep = 'more' | 'malformed' | 'not-a-header' | 'too-long';

/** Tells whether a line may open a header block. Foreign headers must end in CRLF: log lines rarely do. */
export function opensHeaderBlock(line: string, endsInCrlf: boolean): boolean {
  if (line.length > MAX_HEADER_BYTES) return false;
  const name = HEADER_LINE.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return name === 'content-length' || name === 'content-type' || endsInCrlf;
}

/** The header lines in front of one body, up to the blank line. */
export class HeaderBlock {
  readonly #lines: string[] = [];
  /** Announced length of the body; undefined until a length header was seen. */
  length: number | undefined;
  /** Why the block cannot be used, once that is known. */
  fault: 'bad-header' | 'charset' | undefined;
  #bytes = 0;

  /** The lines so far, for a report. */
  get text(): string {
    return this.#lines.join('\n');
  }

  /** Takes one line without its end. */
  add(line: string): HeaderStep {
    this.#bytes += line.length + 2;
    if (this.#bytes > MAX_HEADER_BYTES) return 'too-long';
    const match = HEADER_LINE.exec(line);
    if (match === null) {
      if (this.length === undefined && !line.startsWith(' ') && !line.startsWith('\t')) {
        return 'not-a-header';
      }
      this.#lines.push(line);
      return 'malformed';
    }
    this.#lines.push(line);
    const [, name = '', value = ''] = match;
    this.#interpret(name.toLowerCase(), value.trim());
    return 'more';
  }

  #interpret(name: string, value: string): void {
    if (name === 'content-length') {
      const length = LENGTH.test(value) ? Number(value) : undefined;
      if (length === undefined || (this.length !== undefined && this.length !== length)) {
        this.fault = 'bad-header';
      }
      this.length ??= length;
    }
    if (name === 'content-type') {
      const charset = CHARSET.exec(value)?.[1]?.toLowerCase() ?? 'utf-8';
      if (charset !== 'utf-8' && charset !== 'utf8') this.fault ??= 'charset';
    }
  }
}
