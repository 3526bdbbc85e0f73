import type { CallContext } from 'tincan-wire';

/** Least time between two reports. */
const INTERVAL_MS = 50;

/** Sends progress that moves forward, and holds it down to a rate a client can stand. */
export class ProgressReporter {
  readonly #call: CallContext;
  readonly #now: () => number;
  #last = Number.NEGATIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(call: CallContext, now: () => number = () => performance.now()) {
    this.#call = call;
    this.#now = now;
  }

  report(progress: number, total?: number, message?: string): void {
    if (!(progress > this.#last)) return;
    const nowMs = this.#now();
    const isFinal = total !== undefined && progress >= total;
    if (!isFinal && nowMs - this.#lastMs < INTERVAL_MS) return;
    this.#last = progress;
    this.#lastMs = nowMs;
    this.#call.progress({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  }
}
