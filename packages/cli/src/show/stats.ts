import { formatBytes, formatMs } from '../format/measure.ts';
import type { Paint } from '../format/paint.ts';
import { table } from '../format/table.ts';
import { printable } from '../format/text.ts';
import { calledName } from './item-line.ts';
import { type CallItem, isFailed, type TimelineItem } from './timeline.ts';

/** Figures of one method. */
export interface MethodStats {
  readonly method: string;
  readonly direction: string;
  readonly count: number;
  readonly errors: number;
  readonly unanswered: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
  readonly bytesOut: number;
  readonly bytesIn: number;
}

/** Figures by method, and by tool where it is one; most often called first. */
export function statsOf(items: readonly TimelineItem[]): MethodStats[] {
  const groups = new Map<string, CallItem[]>();
  for (const item of items) {
    if (item.kind !== 'call') continue;
    const name = item.method === 'tools/call' ? ` ${calledName(item)}` : '';
    const key = `${item.direction === 'client→server' ? '→' : '←'} ${item.method}${name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups]
    .map(([key, calls]) => {
      const latencies = calls
        .flatMap(({ answer }) => (answer === undefined ? [] : [answer.latencyMs]))
        .sort((a, b) => a - b);
      return {
        method: key.slice(2),
        direction: key.slice(0, 1),
        count: calls.length,
        errors: calls.filter(isFailed).length,
        unanswered: calls.filter(({ answer }) => answer === undefined).length,
        p50Ms: percentile(latencies, 0.5),
        p99Ms: percentile(latencies, 0.99),
        maxMs: latencies.at(-1),
        bytesOut: calls.reduce((sum, { bytesOut }) => sum + bytesOut, 0),
        bytesIn: calls.reduce((sum, { answer }) => sum + (answer?.bytes ?? 0), 0),
      };
    })
    .sort((a, b) => b.count - a.count);
}

/** Nearest rank: the smallest value that at least this share of all values does not exceed. */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** The figures as a table. */
export function statsTable(stats: readonly MethodStats[], paint: Paint): string[] {
  const ms = (value: number | undefined): string => (value === undefined ? '–' : formatMs(value));
  const head = ['', 'method', 'calls', 'errors', 'open', 'p50', 'p99', 'max', 'sent', 'received'];
  const rows = stats.map((row) => [
    row.direction,
    printable(row.method),
    String(row.count),
    String(row.errors),
    String(row.unanswered),
    ms(row.p50Ms),
    ms(row.p99Ms),
    ms(row.maxMs),
    formatBytes(row.bytesOut),
    formatBytes(row.bytesIn),
  ]);
  const [first = '', ...lines] = table([head, ...rows], [2, 3, 4, 5, 6, 7, 8, 9]);
  return [paint.bold(first), ...lines];
}
