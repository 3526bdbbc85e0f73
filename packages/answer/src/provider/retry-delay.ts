import type { AnswerError } from '../answer-error.ts';

const longestWait = 60_000;

/**
 * How long to wait before the next attempt: what the upstream asked for, else full jitter under
 * an exponential cap. Nothing when it asks for more than a caller would wait.
 */
export function retryDelay(
  { retryAfterMs }: AnswerError,
  retries: number,
  random: () => number,
): number | undefined {
  if (retryAfterMs !== undefined) return retryAfterMs <= longestWait ? retryAfterMs : undefined;
  return Math.round(random() * Math.min(8_000, 500 * 2 ** retries));
}
