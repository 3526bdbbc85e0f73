import { ErrorCode } from '../errors.ts';
import { errorText } from './message.ts';

/** Answers to junk sent at once before the rate is held down. */
const BURST = 100;
/** After the burst: one answer in this time, so that two ends can never keep each other busy. */
const INTERVAL_MS = 1000;

/** Parse-error answers for one connection, limited in rate but not in memory of what was left out. */
export class JunkAnswers {
  #sent = 0;
  #suppressed = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Text of the answer to a piece of junk, or undefined when one was sent a moment ago. */
  next(reason: string, nowMs: number): string | undefined {
    if (this.#sent >= BURST && nowMs - this.#lastMs < INTERVAL_MS) {
      this.#suppressed++;
      return undefined;
    }
    this.#sent++;
    this.#lastMs = nowMs;
    const suppressed = this.#suppressed;
    this.#suppressed = 0;
    const data = suppressed === 0 ? { reason } : { reason, suppressed };
    return errorText('null', { code: ErrorCode.ParseError, message: 'Parse error', data });
  }
}
