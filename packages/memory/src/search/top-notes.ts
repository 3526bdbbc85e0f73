/** A note and how close it came. */
export interface ScoredNote {
  readonly note: number;
  readonly score: number;
}

/** The best of many: a small sorted list, since most scores fail the one comparison with its floor. */
export class TopNotes {
  readonly #limit: number;
  readonly #held: ScoredNote[] = [];
  floor: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.floor = limit === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  add(note: number, score: number): void {
    let at = this.#held.length;
    while (at > 0 && (this.#held[at - 1]?.score ?? 0) < score) at -= 1;
    this.#held.splice(at, 0, { note, score });
    if (this.#held.length > this.#limit) this.#held.pop();
    if (this.#held.length === this.#limit) {
      this.floor = this.#held.at(-1)?.score ?? this.floor;
    }
  }

  sorted(): ScoredNote[] {
    return this.#held;
  }
}
