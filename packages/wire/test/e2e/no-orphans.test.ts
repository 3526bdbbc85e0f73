import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture } from './fixtures/programs.ts';
import { isAlive, processesWith, until } from './until.ts';

const RAW = fixture('raw-server.mjs');
let count = 0;

/** Command lines of servers, each with a marker that all of its processes carry. */
const servers: Readonly<Record<string, (marker: string) => string[]>> = {
  'a server behind a shell': (marker) => [
    ...['sh', '-c', `node "$1" echo ${marker}; true`, marker, RAW],
  ],
  'a server that ignores EOF and SIGTERM': (marker) => [
    process.execPath,
    RAW,
    'ignore-term',
    marker,
  ],
  'a stubborn server behind two shells': (marker) => [
    ...['sh', '-c', `sh -c 'node "$1" ignore-term ${marker}; true' ${marker} "$1"; true`],
    ...[marker, RAW],
  ],
};

const ends: Readonly<Record<string, { how: string; signal?: NodeJS.Signals }>> = {
  SIGKILL: { how: 'wait', signal: 'SIGKILL' },
  SIGTERM: { how: 'wait', signal: 'SIGTERM' },
  SIGINT: { how: 'wait', signal: 'SIGINT' },
  SIGHUP: { how: 'wait', signal: 'SIGHUP' },
  'an uncaught exception': { how: 'uncaught exception' },
  'an unhandled rejection': { how: 'unhandled rejection' },
  'process.exit': { how: 'process.exit' },
};

async function startHost(how: string, marker: string, server: string): Promise<ChildProcess> {
  const line = servers[server]?.(marker) ?? [];
  const child = spawn(process.execPath, [fixture('host.mjs'), how, ...line], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe.concurrent('no orphans: nothing of the tree is left 2 s after the end of the host', () => {
  const cases = Object.keys(servers).flatMap((server) =>
    Object.keys(ends).map((end) => [server, end] as const),
  );
  it.each(cases)('row 117: %s, host ended by %s', async (server, end) => {
    const marker = `wire-orphan-${process.pid}-${count++}`;
    const { how, signal } = ends[end] ?? { how: 'wait' };
    const child = await startHost(how, marker, server);
    const exit = child.exitCode ?? child.signalCode ?? once(child, 'exit');
    if (signal !== undefined) child.kill(signal);
    await exit;
    const what = 'the end of every process of the tree';
    await until(() => processesWith(marker).length === 0, { ms: 2000, what });
  });
});

describe('a host that closes its connection', () => {
  it.each(Object.keys(servers))('can end by itself, with %s', async (server) => {
    const marker = `wire-orphan-${process.pid}-${count++}`;
    const child = await startHost('close', marker, server);
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(processesWith(marker)).toEqual([]);
  });

  it.each(['crash', 'leave-grandchild'])(
    'rows 90 and 116: can end by itself when its server is gone (%s)',
    async (mode) => {
      const marker = `wire-orphan-${process.pid}-${count++}`;
      const line = [process.execPath, RAW, mode, marker];
      const child = spawn(process.execPath, [fixture('host.mjs'), 'lose the server', ...line], {
        stdio: 'ignore',
      });
      await once(child, 'exit');
      expect(child.exitCode).toBe(0);
      await until(() => processesWith(marker).length === 0, { what: 'the end of the tree' });
    },
  );

  it('leaves no watcher behind', async () => {
    const marker = `wire-orphan-${process.pid}-${count++}`;
    const child = await startHost('wait', marker, 'a server behind a shell');
    const watchers = (): number[] => processesWith("trap '' HUP INT TERM").filter(isChildOf(child));
    const before = watchers();
    expect(before).toHaveLength(1);
    child.kill('SIGKILL');
    await until(() => !before.some(isAlive), { what: 'the end of the watcher' });
  });
});

function isChildOf({ pid }: ChildProcess): (candidate: number) => boolean {
  return (candidate) =>
    readFileSync(`/proc/${candidate}/status`, 'utf8').includes(`PPid:\t${pid}\n`);
}
