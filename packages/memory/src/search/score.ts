/** What speaks for a note, apart from its neighbours. */
export interface Evidence {
  /** 0 to 1: the share of the question's words, the rare ones counting most. */
  readonly lexical: number;
  /** Cosine with the question, where the note has a vector. */
  readonly cosine: number | undefined;
  /** How many deviations that cosine lies above the mean of the project's notes. */
  readonly deviations: number;
  /** 0 to 1: how well the question's words find their like in the note. */
  readonly likeness: number;
}

/** With fewer notes than this a deviation says little, and the cosine itself has to do. */
const FEW_NOTES = 50;

/** In a smaller project a few notes that do not fit cost less than one that is withheld. */
const MANY_NOTES = 1_000;

/** The best note of an answer out of many must be this close. */
const FITTING_SCORE = 0.2;

/** Fitted to questions with and without an answer among notes of our own making (docs/search.md). */
const FIT = { constant: -3.2, words: 8.5, excess: 1.3 } as const;

/** How close the best note of an answer is to the question, 0 to 1. */
export function scoreOf(evidence: Evidence, projectNotes: number): number {
  const { cosine, lexical, likeness, deviations } = evidence;
  if (cosine === undefined) return lexical;
  if (projectNotes < FEW_NOTES) return 1 - (1 - lexical) * (1 - Math.max(0, cosine));
  // As many strangers would come this far by chance.
  const chance = Math.sqrt(2 * Math.log(projectNotes));
  const words = Math.max(lexical, likeness);
  const odds = FIT.constant + FIT.words * words + FIT.excess * (deviations - chance);
  return 1 / (1 + Math.exp(-odds));
}

/** Whether an answer whose best note has this score is better withheld, unless asked otherwise. */
export function isUnfit(score: number, projectNotes: number): boolean {
  return projectNotes >= MANY_NOTES && score < FITTING_SCORE;
}
