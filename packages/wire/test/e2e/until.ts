import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Polls until a condition holds; rejects, with what it was about, when it does not in time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { ms = 10_000, what = 'the condition' }: { ms?: number; what?: string } = {},
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about within ${ms} ms`);
    await delay(10);
  }
}

/** Whether a process exists and is not merely waiting to be collected. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}

/** Ids of living processes with a marker among their arguments. */
export function processesWith(marker: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && commandLine(entry).includes(marker))
    .map(Number)
    .filter((pid) => pid !== process.pid && isAlive(pid));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
