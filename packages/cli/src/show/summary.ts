import { formatMs } from '../format/measure.ts';
import type { Paint } from '../format/paint.ts';
import { isFailed, type TimelineItem } from './timeline.ts';

/** The session in one line. */
export function summaryOf(items: readonly TimelineItem[], paint: Paint): string {
  const calls = items.flatMap((item) => (item.kind === 'call' ? [item] : []));
  const errors = calls.filter(isFailed).length;
  const open = calls.filter(({ answer }) => answer === undefined).length;
  const stray = items.filter((item) => item.kind === 'stray' && item.source === 'stdout').length;
  const first = items[0]?.timeMs ?? 0;
  const last = items.at(-1)?.timeMs ?? first;
  const notices = items.filter(({ kind }) => kind === 'notification').length;
  return [
    `${calls.length} calls`,
    errors > 0 ? paint.red(`${errors} failed`) : '0 failed',
    open > 0 ? paint.yellow(`${open} unanswered`) : '0 unanswered',
    `${notices} notifications`,
    stray > 0 ? paint.red(`${stray} stray on stdout`) : '0 stray on stdout',
    formatMs(last - first),
  ].join(paint.dim(' · '));
}
