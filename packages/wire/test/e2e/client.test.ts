import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  type Connection,
  ProcessExitedError,
  type SpawnOptions,
  spawnServer,
  TimeoutError,
} from '../../src/index.ts';
import { FAST, fixture, raw } from './fixtures/programs.ts';
import { isAlive, processesWith, until } from './until.ts';

const open: Connection[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'wire-client-'));

async function start(options: SpawnOptions): Promise<Connection> {
  const connection = await spawnServer(options);
  open.push(connection);
  return connection;
}

/** What a promise rejects with. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.unreachable(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

afterEach(async () => {
  const closing = open.splice(0);
  await Promise.all(closing.map((connection) => connection.close()));
  for (const { pid } of closing) expect(isAlive(pid)).toBe(false);
});

afterAll(() => rmSync(scratch, { recursive: true }));

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('seed 004, spawn', () => {
  it('spawns_echo_process', async () => {
    const connection = await start({ command: 'cat' });
    expect(connection.isRunning).toBe(true);
    await connection.close();
    expect(connection.isRunning).toBe(false);
  });

  it('spawn_fails_for_nonexistent_command', async () => {
    const error = await failure(spawnServer({ command: 'nonexistent_command_12345' }));
    expect(error).toMatchObject({ name: 'WireError', code: 'SPAWN' });
    expect(String(error)).toContain('`nonexistent_command_12345`');
    expect(String(error)).toContain('PATH searched: `');
  });

  it('spawn_with_env_vars', async () => {
    process.env['WIRE_TEST_SECRET'] = 'hidden';
    const connection = await start({ ...raw('echo'), env: { TEST_VAR: 'hello' } });
    const env = await connection.request('env');
    delete process.env['WIRE_TEST_SECRET'];
    expect(env).toMatchObject({ TEST_VAR: 'hello', PATH: process.env['PATH'] });
    expect(env).not.toHaveProperty('WIRE_TEST_SECRET');
  });

  it('spawn with working directory', async () => {
    const connection = await start({ ...raw('echo'), cwd: scratch });
    expect(await connection.request('cwd')).toBe(realpathSync(scratch));
  });
});

describe('seed 004, send and receive', () => {
  const servers: [string, SpawnOptions][] = [['Node', raw('echo')]];
  if (hasPython()) {
    servers.push(['Python', { command: 'python3', args: [fixture('echo-server.py')] }]);
  }

  it.each(servers)('send_and_receive_roundtrip with an echo server in %s', async (_, options) => {
    const connection = await start(options);
    expect(await connection.request('echo', { test: 'value', text: 'é😀\n' })).toEqual({
      test: 'value',
      text: 'é😀\n',
    });
  });

  it('answers many requests at once, each to its own caller', async () => {
    const connection = await start(raw('echo'));
    const numbers = Array.from({ length: 500 }, (_, n) => n);
    const results = await Promise.all(numbers.map((n) => connection.request('echo', { n })));
    expect(results).toEqual(numbers.map((n) => ({ n })));
    expect(connection.pending).toBe(0);
  });

  it('passes a large message both ways at once, more than any pipe holds', async () => {
    const connection = await start(raw('echo'));
    const texts = ['a', 'b', 'é'].map((char) => char.repeat(4 * 1024 * 1024));
    const results = await Promise.all(texts.map((text) => connection.request('echo', { text })));
    for (const [index, result] of results.entries()) {
      expect((result as { text: string }).text === texts[index]).toBe(true);
    }
  });
});

describe('seed 004, timeout', () => {
  it('request_times_out', async () => {
    const connection = await start({ command: 'sleep', args: ['10'], shutdown: FAST });
    const error = await failure(connection.request('test', undefined, { timeoutMs: 100 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'TIMEOUT', timeoutMs: 100, clock: 'idle' });
  });

  it('tells a silent server that its request is given up', async () => {
    const frames: string[] = [];
    const tap = { frame: (_: string, text: string) => void frames.push(text) };
    const connection = await start({ ...raw('silent'), tap });
    await failure(connection.request('test', {}, { timeoutMs: 50 }));
    expect(frames.at(-1)).toContain('"method":"notifications/cancelled"');
  });
});

describe('seed 004, shutdown', () => {
  it('shutdown_marks_transport_closed', async () => {
    const connection = await start({ command: 'cat' });
    await connection.close();
    expect(connection.isShutdown).toBe(true);
    expect(connection.isRunning).toBe(false);
  });

  it('operations_fail_after_shutdown', async () => {
    const connection = await start({ command: 'cat' });
    await connection.close();
    for (const operation of [
      connection.request('test'),
      connection.notify('test'),
      connection.requestMany([{ method: 'test' }]),
    ]) {
      expect(await failure(operation)).toMatchObject({ code: 'SHUTDOWN' });
    }
  });

  it('closes at the end of the block under `await using`', async () => {
    let pid = 0;
    {
      await using connection = await spawnServer(raw('echo'));
      pid = connection.pid;
      expect(await connection.request('pid')).toBe(pid);
    }
    expect(isAlive(pid)).toBe(false);
  });
});

describe('seed 001', () => {
  it('keeps three flows apart: messages in, messages out, stderr', async () => {
    const connection = await start({
      command: 'sh',
      args: [
        '-c',
        `echo 'début' >&2; exec "$0" "$@"`,
        process.execPath,
        fixture('raw-server.mjs'),
        'echo',
      ],
    });
    const lines: string[] = [];
    connection.on('stderr', (line) => lines.push(line));
    expect(await connection.request('echo', { a: 1 })).toEqual({ a: 1 });
    await until(() => lines.length > 0);
    expect(lines).toEqual(['début']);
    expect(connection.stderrTail).toBe('début\n');
  });

  it('delivers notifications of the server', async () => {
    const text = '{"jsonrpc":"2.0","method":"example.notification","params":{"n":1}}';
    const connection = await start({
      command: 'sh',
      args: ['-c', `read x; echo '${text}'; cat >/dev/null`],
    });
    const seen = once(connection, 'notification');
    await connection.notify('go');
    expect(await seen).toEqual(['example.notification', { n: 1 }]);
  });

  it('tells what happened during the handshake once somebody can listen, in order', async () => {
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const changed = '{"jsonrpc":"2.0","method":"changed"}';
    const connection = await start({
      command: 'sh',
      args: ['-c', `read x; echo early >&2; echo banner; echo '${changed}'; echo '${answer}'; cat`],
      handshake: async (peer) => {
        await peer.request('initialize');
        await until(() => peer.stats.received === 2);
      },
    });
    const seen: string[] = [];
    connection.on('stderr', (line) => seen.push(`stderr ${line}`));
    connection.on('stray', (text) => seen.push(`stray ${text}`));
    connection.on('notification', (method) => seen.push(`notification ${method}`));
    await until(() => seen.length === 3);
    expect([...seen].sort()).toEqual(['notification changed', 'stderr early', 'stray banner']);
    expect(seen.indexOf('stray banner')).toBeLessThan(seen.indexOf('notification changed'));
  });

  it('keeps every notification of a handshake, however many', async () => {
    const script = `
      const line = (message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n';
      process.stdin.once('data', () => {
        for (let n = 0; n < 5000; n++) process.stdout.write(line({ method: 'n', params: { n } }));
        process.stdout.write(line({ id: 1, result: {} }));
      });`;
    const connection = await start({
      command: process.execPath,
      args: ['-e', script],
      handshake: (peer) => peer.request('initialize'),
    });
    const seen: unknown[] = [];
    connection.on('notification', (_method, params) => seen.push(Reflect.get(Object(params), 'n')));
    await until(() => seen.length >= 5000);
    expect(seen).toEqual(Array.from({ length: 5000 }, (_, n) => n));
  });

  it('says how many events of a handshake it dropped, when they are too large to keep', async () => {
    const script = `
      const line = (message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n';
      const text = 'x'.repeat(1024 * 1024);
      process.stdin.once('data', () => {
        for (let n = 0; n < 24; n++) process.stdout.write(line({ method: 'n', params: { text } }));
        process.stdout.write(line({ id: 1, result: {} }));
      });`;
    const connection = await start({
      command: process.execPath,
      args: ['-e', script],
      handshake: (peer) => peer.request('initialize'),
    });
    let seen = 0;
    const remarks: { code: string; message: string }[] = [];
    connection.on('notification', () => seen++);
    connection.on('remark', (remark) => remarks.push(remark));
    await until(() => remarks.length > 0);
    expect(seen).toBeGreaterThan(10);
    expect(seen).toBeLessThan(17);
    expect(remarks).toEqual([
      { code: 'events-dropped', message: expect.stringContaining(`dropped ${24 - seen} events`) },
    ]);
  });

  it('lives on when listeners and taps throw, and reports them', async () => {
    const thrown = (): never => {
      throw new Error('from a listener');
    };
    const connection = await start({
      command: 'sh',
      args: [
        '-c',
        `echo before >&2; read x; echo after >&2; echo '{"jsonrpc":"2.0","id":1,"result":1}'; read x; exit 3`,
      ],
      tap: { frame: thrown, stray: thrown, exit: thrown },
    });
    const failed: string[] = [];
    connection.on('remark', ({ code, message }) => {
      if (code === 'listener-failed') failed.push(message);
    });
    connection.on('stderr', thrown);
    connection.on('exit', thrown);
    expect(await connection.request('x')).toBe(1);
    await connection.notify('end');
    await until(() => failed.includes('a listener of `exit` threw'));
    await until(() => failed.filter((it) => it === 'a listener of `stderr` threw').length === 2);
    expect(failed).toContain('the tap threw');
    expect(connection.isRunning).toBe(false);
  });

  it('answers requests of the server with the given methods', async () => {
    const request = '{"jsonrpc":"2.0","id":"q","method":"roots/list"}';
    const stderr: string[] = [];
    const connection = await start({
      command: 'sh',
      args: ['-c', `echo '${request}'; read answer; echo "$answer" >&2; cat >/dev/null`],
      methods: { find: (name) => (name === 'roots/list' ? () => ['r'] : undefined) },
    });
    connection.on('stderr', (line) => stderr.push(line));
    await until(() => stderr.length > 0);
    expect(JSON.parse(stderr[0] ?? '')).toEqual({ jsonrpc: '2.0', id: 'q', result: ['r'] });
  });
});

describe('section D.8: processes, client end', () => {
  describe('row 87: what cannot be started is a SPAWN error before any request', () => {
    const notExecutable = join(scratch, 'plain.txt');
    writeFileSync(notExecutable, 'text');
    chmodSync(notExecutable, 0o644);

    it.each<[string, SpawnOptions, string]>([
      ['not found', { command: 'no-such-command-1' }, 'ENOENT'],
      ['not executable', { command: notExecutable }, 'EACCES'],
      ['missing cwd', { command: 'cat', cwd: join(scratch, 'none') }, 'the working directory'],
      ['cwd is a file', { command: 'cat', cwd: notExecutable }, 'the working directory'],
      ['NUL in an argument', { command: 'cat', args: ['a\0b'] }, 'null bytes'],
      ['arguments too long', { command: 'cat', args: ['x'.repeat(4 * 1024 * 1024)] }, 'E2BIG'],
    ])('%s', async (_, options, text) => {
      const before = readdirSync('/proc/self/fd').length;
      const error = await failure(spawnServer(options));
      expect(error).toMatchObject({ code: 'SPAWN' });
      expect(String(error)).toContain(text);
      await until(() => readdirSync('/proc/self/fd').length <= before, { what: 'no leaked pipe' });
    });

    it('no descriptors left', () => {
      const script = `ulimit -n 64; exec "$0" "$1"`;
      const args = ['-c', script, process.execPath, fixture('full-host.mjs')];
      const outcome: unknown = JSON.parse(execFileSync('sh', args, { encoding: 'utf8' }));
      expect(outcome).toEqual({ code: 'SPAWN', message: expect.stringContaining('EMFILE') });
    });

    it.each<[string, object, string]>([
      ['no command', { command: '' }, 'expected `command` to be a non-empty string'],
      ['unknown option', { command: 'cat', arguments: [] }, 'unknown option `arguments`'],
      ['misspelt option', { command: 'cat', Env: {} }, 'did you mean `env`?'],
      ['bad policy', { command: 'cat', envPolicy: 'some' }, '`safe`, `all`, `none`'],
      ['bad time', { command: 'cat', shutdown: { termMs: -1 } }, '`shutdown.termMs`'],
      ['unknown time', { command: 'cat', shutdown: { termMS: 1 } }, 'did you mean `termMs`?'],
      ['bad restart', { command: 'cat', restart: { maxCrashes: -1 } }, '`restart.maxCrashes`'],
    ])('refuses %s without starting anything', async (_, options, text) => {
      const error = await failure(spawnServer(options as SpawnOptions));
      expect(error).toMatchObject({ code: 'BAD_OPTION' });
      expect(String(error)).toContain(text);
    });
  });

  it('row 88: a child that exits at once fails the handshake with its code and its text', async () => {
    const error = await failure(
      spawnServer({ ...raw('exit-at-once'), handshake: (peer) => peer.request('initialize') }),
    );
    expect(error).toBeInstanceOf(ProcessExitedError);
    expect(error).toMatchObject({
      code: 'PROCESS_EXITED',
      phase: 'handshake',
      exitCode: 3,
      signal: null,
      stderrTail: 'cannot find the configuration\n',
    });
    expect(String(error)).toContain('exited with code 3');
    expect(String(error)).toContain('cannot find the configuration');
  });

  it.each([
    ['exit-mid-request', { exitCode: 7, signal: null, stderrTail: 'out of luck\n' }],
    ['signal-mid-request', { exitCode: null, signal: 'SIGKILL', stderrTail: '' }],
  ])('row 89: every pending request rejects when the child ends (%s)', async (mode, expected) => {
    const connection = await start(raw(mode));
    const exited = once(connection, 'exit');
    const errors = await Promise.all([1, 2, 3].map((n) => failure(connection.request('x', { n }))));
    for (const error of errors)
      expect(error).toMatchObject({ code: 'PROCESS_EXITED', phase: 'running', ...expected });
    expect(await exited).toEqual([expect.objectContaining(expected)]);
    expect(connection.isRunning).toBe(false);
    expect(await failure(connection.request('later'))).toMatchObject({ code: 'PROCESS_EXITED' });
  });

  it('row 89: answers already in the pipe are delivered first', async () => {
    const connection = await start(raw('answer-then-exit'));
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((method) => connection.request(method)),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('row 89: answers in the pipe survive a host that was busy when the child ended', async () => {
    const connection = await start(raw('answer-then-exit'));
    const results = Promise.allSettled(['a', 'b', 'c'].map((method) => connection.request(method)));
    // The requests have left; from now on nothing is read until the child is long gone.
    await connection.notify('sent');
    const { pid } = connection;
    while (isAlive(pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    const statuses = (await results).map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('row 89: a host that reads slowly still gets everything the child left in the pipe', async () => {
    const connection = await start(raw('notify-then-exit', '100'));
    let received = 0;
    connection.on('notification', () => {
      received++;
      // Longer than the grace after an exit, several times over.
      if (received % 50 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    });
    await connection.request('go').catch(() => undefined);
    expect(received).toBe(100);
  });

  it('row 90: a grandchild that holds the pipe does not hold the request, and goes too', async () => {
    const marker = `wire-grandchild-${process.pid}`;
    const connection = await start(raw('leave-grandchild', marker));
    const error = await failure(connection.request('x'));
    expect(error).toMatchObject({ code: 'PROCESS_EXITED', exitCode: 5 });
    await connection.close();
    expect(processesWith(marker)).toEqual([]);
  });

  it('row 91: a child that closes its stdout but lives is of no more use and is ended', async () => {
    const connection = await start(raw('close-stdout'));
    const { pid } = connection;
    const error = await failure(connection.request('x'));
    expect(error).toMatchObject({ code: 'PROCESS_EXITED', exitCode: null, signal: null });
    expect(String(error)).toContain('closed its stdout');
    await until(() => !isAlive(pid), { what: 'the end of the child' });
  });

  it('row 92: after a child closed its stdin the next request rejects and answers are still read', async () => {
    const connection = await start(raw('close-stdin'));
    const lines: string[] = [];
    connection.on('stderr', (line) => lines.push(line));
    const first = connection.request('first');
    await until(() => lines.includes('stdin is closed'));
    expect(await failure(connection.request('second'))).toMatchObject({ code: 'IO' });
    expect(await failure(connection.request('third'))).toMatchObject({ code: 'IO' });
    expect(await failure(connection.notify('fourth'))).toMatchObject({ code: 'IO' });
    process.kill(connection.pid, 'SIGUSR2');
    expect(await first).toBe('still here');
  });

  it('row 93: with a child that stops reading, timeouts fire, and its death settles every send', async () => {
    const connection = await start(raw('never-read'));
    const payload = { text: 'z'.repeat(1024 * 1024) };
    const sends = Array.from({ length: 8 }, () => connection.notify('bulk', payload));
    const settled = Promise.allSettled(sends);
    const error = await failure(connection.request('x', {}, { timeoutMs: 50 }));
    expect(error).toMatchObject({ code: 'TIMEOUT' });
    const pending = failure(connection.request('y', {}));
    process.kill(connection.pid, 'SIGKILL');
    expect(await pending).toMatchObject({ code: 'PROCESS_EXITED', signal: 'SIGKILL' });
    for (const { status } of await settled) expect(status).toBe('rejected');
  });

  it.each(['lines', 'one-line'])(
    'row 94: 100 MB on stderr never block the child (%s)',
    async (kind) => {
      const connection = await start(raw('flood-stderr', kind));
      expect(await connection.request('echo', { ok: true })).toEqual({ ok: true });
      await until(() => connection.stderrTail.endsWith('the end\n'));
      expect(connection.stderrTail.length).toBeLessThanOrEqual(8192);
    },
  );

  it('row 95: half a message is reported with its head', async () => {
    const connection = await start({ ...raw('half-message'), partialMs: 50 });
    const remark = once(connection, 'remark');
    const pending = failure(connection.request('x'));
    expect(await remark).toEqual([
      { code: 'partial-message', message: 'an unfinished message: {"jsonrpc":"2.0","id":1,"res' },
    ]);
    await connection.close();
    expect(await pending).toMatchObject({ code: 'SHUTDOWN' });
  });

  it('row 96: text without a newline on stdout is skipped in bounded memory', async () => {
    const connection = await start({ ...raw('flood-stdout', '256'), maxMessageBytes: 1024 * 1024 });
    expect(await connection.request('echo', { ok: true }, { timeoutMs: 20_000 })).toEqual({
      ok: true,
    });
    expect(process.memoryUsage().rss).toBeLessThan(1024 ** 3);
  });

  it('row 99: a stopped child times out, and the ladder ends it', async () => {
    const connection = await start(raw('echo'));
    await connection.request('echo');
    process.kill(connection.pid, 'SIGSTOP');
    expect(await failure(connection.request('x', {}, { timeoutMs: 50 }))).toMatchObject({
      code: 'TIMEOUT',
    });
    await connection.close();
    expect(isAlive(connection.pid)).toBe(false);
  });

  it('row 100: 200 children at once, without warnings, on one exit hook', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const hooks = process.listenerCount('exit');
    const answer = '{"jsonrpc":"2.0","id":1,"result":"ok"}';
    const connections = await Promise.all(
      Array.from({ length: 200 }, () =>
        start({ command: 'sh', args: ['-c', `read x; echo '${answer}'; read y`] }),
      ),
    );
    const results = await Promise.all(connections.map((connection) => connection.request('x')));
    expect(new Set(results)).toEqual(new Set(['ok']));
    expect(new Set(connections.map(({ pid }) => pid)).size).toBe(200);
    await Promise.all(connections.map((connection) => connection.close()));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    expect(process.listenerCount('exit')).toBeLessThanOrEqual(hooks + 1);
  });

  it('reports banners on stdout as strays and finds the messages among them', async () => {
    const connection = await start(raw('banner'));
    const strays: string[] = [];
    connection.on('stray', (text) => strays.push(text));
    expect(await connection.request('echo', { n: 1 })).toEqual({ n: 1 });
    await until(() => strays.some((text) => text.includes('done')));
    expect(strays).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Welcome to the server'),
        expect.stringContaining('[info] listening on stdio'),
      ]),
    );
    expect(await connection.request('echo', { n: 2 })).toEqual({ n: 2 });
  });

  it('passes stderr on to a stream when asked to', async () => {
    const chunks: Buffer[] = [];
    const { Writable } = await import('node:stream');
    const stderr = new Writable({
      write: (chunk: Buffer, _, done) => {
        chunks.push(chunk);
        done();
      },
    });
    const shutdown = { stdinMs: 10_000 };
    const connection = await start({ ...raw('report-end'), stderr, shutdown });
    await connection.close();
    expect(Buffer.concat(chunks).toString()).toBe('polite exit 0\n');
  });

  it('gives up starting when its signal aborts during the handshake, leaving nothing behind', async () => {
    const marker = `wire-abort-${process.pid}`;
    const stop = new AbortController();
    const reason = new Error('changed my mind');
    const opening = spawnServer({
      ...raw('silent', marker),
      signal: stop.signal,
      handshake: async (peer) => {
        stop.abort(reason);
        return peer.request('initialize');
      },
    });
    expect(await failure(opening)).toBe(reason);
    await until(() => processesWith(marker).length === 0, { what: 'the end of the child' });
  });

  it('starts nothing under a signal that has aborted', async () => {
    const marker = `wire-aborted-${process.pid}`;
    const signal = AbortSignal.abort(new Error('too late'));
    expect(await failure(spawnServer({ ...raw('silent', marker), signal }))).toMatchObject({
      message: 'too late',
    });
    expect(processesWith(marker)).toEqual([]);
  });

  it('leaves nothing behind when its signal aborts while the process starts', async () => {
    const marker = `wire-abort-early-${process.pid}`;
    const stop = new AbortController();
    const opening = spawnServer({ ...raw('silent', marker), signal: stop.signal });
    stop.abort(new Error('at once'));
    expect(await failure(opening)).toMatchObject({ message: 'at once' });
    await until(() => processesWith(marker).length === 0, { what: 'the end of the child' });
  });

  it('checks ids in lock-step mode', async () => {
    const connection = await start({
      command: 'sh',
      args: ['-c', `read x; echo '{"jsonrpc":"2.0","id":99,"result":1}'; cat >/dev/null`],
      lockStep: true,
    });
    expect(await failure(connection.request('x'))).toMatchObject({ code: 'ID_MISMATCH' });
  });
});
