import type { Call } from './call.ts';
import { kindOf } from './in-order.ts';

/** Reads that run at the same time; their answers are in memory together. */
const READS_TOGETHER = 8;

/**
 * Runs a few reads at a time, each after `room` resolves: a client that sends many and reads no answer
 * would otherwise have all of their answers made at once. Writes answer with little and are not held back.
 */
export function pacedReads(call: Call, room: () => Promise<void>): Call {
  const waiting: (() => void)[] = [];
  let running = 0;
  const handOn = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (name, params, context) => {
    if (kindOf(name) !== 'reads') return call(name, params, context);
    // A read that ends hands its place to the next one, so the number stays.
    if (running < READS_TOGETHER) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    const signal = context?.signal;
    try {
      // Who left while waiting is owed no answer: their places go on at once.
      signal?.throwIfAborted();
      await room();
      signal?.throwIfAborted();
      return await call(name, params, context);
    } finally {
      // The answer is queued first, so that the next read sees it in `room`.
      setImmediate(handOn);
    }
  };
}
