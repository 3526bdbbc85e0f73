import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { findEscaped, isGroupAlive, signalGroup } from '../../src/stdio/process-group.ts';
import { isAlive, until } from '../e2e/until.ts';

const started: { child: ChildProcess; others: number[] }[] = [];

/** Starts a shell as the leader of a group; it prints the ids of what it starts, one per line. */
async function startGroup(
  script: string,
  count: number,
): Promise<{ leader: number; others: number[] }> {
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const entry = { child, others: [] as number[] };
  started.push(entry);
  for await (const line of createInterface({ input: child.stdout })) {
    entry.others.push(Number(line));
    if (entry.others.length === count) break;
  }
  return { leader: child.pid ?? 0, others: entry.others };
}

afterEach(async () => {
  for (const { child, others } of started.splice(0)) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const exit = hasEnded ? undefined : once(child, 'exit');
    signalGroup(child.pid ?? 0, 'SIGKILL');
    for (const pid of others) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await exit;
  }
});

describe('signalGroup', () => {
  it('reaches every process of the group', async () => {
    const { leader, others } = await startGroup('sleep 60 & echo $!; sleep 60 & echo $!; wait', 2);
    expect(signalGroup(leader, 0)).toBe(true);
    expect(signalGroup(leader, 'SIGKILL')).toBe(true);
    await until(() => !others.some(isAlive));
    await until(() => !signalGroup(leader, 0));
  });

  it('says that there is no such group', async () => {
    const child = spawn('true', [], { detached: true, stdio: 'ignore' });
    await once(child, 'exit');
    expect(signalGroup(child.pid ?? 0, 0)).toBe(false);
    expect(signalGroup(child.pid ?? 0, 'SIGTERM')).toBe(false);
  });
});

describe.runIf(process.platform === 'linux')('isGroupAlive', () => {
  it('holds while a process of the group runs, and not when all are gone', async () => {
    const { leader } = await startGroup('echo 0; exec sleep 60', 1);
    expect(isGroupAlive(leader)).toBe(true);
    signalGroup(leader, 'SIGKILL');
    await until(() => !isGroupAlive(leader));
  });

  it('does not hold for a zombie, which can be signalled for ever', async () => {
    // The last command takes the place of the shell, so nobody collects the first, which leads a group of its own.
    const { others } = await startGroup('setsid sleep 0.3 & echo $!; exec sleep 60', 1);
    const [zombie = 0] = others;
    await until(() => !isAlive(zombie));
    expect(signalGroup(zombie, 0)).toBe(true);
    expect(isGroupAlive(zombie)).toBe(false);
  });
});

describe.runIf(process.platform === 'linux')('findEscaped', () => {
  it('finds a descendant that left the group, and no other', async () => {
    const { leader, others } = await startGroup(
      `sleep 60 & echo $!; setsid sh -c 'echo $$; exec sleep 60' & wait`,
      2,
    );
    const escaped = findEscaped(leader);
    expect(escaped).toHaveLength(1);
    expect(others).toContain(escaped[0]);
  });

  it('finds nothing where everybody stayed, and nothing for a process that is gone', async () => {
    const { leader } = await startGroup('sleep 60 & echo $!; wait', 1);
    expect(findEscaped(leader)).toEqual([]);
    const child = spawn('true', [], { stdio: 'ignore' });
    await once(child, 'exit');
    expect(findEscaped(child.pid ?? 0)).toEqual([]);
  });
});
