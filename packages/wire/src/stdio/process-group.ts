import { readdirSync, readFileSync } from 'node:fs';

const isWindows = process.platform === 'win32';

/** Sends a signal to every process of a group. Returns whether there was one. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  if (isWindows) return signalTree(leader, signal);
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    // EPERM: it exists and is not ours to signal. ESRCH: it is gone.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether a process of a group is alive. A zombie has ended, though it can be signalled until its parent takes
 * notice, which some never do.
 */
export function isGroupAlive(leader: number): boolean {
  if (!signalGroup(leader, 0)) return false;
  if (process.platform !== 'linux') return true;
  for (const { group, isZombie } of readProcesses()) {
    if (group === leader && !isZombie) return true;
  }
  return false;
}

/** Windows has no groups: `taskkill` walks the tree, politely first. */
function signalTree(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(leader, 0);
  } catch {
    // Gone already.
    return false;
  }
  if (signal === 0) return true;
  const force = signal === 'SIGKILL' ? ['/F'] : [];
  // Loaded when needed: a server never starts a process here.
  const { spawn } = process.getBuiltinModule('node:child_process');
  spawn('taskkill', ['/PID', String(leader), '/T', ...force], {
    stdio: 'ignore',
    windowsHide: true,
  })
    .on('error', () => undefined)
    .unref();
  return true;
}

/**
 * Descendants of a process that left its group, as daemons do: group signals do not reach them.
 * Linux only, from `/proc`; empty elsewhere.
 */
export function findEscaped(leader: number): number[] {
  if (process.platform !== 'linux') return [];
  const children = new Map<number, ProcessStat[]>();
  for (const stat of readProcesses()) {
    const siblings = children.get(stat.parent) ?? [];
    siblings.push(stat);
    children.set(stat.parent, siblings);
  }
  const escaped: number[] = [];
  const open = [leader];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      open.push(child.pid);
      if (child.group !== leader) escaped.push(child.pid);
    }
  }
  return escaped;
}

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly isZombie: boolean;
}

function* readProcesses(): Generator<ProcessStat> {
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? readStat(entry) : undefined;
    if (stat !== undefined) yield stat;
  }
}

function readStat(pid: string): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may hold anything, so count from its end.
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isZombie = state === 'Z' || state === 'X';
    return { pid: Number(pid), parent: Number(parent), group: Number(group), isZombie };
  } catch {
    // Ended while we looked.
    return undefined;
  }
}
