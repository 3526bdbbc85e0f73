import { setTimeout as delay } from 'node:timers/promises';
import { isRetryable } from './provider-error.ts';

/** How often and how patiently a request is repeated. */
export interface RetryOptions {
  readonly attempts?: number;
  readonly firstDelayMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Repeats a request that failed in a way that may pass, waiting twice as long each time. */
export async function withRetries<T>(
  request: () => Promise<T>,
  { attempts = 3, firstDelayMs = 250, signal, sleep = wait }: RetryOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= attempts || !isRetryable(error)) throw error;
      await sleep(firstDelayMs * 2 ** (attempt - 1), signal);
    }
  }
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal });
}
