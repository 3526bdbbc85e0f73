import { readdirSync, readFileSync } from 'node:fs';

interface Stat {
  readonly parent: number;
  /** A zombie has ended; only its parent has not noticed. */
  readonly state: string;
}

/** Processes started by a process, and by those; Linux only, from `/proc`. */
export function descendantsOf(leader: number): number[] {
  const parents = new Map<number, number>();
  for (const pid of processIds()) {
    const stat = statOf(pid);
    if (stat !== undefined) parents.set(pid, stat.parent);
  }
  const found = [leader];
  for (const pid of found) {
    for (const [child, parent] of parents) {
      if (parent === pid && !found.includes(child)) found.push(child);
    }
  }
  return found.slice(1);
}

/** Whether a process is there and has not ended. */
export function isAlive(pid: number): boolean {
  const stat = statOf(pid);
  if (stat !== undefined) return stat.state !== 'Z' && stat.state !== 'X';
  if (process.platform === 'linux') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // Gone.
    return false;
  }
}

/** State of a process as the system names it, `R` for one that runs or wants to; undefined where unknown. */
export function stateOf(pid: number): string | undefined {
  return statOf(pid)?.state;
}

function processIds(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may hold anything, so count from its end.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]) };
  } catch {
    // Ended, or no `/proc` here.
    return undefined;
  }
}
