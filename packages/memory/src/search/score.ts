/** What speaks for a note, apart from its neighbours. */
export interface Evidence {
  /** 0 to 1: the share of the question's words, the rare ones counting most. */
  readonly lexical: number;
  /** Cosine with the question, where the note has a vector. */
  readonly cosine: number | undefined;
  /** How many deviations that cosine lies above the mean of the project's notes. */
  readonly deviations: number;
}

/** With fewer notes than this there is no telling what chance looks like. */
const FEW_NOTES = 50;

/** Deviations beyond what the best of as many strangers reach that make a note certain. */
const CERTAIN_EXCESS = 3;

/** How close the best note of an answer is to the question, 0 to 1. */
export function scoreOf(evidence: Evidence, projectNotes: number): number {
  const { lexical } = evidence;
  return 1 - (1 - lexical) * (1 - vectorScore(evidence, projectNotes));
}

function vectorScore({ cosine, deviations }: Evidence, projectNotes: number): number {
  if (cosine === undefined) return 0;
  if (projectNotes < FEW_NOTES) return clamp(cosine);
  const chance = Math.sqrt(2 * Math.log(projectNotes));
  return clamp((deviations - chance + 1) / (CERTAIN_EXCESS + 1));
}

/** Whether a store is large enough for its best note to be no answer at all. */
export function canAbstain(projectNotes: number): boolean {
  return projectNotes >= FEW_NOTES;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
