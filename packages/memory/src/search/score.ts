/** What speaks for a note, apart from its neighbours. */
export interface Evidence {
  /** 0 to 1: the share of the question's words, the rare ones counting most. */
  readonly lexical: number;
  /** Cosine with the question, where the note has a vector. */
  readonly cosine: number | undefined;
  /** How many deviations that cosine lies above the mean of the project's notes. */
  readonly deviations: number;
}

/** How close the best note of an answer is to the question, 0 to 1, whatever else the store holds. */
export function scoreOf({ lexical, deviations }: Evidence, _noteCount: number): number {
  return Math.min(1, 0.6 * lexical + 0.4 * Math.min(1, Math.max(0, deviations / 5)));
}
