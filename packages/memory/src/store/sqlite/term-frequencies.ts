import type { ProjectRow } from './projects.ts';
import { heldQuery } from './scope.ts';
import type { Statements } from './statements.ts';

const MAX_CACHED = 20_000;
/** Frequencies enter by their logarithm: this much growth does not matter. */
const TOLERATED_GROWTH = 0.05;
/** Projects whose frequencies are remembered; those that are asked least recently are forgotten. */
const MAX_PROJECTS = 64;

/** How many notes hold a word, remembered because counting a common word reads its whole list. */
export class TermFrequencies {
  readonly #sql: Statements;
  readonly #store = new Remembered();
  readonly #projects: Map<number, Remembered> = new Map();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Of all notes of the store. */
  of(terms: readonly string[], noteCount: number): number[] {
    return this.#store.of(terms, noteCount, (term) => {
      const row = this.#sql.get<{ doc: number }>('SELECT doc FROM note_term WHERE term = ?', term);
      return row?.doc ?? 0;
    });
  }

  /** Of the notes of one project out of `noteCount`. */
  inProject(terms: readonly string[], project: ProjectRow, noteCount: number): number[] {
    if (project.notes === noteCount) return this.of(terms, noteCount);
    return this.#ofProject(project.id).of(terms, project.notes, (term) => {
      const [count = 0] = this.#sql.column<number>(
        'SELECT count(*) FROM note_text WHERE note_text MATCH ?',
        heldQuery(project.id, term),
      );
      return count;
    });
  }

  #ofProject(id: number): Remembered {
    const found = this.#projects.get(id) ?? new Remembered();
    this.#projects.delete(id);
    this.#projects.set(id, found);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > MAX_PROJECTS && oldest !== undefined) this.#projects.delete(oldest);
    return found;
  }
}

/** Counts of words, as long as there are about as many notes. */
class Remembered {
  readonly #known: Map<string, number> = new Map();
  #knownAt = 0;

  of(terms: readonly string[], notes: number, count: (term: string) => number): number[] {
    const drift = Math.abs(notes - this.#knownAt);
    if (drift > this.#knownAt * TOLERATED_GROWTH || this.#known.size > MAX_CACHED) {
      this.#known.clear();
      this.#knownAt = notes;
    }
    return terms.map((term) => {
      const known = this.#known.get(term) ?? count(term);
      this.#known.set(term, known);
      return known;
    });
  }
}
