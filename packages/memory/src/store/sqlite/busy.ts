import { setTimeout as delay } from 'node:timers/promises';
import { sqliteCode } from './driver/sqlite-code.ts';

/** Pauses between attempts to get a lock, in milliseconds; the last one repeats. */
const PAUSES_MS = [1, 2, 5, 10, 15, 20, 25] as const;

/** Whether another connection holds a lock that was needed. */
export function isBusy(thrown: unknown): boolean {
  return sqliteCode(thrown)?.startsWith('SQLITE_BUSY') ?? false;
}

/** The pause before the next attempt; spread out, so that waiting processes do not move in step. */
export function pauseMs(attempt: number): number {
  const pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 1;
  return pause * (0.5 + Math.random());
}

/**
 * Repeats an attempt while another connection holds the lock. The event loop is free between attempts:
 * SQLite's own busy timeout would sleep on it. Throws the last error when the time is up.
 */
export async function retryWhileBusy<T>(attempt: () => T, timeoutMs: number): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (let attempts = 0; ; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
    }
    await delay(pauseMs(attempts));
  }
}
