/**
 * Where days begin. A local time is what the clocks of a time zone show, in milliseconds as if they showed UTC.
 */
export interface Calendar {
  toLocal(instant: number): number;
  /** The first instant at which the clocks show a time or, where they skip it, a later one. */
  toInstant(local: number): number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Days as UTC has them. */
export const utc: Calendar = { toLocal: (instant) => instant, toInstant: (local) => local };

/** Days of an IANA time zone. Throws a `RangeError` where there is no such zone. */
export function calendarOf(timeZone: string): Calendar {
  if (timeZone === 'UTC') return utc;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const toLocal = (instant: number): number => {
    const parts = format.formatToParts(instant);
    const number = (type: string): number =>
      Number(parts.find((part) => part.type === type)?.value ?? 0);
    const [year, month, day] = [number('year'), number('month') - 1, number('day')];
    return Date.UTC(year, month, day, number('hour'), number('minute'), number('second'));
  };
  return {
    toLocal,
    toInstant: (local) => {
      // The clocks change at most once within two days: either offset may be the one in force.
      const before = local + (local - DAY_MS - toLocal(local - DAY_MS));
      const after = local + (local + DAY_MS - toLocal(local + DAY_MS));
      const found = [before, after].filter((instant) => toLocal(instant) === local);
      // Clocks that skip the time show a later one from here on.
      return found.length === 0 ? before : Math.min(...found);
    },
  };
}

/** Whether there is such a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    calendarOf(name);
    return true;
  } catch {
    return false;
  }
}
