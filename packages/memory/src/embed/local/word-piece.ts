const maxWordLength = 100;
const continuation = '##';
const unknown = '[UNK]';

const accents = /\p{Mn}/gu;
const invisible = /[\p{Cc}\p{Cf}\ufffd]/gu;
const whitespace = /[\t\n\r]/g;
// Words, or one punctuation mark or ideograph standing for itself.
const word =
  /[\p{P}$+<=>^`|~]|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[\u{20000}-\u{2fa1f}]|[^\s\p{P}$+<=>^`|~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2fa1f}]+/gu;

/** Cuts text into the word pieces of an uncased BERT vocabulary: the longest known piece first. */
export class WordPiece {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #unknown: number;
  readonly #known = new Map<string, readonly number[]>();

  constructor(vocabulary: readonly string[]) {
    this.#ids = new Map(vocabulary.map((piece, id) => [piece, id]));
    this.#unknown = this.#ids.get(unknown) ?? 0;
  }

  encode(text: string): number[] {
    const ids: number[] = [];
    for (const part of normalise(text).match(word) ?? []) ids.push(...this.#wordIds(part));
    return ids;
  }

  /** The piece that a word in small letters is as a whole, where the vocabulary has it. */
  wholeWord(text: string): number | undefined {
    return this.#ids.get(text);
  }

  #wordIds(part: string): readonly number[] {
    const whole = this.#ids.get(part);
    if (whole !== undefined) return [whole];
    const known = this.#known.get(part);
    if (known !== undefined) return known;
    const ids = this.#cut(part);
    // Words repeat; a bound keeps a hostile text from growing the cache without end.
    if (this.#known.size >= 10_000) this.#known.clear();
    this.#known.set(part, ids);
    return ids;
  }

  #cut(part: string): readonly number[] {
    if (part.length > maxWordLength) return [this.#unknown];
    const ids: number[] = [];
    for (let start = 0; start < part.length; ) {
      let end = part.length;
      let id: number | undefined;
      for (; end > start && id === undefined; end--) {
        const piece = part.slice(start, end);
        id = this.#ids.get(start === 0 ? piece : continuation + piece);
      }
      if (id === undefined) return [this.#unknown];
      ids.push(id);
      start = end + 1;
    }
    return ids;
  }
}

function normalise(text: string): string {
  return text
    .replace(whitespace, ' ')
    .replace(invisible, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(accents, '');
}
