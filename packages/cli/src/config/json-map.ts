import { CliError } from '../command/cli-error.ts';

/** A value of a JSON text and where it stands. */
export type JsonNode = { readonly start: number; readonly end: number } & (
  | {
      readonly type: 'object';
      readonly members: ReadonlyMap<string, JsonNode>;
      /** Where each member's name begins. */
      readonly names: ReadonlyMap<string, number>;
      /** Offset behind a comma that no member follows. */
      readonly trailingComma: number | undefined;
    }
  | { readonly type: 'other' }
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const SCALAR = /"(?:[^"\\\u0000-\u001F]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANK = /(?:\s|\uFEFF|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const MAX_DEPTH = 200;

/** Finds the members of a JSON text, comments and trailing commas allowed, without changing it. */
export class JsonMap {
  readonly root: JsonNode;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.root = this.#value(0);
    this.#skip();
    if (this.#at < text.length) throw this.#unexpected('the end');
  }

  #value(depth: number): JsonNode {
    this.#skip();
    if (depth > MAX_DEPTH) throw this.#unexpected('less nesting');
    const start = this.#at;
    const opening = this.#text[start];
    if (opening === '{') return this.#object(start, depth);
    if (opening === '[') {
      this.#list(']', () => void this.#value(depth + 1));
      return { type: 'other', start, end: this.#at };
    }
    this.#scalar();
    return { type: 'other', start, end: this.#at };
  }

  #object(start: number, depth: number): JsonNode {
    const members = new Map<string, JsonNode>();
    const names = new Map<string, number>();
    const trailingComma = this.#list('}', () => {
      this.#skip();
      const nameStart = this.#at;
      const name: unknown = JSON.parse(this.#scalar());
      if (typeof name !== 'string') throw this.#unexpected('a name in quotes');
      this.#skip();
      if (this.#text[this.#at] !== ':') throw this.#unexpected('`:`');
      this.#at++;
      if (members.has(name)) throw this.#unexpected(`\`${name}\` only once`);
      names.set(name, nameStart);
      members.set(name, this.#value(depth + 1));
    });
    return { type: 'object', members, names, trailingComma, start, end: this.#at };
  }

  /** Items up to the closing bracket. Returns the offset behind a trailing comma. */
  #list(closing: string, item: () => void): number | undefined {
    this.#at++;
    let comma: number | undefined;
    for (let isFirst = true; ; isFirst = false) {
      this.#skip();
      if (this.#text[this.#at] === closing) break;
      if (!isFirst && comma === undefined) throw this.#unexpected(`\`,\` or \`${closing}\``);
      comma = undefined;
      item();
      this.#skip();
      if (this.#text[this.#at] === ',') comma = ++this.#at;
    }
    this.#at++;
    return comma;
  }

  #scalar(): string {
    SCALAR.lastIndex = this.#at;
    const found = SCALAR.exec(this.#text)?.[0];
    if (found === undefined) throw this.#unexpected('a value');
    this.#at += found.length;
    return found;
  }

  #skip(): void {
    BLANK.lastIndex = this.#at;
    this.#at += BLANK.exec(this.#text)?.[0].length ?? 0;
  }

  #unexpected(expected: string): CliError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    const got = this.#text.slice(this.#at, this.#at + 20).split('\n')[0] ?? '';
    return new CliError('BROKEN', `line ${line}: expected ${expected}, got \`${got}\``);
  }
}
