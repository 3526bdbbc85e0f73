import type { Clock } from '../../src/clock.ts';

interface Timer {
  readonly at: number;
  readonly ms: number;
  readonly action: () => void;
}

/** A clock that stands still until told otherwise. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #watchers: { ms: number; resolve: () => void }[] = [];
  #now: number;
  /** Waits that were skipped, in order. */
  readonly skipped: number[] = [];
  readonly #skips: (ms: number) => boolean;

  constructor(options: { readonly now?: number; readonly skips?: (ms: number) => boolean } = {}) {
    const { now = Date.parse('2026-11-16T12:00:00Z'), skips = () => false } = options;
    this.#now = now;
    this.#skips = skips;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, ms, action };
    this.#timers.add(timer);
    for (const watcher of this.#watchers) if (watcher.ms === ms) watcher.resolve();
    if (this.#skips(ms)) {
      this.skipped.push(ms);
      setImmediate(() => {
        if (!this.#timers.delete(timer)) return;
        this.#now = Math.max(this.#now, timer.at);
        action();
      });
    }
    return () => this.#timers.delete(timer);
  }

  /** Moves on, running what falls due in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    while (true) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = due.at;
      due.action();
    }
    this.#now = end;
  }

  /** Lengths of the timers that are set. */
  get pending(): readonly number[] {
    return [...this.#timers].map(({ ms }) => ms).sort((a, b) => a - b);
  }

  /** Resolves as soon as a timer of this length is set. */
  timerSet(ms: number): Promise<void> {
    if (this.pending.includes(ms)) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ ms, resolve }));
  }
}
