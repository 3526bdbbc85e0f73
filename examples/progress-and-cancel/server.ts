import { setTimeout as delay } from 'node:timers/promises';
import { type CallContext, Dispatcher, runServer } from 'tincan-wire';

/** Counts to `to`, reports each step and stops as soon as the caller no longer wants the answer. */
async function count({ to }: { to: number }, context: CallContext): Promise<number> {
  for (let step = 1; step <= to; step++) {
    await delay(5, undefined, { signal: context.signal }).catch((error) => {
      console.error(`stopped at step ${step}`);
      throw error;
    });
    context.progress({ progress: step, total: to });
  }
  return to;
}

await runServer(new Dispatcher({ count }));
