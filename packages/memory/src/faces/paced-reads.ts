import type { Call } from './call.ts';
import { kindOf } from './in-order.ts';

/** Reads that run at the same time; their answers are in memory together. */
const READS_TOGETHER = 8;

/** Asks a provider first, for seconds perhaps, and says itself when it comes to reading. */
const TAKES_ITS_TURN = 'memory.search';

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
    const signal = context?.signal;
    let hasPlace = false;
    const turn = async (): Promise<void> => {
      if (hasPlace) return;
      // A read that ends hands its place to the next one, so the number stays.
      if (running < READS_TOGETHER) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      hasPlace = true;
      // Who left while waiting is owed no answer: their places go on at once.
      signal?.throwIfAborted();
      await room();
      signal?.throwIfAborted();
    };
    try {
      if (name !== TAKES_ITS_TURN) await turn();
      return await call(name, params, { signal, turn });
    } finally {
      // The answer is queued first, so that the next read sees it in `room`.
      if (hasPlace) setImmediate(handOn);
    }
  };
}
