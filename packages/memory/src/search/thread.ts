/** How many notes before and after one belong to its thread. */
export const THREAD_REACH = 2;

/** Notes further apart in time than this do not continue one another. */
export const THREAD_GAP_MS: number = 60 * 60 * 1_000;

/** How much closer than chance neighbours are where notes have nothing to do with one another, and in talk. */
const CHANCE = 0.04;
const TALK = 0.12;

/** Pairs of neighbours it takes to believe a figure half. */
const PRIOR_PAIRS = 8;

/** Less coherence than this is none: neighbours would say too little to be worth looking at. */
export const FAINT_COHERENCE = 0.05;

/** Cosines of neighbours and of notes taken at random. */
export interface ThreadSample {
  readonly neighbours: readonly number[];
  readonly strangers: readonly number[];
}

/** A named conversation is a thread by its name; other neighbours have to show that they are one. */
export function threadKey({
  groupId,
  source,
  metadata,
}: {
  readonly groupId: string;
  readonly source: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}): string {
  const conversation = metadata?.['conversationId'];
  if (typeof conversation === 'string' || typeof conversation === 'number')
    return `c${conversation}`;
  return source === null ? `g${groupId}` : `s${source}`;
}

/** Whether a key names a conversation. */
export function isConversation(key: string): boolean {
  return key.startsWith('c');
}

/**
 * How much closer neighbours are to one another than notes at random, as a share of what is possible.
 * A sample of few pairs leans on `prior`.
 */
export function closenessOf({ neighbours, strangers }: ThreadSample, prior = 0): number {
  const chance = mean(strangers);
  if (neighbours.length === 0 || chance >= 1) return prior;
  const found = (mean(neighbours) - chance) / (1 - chance);
  return (found * neighbours.length + prior * PRIOR_PAIRS) / (neighbours.length + PRIOR_PAIRS);
}

/** 0 where neighbours are as near as any two notes, 1 where they are as near as the turns of a talk. */
export function coherenceFrom(closeness: number): number {
  const coherence = Math.min(1, (closeness - CHANCE) / (TALK - CHANCE));
  return coherence < FAINT_COHERENCE ? 0 : coherence;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
