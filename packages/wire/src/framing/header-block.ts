/** A header block may not be longer than this; what is longer is not a header block. */
export const MAX_HEADER_BYTES: number = 8 * 1024;

const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(.*)$/;
const LENGTH = /^\d{1,15}$/;
const CHARSET = /charset\s*=\s*"?([^\s";]+)/i;

/** Finds a length header glued behind other text, as after a body that was longer than announced. */
export const GLUED_HEADER: RegExp = /content-length[ \t]*:[ \t]*\d{1,15}[ \t]*\r?$/i;

/** Offset of a length header anywhere in bytes, or -1. JSON has no raw newline behind one in a string. */
export function indexOfHeader(bytes: Buffer): number {
  return bytes.toString('latin1').search(/content-length[ \t]*:[ \t]*\d{1,15}[ \t]*\r?\n/i);
}

/** Outcome of one more header line. */
export type HeaderStep = 'more' | 'malformed' | 'not-a-header' | 'too-long';

/** Tells whether a line may open a header block. Foreign headers must end in CRLF: log lines rarely do. */
export function opensHeaderBlock(line: string, endsInCrlf: boolean): boolean {
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
