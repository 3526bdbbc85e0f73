import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Connection, type SpawnOptions, spawnServer } from '../../src/index.ts';
import { ServerProcess } from '../../src/stdio/server-process.ts';
import { FAST, fixture, raw } from './fixtures/programs.ts';
import { isAlive, processesWith, until } from './until.ts';

const open: Connection[] = [];
let markers = 0;

async function start(options: SpawnOptions): Promise<Connection> {
  const connection = await spawnServer(options);
  open.push(connection);
  return connection;
}

function marker(): string {
  return `wire-ladder-${process.pid}-${markers++}`;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close().catch(() => undefined)));
});

/** A shell that starts the raw server in some way; `$@` is the server's command line. */
function wrapped(script: string, mode: string, mark: string): SpawnOptions {
  return {
    command: 'sh',
    args: ['-c', script, 'sh', process.execPath, fixture('raw-server.mjs'), mode, mark],
    shutdown: FAST,
  };
}

describe('section D.10: shutdown ladder', () => {
  it('row 113: a polite server ends at the end of its input, and no signal is sent', async () => {
    const connection = await start({ ...raw('report-end'), shutdown: { stdinMs: 10_000 } });
    await connection.request('echo');
    const exited = once(connection, 'exit');
    await connection.close();
    expect(await exited).toMatchObject([{ exitCode: 0, signal: null, phase: 'closing' }]);
    expect(connection.stderrTail).toBe('polite exit 0\n');
  });

  it('row 114: a server that ignores the end of its input gets SIGTERM', async () => {
    const connection = await start(raw('ignore-eof'));
    await connection.request('echo');
    const exited = once(connection, 'exit');
    await connection.close();
    expect(await exited).toMatchObject([{ signal: 'SIGTERM' }]);
  });

  it('row 114: a server that ignores SIGTERM too gets SIGKILL', async () => {
    const connection = await start(raw('ignore-term'));
    await connection.request('echo');
    const exited = once(connection, 'exit');
    await connection.close();
    expect(await exited).toMatchObject([{ signal: 'SIGKILL', stderrTail: 'got SIGTERM\n' }]);
    expect(isAlive(connection.pid)).toBe(false);
  });

  it('row 114: a stopped server is ended', async () => {
    const connection = await start(raw('echo'));
    await connection.request('echo');
    process.kill(connection.pid, 'SIGSTOP');
    const exited = once(connection, 'exit');
    await connection.close();
    expect(await exited).toMatchObject([{ signal: 'SIGKILL' }]);
  });

  it('row 114: gives up, naming the process, when even SIGKILL does not end it in time', async () => {
    const child = await ServerProcess.start(
      { ...raw('ignore-term'), shutdown: { stdinMs: 1, termMs: 1, killMs: 50 } },
      () => undefined,
    );
    // Stands for a process in uninterruptible sleep, which takes no signal at all.
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const error = await child.stop().catch((thrown: unknown) => thrown);
    const sent = kill.mock.calls.map(([, signal]) => signal).filter((signal) => signal !== 0);
    kill.mockRestore();
    expect(error).toMatchObject({ code: 'IO' });
    expect(String(error)).toContain(`process ${child.pid} did not end within 50 ms of SIGKILL`);
    expect(sent).toEqual(['SIGTERM', 'SIGKILL']);
    process.kill(-child.pid, 'SIGKILL');
    await child.ended;
  });

  it.each([
    ['a wrapper that waits', '"$@"; true', 'echo'],
    ['a wrapper with the server in the background', '"$@" <&0 & wait', 'echo'],
    ['two wrappers', 'sh -c \'"$@"; true\' sh "$@"; true', 'echo'],
    ['a wrapper around a server that ignores everything', '"$@"; true', 'ignore-term'],
    ['a wrapper that ends before the server', '"$@" <&0 & exit 0', 'ignore-eof'],
  ])('row 115: nothing is left of %s', async (_, script, mode) => {
    const mark = marker();
    const connection = await start(wrapped(script, mode, mark));
    await connection.request('echo').catch(() => undefined);
    await connection.close();
    await until(() => processesWith(mark).length === 0, { ms: 1000, what: 'the end of the tree' });
  });

  it('row 115: a process that left the group is reported', async () => {
    const mark = marker();
    const connection = await start(raw('escape', mark));
    const remarks: { code: string; message: string }[] = [];
    connection.on('remark', (remark) => remarks.push(remark));
    await until(() => processesWith(mark).length === 2);
    const [escaped = 0] = processesWith(mark).filter((pid) => pid !== connection.pid);
    await connection.close();
    process.kill(escaped, 'SIGKILL');
    expect(remarks).toEqual([
      {
        code: 'escaped',
        message: `left the process group of the server and may outlive it: ${escaped}`,
      },
    ]);
  });

  it('row 116: closing twice is closing once', async () => {
    const connection = await start(raw('echo'));
    const first = connection.close();
    expect(connection.close()).toBe(first);
    await first;
    await connection.close();
    expect(isAlive(connection.pid)).toBe(false);
  });

  it('row 116: close inside a handler does not wait for itself', async () => {
    const request = '{"jsonrpc":"2.0","id":1,"method":"stop"}';
    let closed: Promise<void> | undefined;
    const connection = await start({
      command: 'sh',
      args: ['-c', `read x; echo '${request}'; cat >/dev/null`],
      methods: {
        find: () => () => {
          closed = connection.close();
          return closed;
        },
      },
    });
    await connection.notify('go');
    await until(() => closed !== undefined);
    await closed;
    expect(isAlive(connection.pid)).toBe(false);
  });

  it('row 116: close after the child died resolves', async () => {
    const connection = await start(raw('exit-at-once'));
    await once(connection, 'exit');
    await connection.close();
    expect(connection.isShutdown).toBe(true);
  });

  it('row 116: requests under way when close begins are still answered', async () => {
    const connection = await start({ ...raw('echo'), shutdown: { stdinMs: 10_000 } });
    const answers = [1, 2, 3].map((n) => connection.request('echo', { n }));
    await connection.close();
    expect(await Promise.all(answers)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('row 116: requests that get no answer reject with SHUTDOWN', async () => {
    const connection = await start(raw('silent'));
    const pending = connection.request('x').catch((error: unknown) => error);
    await connection.close();
    expect(await pending).toMatchObject({ code: 'SHUTDOWN' });
  });

  it('ends a child that never reads while megabytes wait for it', async () => {
    const connection = await start(raw('never-read'));
    const send = connection.notify('bulk', { text: 'z'.repeat(8 * 1024 * 1024) });
    const outcome = send.catch((error: unknown) => error);
    await connection.close();
    expect(await outcome).toMatchObject({ name: 'WireError' });
    expect(isAlive(connection.pid)).toBe(false);
  });

  it('row 118: a server that still writes 10 MB when close begins can finish', async () => {
    const connection = await start({ ...raw('write-on-end'), shutdown: { stdinMs: 10_000 } });
    const answer = connection.request('x');
    const exited = once(connection, 'exit');
    await connection.close();
    expect(String(await answer)).toHaveLength(10 * 1024 * 1024);
    expect(await exited).toMatchObject([{ exitCode: 0, signal: null }]);
  });

  it('row 119: no signal is sent to a number whose process is known to be gone', async () => {
    const child = await ServerProcess.start(raw('exit-at-once'), () => undefined);
    await child.ended;
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    await child.stop();
    const signals = [...kill.mock.calls];
    kill.mockRestore();
    expect(signals).toEqual([]);
  });
});
