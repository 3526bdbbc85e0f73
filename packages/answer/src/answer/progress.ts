import type { Clock } from '../clock.ts';

/** One report to the asker; `progress` always grows. */
export interface ProgressReport {
  readonly progress: number;
  readonly message: string;
}

/** Turns a flood of events, or none at all, into a steady trickle of reports. */
export interface ProgressMeter {
  note(message: string): void;
  /** After this nothing is reported. */
  close(): void;
}

const throttleMs = 500;
const heartbeatMs = 10_000;

/** Reports at most twice a second, and at least every ten seconds. */
export function createProgressMeter(
  clock: Clock,
  report: (report: ProgressReport) => void,
): ProgressMeter {
  const startedAt = clock.now();
  let progress = 0;
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let waiting: string | undefined;
  let isClosed = false;
  let stopTimer = (): void => {};

  const send = (message: string): void => {
    waiting = undefined;
    lastSentAt = clock.now();
    report({ progress: ++progress, message });
    schedule(heartbeatMs);
  };
  const beat = (): void => {
    const seconds = Math.round((clock.now() - startedAt) / 1000);
    send(waiting ?? `still working, ${seconds} s`);
  };
  const schedule = (ms: number): void => {
    stopTimer();
    if (!isClosed) stopTimer = clock.after(ms, beat);
  };
  schedule(heartbeatMs);

  return {
    note(message) {
      if (isClosed) return;
      const wait = lastSentAt + throttleMs - clock.now();
      if (wait <= 0) {
        send(message);
        return;
      }
      // The newest of what came meanwhile is sent when the pause is over.
      if (waiting === undefined) schedule(wait);
      waiting = message;
    },
    close() {
      isClosed = true;
      stopTimer();
    },
  };
}
