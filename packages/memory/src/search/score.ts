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

/** In a small project a few notes that do not fit cost less than one that is withheld; from here on they may be. */
const SOME_NOTES = 1_000;

/** The best note of an answer out of so many must be this close. */
const MANY_NOTES = 10_000;
const FITTING_SCORE = 0.3;

/** Fitted to questions with and without an answer among notes of our own making (docs/search.md). */
const FIT = {
  constant: -3.1,
  words: 8.3,
  excess: 0.8,
  unnamed: -3.2,
  named: 0.8,
  others: 10,
} as const;

/** How well the other words of a question with a name find their like where it is answered by a hair. */
const USUAL_OTHERS = 0.1;
const MANY_OTHERS = 0.2;

/** What the names in a question say of its answer. */
export interface NameEvidence {
  /** Whether any of them stands in one of its first notes. */
  readonly isNamed: boolean;
  /** How well the words that are no names find their like in the first, 0 to 1; absent where nobody can tell. */
  readonly others?: number | undefined;
}

/** How many notes at the top are looked at for names: one note of a talk need not name whom it speaks of. */
export const NAMING_NOTES = 5;

/** Ranked notes with their scores: the first by what speaks for it, the others in proportion to their rank. */
export function scoreRanked<T extends Evidence & { readonly rank: number }>(
  ranked: readonly T[],
  projectNotes: number,
  names?: NameEvidence,
): (T & { readonly score: number })[] {
  const [first] = ranked;
  if (first === undefined) return [];
  const best = scoreOf(first, projectNotes, names);
  return ranked.map((each) => {
    const share = first.rank <= 0 ? 1 : Math.min(1, Math.max(0, each.rank / first.rank));
    return { ...each, score: best * share };
  });
}

/** How close the best note of an answer is to the question, 0 to 1. */
export function scoreOf(evidence: Evidence, projectNotes: number, names?: NameEvidence): number {
  const { cosine, lexical, likeness, deviations } = evidence;
  if (cosine === undefined) return lexical;
  if (projectNotes < FEW_NOTES) return 1 - (1 - lexical) * (1 - Math.max(0, cosine));
  // As many strangers would come this far by chance.
  const chance = Math.sqrt(2 * Math.log(projectNotes));
  const words = Math.max(lexical, likeness);
  const odds = FIT.constant + FIT.words * words + FIT.excess * (deviations - chance);
  return 1 / (1 + Math.exp(-odds - nameOdds(names)));
}

/** Whom nobody mentions nobody knows; and a note that has a name alone in common says nothing of it. */
function nameOdds(names: NameEvidence | undefined): number {
  if (names === undefined) return 0;
  if (!names.isNamed) return FIT.unnamed;
  const { others } = names;
  if (others === undefined) return FIT.named;
  return FIT.others * (Math.min(others, MANY_OTHERS) - USUAL_OTHERS);
}

/** Whether an answer whose best note has this score is better withheld, unless asked otherwise. */
export function isUnfit(score: number, projectNotes: number): boolean {
  return score < fittingScore(projectNotes);
}

/** How close the best of so many notes must be: the more there are, the closer a stranger comes. */
function fittingScore(projectNotes: number): number {
  const share = Math.log(projectNotes / SOME_NOTES) / Math.log(MANY_NOTES / SOME_NOTES);
  return FITTING_SCORE * Math.min(1, Math.max(0, share));
}
