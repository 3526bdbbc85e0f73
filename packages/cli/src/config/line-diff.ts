/** A line of a difference: kept, added or removed. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** Kept lines that are shown around a change. */
const CONTEXT = 2;

/**
 * The lines in which two texts differ, with a few around them. Only the lines between the common beginning
 * and the common end are compared, which is exact for one entry put in or taken out.
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail++;
  }
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  if (removed.length === 0 && added.length === 0) return [];
  return [
    ...mark(' ', old.slice(Math.max(0, head - CONTEXT), head)),
    ...mark('-', removed),
    ...mark('+', added),
    ...mark(' ', old.slice(old.length - tail).slice(0, CONTEXT)),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function mark(sign: DiffLine['sign'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ sign, text }));
}
