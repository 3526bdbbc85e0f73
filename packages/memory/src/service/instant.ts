import { invalidParams } from '../errors.ts';

const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))$/;

/** An ISO 8601 instant in milliseconds. A time without an offset is nobody's time, so it is refused. */
export function parseInstant(text: string, path: string): number {
  const parts = ISO_INSTANT.exec(text);
  const instant = parts === null ? Number.NaN : toMilliseconds(parts);
  if (!Number.isFinite(instant)) {
    throw invalidParams(
      `invalid time format (expected ISO8601 UTC): \`${text.slice(0, 64)}\``,
      path,
    );
  }
  return instant;
}

/** The form every answer carries. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString();
}

function toMilliseconds(parts: RegExpExecArray): number {
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const milliseconds = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1_000 + 1e-9);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, milliseconds);
  // A day or an hour that does not exist comes back as another one.
  const isReal =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  const offset = Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0);
  if (!isReal || Number(parts[9] ?? 0) > 23 || Number(parts[10] ?? 0) > 59) return Number.NaN;
  const instant = date.getTime() - (parts[8] === '-' ? -offset : offset) * 60_000;
  // Answers carry four-digit years.
  return instant < Date.UTC(-1, 11, 31) || instant > Date.UTC(9999, 11, 31, 23, 59, 59, 999)
    ? Number.NaN
    : instant;
}
