import { AnswerError } from '../answer-error.ts';
import type { Clock } from '../clock.ts';

/** Bounds one call: its caller's signal, a deadline for the whole, and a limit on silence. */
export interface Watch {
  readonly signal: AbortSignal;
  /** When the call is over at the latest. */
  readonly deadline: number;
  /** Starts or restarts the limit on silence. */
  touch(): void;
  /** Stops the limit on silence, while we wait on purpose. */
  rest(): void;
  close(): void;
}

/** Starts watching; `close` must be called when the call is over. */
export function createWatch(
  clock: Clock,
  options: {
    readonly timeoutMs: number;
    readonly idleTimeoutMs: number;
    readonly signal?: AbortSignal;
  },
): Watch {
  const { timeoutMs, idleTimeoutMs, signal } = options;
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const stopDeadline = clock.after(timeoutMs, () => controller.abort(tooLate(timeoutMs)));
  let stopIdle = (): void => {};
  return {
    signal: controller.signal,
    deadline: clock.now() + timeoutMs,
    touch() {
      stopIdle();
      stopIdle = clock.after(idleTimeoutMs, () => controller.abort(tooQuiet(idleTimeoutMs)));
    },
    rest: () => stopIdle(),
    close() {
      stopIdle();
      stopDeadline();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

function tooLate(timeoutMs: number): AnswerError {
  return new AnswerError('timeout', `no complete answer within ${timeoutMs} ms`, {
    retryable: true,
    hint: 'raise `request.timeout_ms`, or ask `answer_quick`',
  });
}

function tooQuiet(idleTimeoutMs: number): AnswerError {
  return new AnswerError('idle', `the upstream sent nothing for ${idleTimeoutMs} ms`, {
    retryable: true,
    hint: 'raise `request.idle_timeout_ms` if the model thinks for long',
  });
}
