import type { Statements } from './statements.ts';

const MAX_CACHED = 20_000;
/** Frequencies enter by their logarithm: this much growth of the store does not matter. */
const TOLERATED_GROWTH = 0.05;

/** How many notes hold a word, remembered because counting a common word reads its whole list. */
export class TermFrequencies {
  readonly #sql: Statements;
  readonly #known: Map<string, number> = new Map();
  #knownAt = 0;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  of(terms: readonly string[], noteCount: number): number[] {
    const drift = Math.abs(noteCount - this.#knownAt);
    if (drift > this.#knownAt * TOLERATED_GROWTH || this.#known.size > MAX_CACHED) {
      this.#known.clear();
      this.#knownAt = noteCount;
    }
    return terms.map((term) => this.#of(term));
  }

  #of(term: string): number {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const row = this.#sql.get<{ doc: number }>('SELECT doc FROM note_term WHERE term = ?', term);
    const frequency = row?.doc ?? 0;
    this.#known.set(term, frequency);
    return frequency;
  }
}
