import { checkCount, checkKeys } from '../check-option.ts';

/** When a crashed server is started again. */
export interface RestartOptions {
  /** Crashes within `windowMs` after which it is given up. Default 5. */
  readonly maxCrashes?: number;
  /** Default 60,000. */
  readonly windowMs?: number;
  /** Wait before the first restart; doubles each time. Default 250. */
  readonly backoffMs?: number;
  /** Longest wait. Default 30,000. */
  readonly maxBackoffMs?: number;
}

const DEFAULTS: Required<RestartOptions> = {
  maxCrashes: 5,
  windowMs: 60_000,
  backoffMs: 250,
  maxBackoffMs: 30_000,
};

/** Decides whether a crash is followed by a restart, and when. */
export class CrashBudget {
  readonly #options: Required<RestartOptions>;
  #times: number[] = [];

  constructor(options: RestartOptions) {
    checkKeys('restart', options, Object.keys(DEFAULTS));
    this.#options = { ...DEFAULTS, ...options };
    for (const [name, value] of Object.entries(this.#options)) checkCount(`restart.${name}`, value);
  }

  /** Crashes counted in the window. */
  get crashes(): number {
    return this.#times.length;
  }

  /** Counts a crash. Returns how long to wait before the restart, or undefined to give up. */
  next(nowMs: number): number | undefined {
    const { maxCrashes, windowMs, backoffMs, maxBackoffMs } = this.#options;
    this.#times = this.#times.filter((time) => nowMs - time < windowMs);
    this.#times.push(nowMs);
    if (this.#times.length > maxCrashes) return undefined;
    return Math.min(maxBackoffMs, backoffMs * 2 ** (this.#times.length - 1));
  }
}
