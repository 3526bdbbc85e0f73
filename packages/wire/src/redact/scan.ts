import type { Span } from './span.ts';

interface Sought {
  readonly from: number;
  readonly at: number;
}

/** One text while it is searched. What lies ahead is sought once, however often it is asked for. */
export class Scan {
  readonly text: string;
  readonly found: Span[] = [];
  /** Names before this place belong to a value that is masked already. */
  namedUntil = 0;
  /** The end of the bare value that was measured last, and how many names were tried on it. */
  bareValueEnd = -1;
  bareValueTries = 0;
  readonly #ahead = new Map<string | RegExp, Sought>();

  constructor(text: string) {
    this.text = text;
  }

  add(start: number, end: number, kind: string): void {
    this.found.push({ start, end, kind });
  }

  /** The next place of a text or of a global pattern at or after `from`; infinite where there is none. */
  next(what: string | RegExp, from: number): number {
    const held = this.#ahead.get(what);
    if (held !== undefined && held.from <= from && from <= held.at) return held.at;
    const at =
      typeof what === 'string' ? this.text.indexOf(what, from) : search(this.text, what, from);
    const sought = { from, at: at === -1 ? Number.POSITIVE_INFINITY : at };
    this.#ahead.set(what, sought);
    return sought.at;
  }
}

function search(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
