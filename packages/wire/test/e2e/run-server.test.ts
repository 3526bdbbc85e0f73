import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Program, requestLine, serverLine } from './fixtures/program.ts';
import { isAlive, processesWith, until } from './until.ts';

const scratch = mkdtempSync(join(tmpdir(), 'wire-server-'));

afterAll(() => rmSync(scratch, { recursive: true }));

function hasScript(): boolean {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs the server in a shell, which sets its streams up; `$@` is its command line. */
function shell(script: string, settings: object = {}): Program {
  return new Program('sh', ['-c', script, 'sh', process.execPath, ...serverLine(settings)]);
}

describe('section D.9: processes, server end', () => {
  describe('row 101: end of input', () => {
    it('ends an idle server with 0', async () => {
      await using server = Program.server();
      server.end();
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.stdout).toBe('');
      expect(server.stderr).toBe('');
    });

    it('lets a handler in flight answer first', async () => {
      await using server = Program.server();
      server.request(1, 'slow', { ms: 100 });
      server.end();
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: 'slow' }]);
    });

    it('ends a server whose input ended before it looked', async () => {
      await using server = Program.server({}, ['ignore', 'pipe', 'pipe']);
      expect(await server.ended).toEqual({ code: 0, signal: null });
    });

    it('answers what was sent with the end, and refuses half a message', async () => {
      await using server = Program.server();
      server.request(1, 'echo', { n: 1 });
      server.child.stdin?.end('{"jsonrpc":"2.0","id":2,"me');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.messages[0]).toMatchObject({ id: 1, result: { n: 1 } });
      expect(server.messages[1]).toMatchObject({ id: null, error: { code: -32700 } });
    });

    it('aborts a handler that takes longer than the drain, and ends', async () => {
      await using server = Program.server({ drainMs: 50 });
      server.request(1, 'hang');
      await server.says('hanging');
      server.end();
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.stderr).toContain('aborted: SHUTDOWN');
      expect(server.messages).toMatchObject([{ id: 1, result: 'aborted' }]);
    });

    it('ends though a handler takes no notice', async () => {
      await using server = Program.server({ drainMs: 50 });
      server.request(1, 'deaf');
      await server.says('hanging');
      server.end();
      expect(await server.ended).toEqual({ code: 0, signal: null });
    });
  });

  it('row 102: open timers, sockets and watchers do not keep it', async () => {
    await using server = Program.server({ open: 'everything' });
    server.request(1, 'echo');
    await server.answer(1);
    server.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  describe('row 103: the reader of stdout is gone', () => {
    it.each([10, 1024 * 1024])('ends quietly when %i bytes cannot be written', async (bytes) => {
      await using server = Program.server();
      server.request(1, 'echo');
      await server.answer(1);
      server.child.stdout?.destroy();
      server.request(2, 'big', { bytes });
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.stderr).toBe('');
    });

    it('ends quietly on a real pipe, and aborts its handlers', async () => {
      await using server = shell('"$@" | head -c 1 >/dev/null');
      server.request(1, 'hang');
      await server.says('hanging');
      server.request(2, 'echo');
      server.request(3, 'big', { bytes: 1024 * 1024 });
      await server.ended;
      expect(server.stderr).toBe('hanging\naborted: SHUTDOWN\n');
    });
  });

  describe('row 104: what stdout is', () => {
    it('works on a file', async () => {
      const path = join(scratch, 'out.jsonl');
      await using server = shell(`"$@" > ${path}`);
      server.request(1, 'echo', { n: 1 });
      server.request(2, 'big', { bytes: 1024 * 1024 });
      server.end();
      expect(await server.ended).toEqual({ code: 0, signal: null });
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
    });

    it('appends to a file that is opened for that', async () => {
      const path = join(scratch, 'append.jsonl');
      writeFileSync(path, 'before\n');
      await using server = shell(`"$@" >> ${path}`);
      server.request(1, 'echo', { n: 1 });
      server.end();
      await server.ended;
      expect(readFileSync(path, 'utf8')).toBe(
        'before\n{"jsonrpc":"2.0","id":1,"result":{"n":1}}\n',
      );
    });

    it('fails with 1 and says why on a full disk', async () => {
      await using server = shell('"$@" > /dev/full');
      server.request(1, 'echo');
      expect(await server.ended).toEqual({ code: 1, signal: null });
      expect(server.stderr).toContain('ENOSPC');
      expect(server.stderr).not.toContain('    at ');
    });

    it('works on a pipe', async () => {
      await using server = shell('"$@" | cat');
      server.request(1, 'echo', { n: 1 });
      expect(await server.answer(1)).toMatchObject({ result: { n: 1 } });
    });

    it('works on a socket pair', async () => {
      await using server = Program.server();
      server.request(1, 'echo', { n: 1 });
      expect(await server.answer(1)).toMatchObject({ result: { n: 1 } });
    });

    it.runIf(hasScript())('works on a terminal', async () => {
      const line = [process.execPath, ...serverLine()].map((arg) => `'${arg}'`).join(' ');
      const input = requestLine(1, 'echo', { n: 1 }).trim();
      await using server = new Program('script', [
        ...['-q', '-e', '-c', `printf '%s\\n' '${input}' | ${line}`, '/dev/null'],
      ]);
      server.end();
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.stdout).toContain('"result":{"n":1}');
    });
  });

  describe('row 105: what stdin is', () => {
    const path = join(scratch, 'requests.jsonl');
    writeFileSync(path, requestLine(1, 'echo', { n: 1 }) + requestLine(2, 'slow', { ms: 20 }));

    it.each([
      ['a pipe', '"$@" < FILE | cat'],
      ['a socket pair', '"$@" < FILE'],
      ['a file', '"$@" < FILE > OUT; code=$?; cat OUT; exit $code'],
    ])('works on a file, with stdout on %s', async (kind, script) => {
      const out = join(scratch, `out-${kind.replaceAll(' ', '-')}`);
      await using server = shell(script.replaceAll('FILE', path).replaceAll('OUT', out));
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.stderr).toBe('');
      expect(server.messages).toMatchObject([
        { id: 1, result: { n: 1 } },
        { id: 2, result: 'slow' },
      ]);
    });

    it.each([
      ['/dev/null', '"$@" < /dev/null'],
      ['closed', '"$@" <&-'],
      ['closed, with stdout on a pipe', '{ "$@" <&-; echo "code $?" >&2; } | cat'],
    ])('ends at once when it is %s', async (_, script) => {
      await using server = shell(script);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.stdout).toBe('');
      expect(server.stderr).toMatch(/^(?:code 0\n)?$/);
    });

    it.runIf(hasScript())('prints a hint when it is a terminal, and serves it', async () => {
      const line = [process.execPath, ...serverLine()].map((arg) => `'${arg}'`).join(' ');
      await using server = new Program('script', ['-q', '-e', '-c', line, '/dev/null']);
      await until(() => server.stdout.includes('from the terminal'), { what: 'the hint' });
      expect(server.stdout.trim().split('\n')).toHaveLength(1);
      server.request(1, 'echo', { n: 1 });
      await until(() => server.stdout.includes('"result":{"n":1}'), { what: 'the answer' });
      server.child.stdin?.write('\x04');
      expect(await server.ended).toEqual({ code: 0, signal: null });
    });
  });

  it('row 106: a last answer of 4 MB is written before the process ends', async () => {
    await using server = Program.server();
    server.request(1, 'big', { bytes: 4 * 1024 * 1024 });
    server.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(String(server.messages[0]?.result)).toHaveLength(4 * 1024 * 1024);
  });

  it('row 106: the same on a real pipe with a slow reader', async () => {
    await using server = shell('"$@" | { sleep 0.3; cat; }');
    server.request(1, 'big', { bytes: 4 * 1024 * 1024 });
    server.end();
    await server.ended;
    expect(String(server.messages[0]?.result)).toHaveLength(4 * 1024 * 1024);
  });

  it('row 107: a full pipe that does not block loses nothing', async () => {
    await using server = shell('"$@" | { sleep 0.2; cat; }');
    const count = 40;
    for (let id = 1; id <= count; id++) server.request(id, 'big', { bytes: 50_000 });
    server.end();
    await server.ended;
    expect(server.messages.map(({ id }) => id)).toEqual(
      Array.from({ length: count }, (_, n) => n + 1),
    );
  });

  describe('row 109: signals', () => {
    it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
      '%s ends it with 0',
      async (signal) => {
        await using server = Program.server({ onClose: 'say' });
        server.request(1, 'echo');
        await server.answer(1);
        server.child.kill(signal);
        expect(await server.ended).toEqual({ code: 0, signal: null });
        expect(server.stderr).toBe('closed\n');
      },
    );

    it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
      '%s lets handlers in flight answer',
      async (signal) => {
        await using server = Program.server();
        server.request(1, 'slow', { ms: 150 });
        server.request(2, 'echo');
        await server.answer(2);
        server.child.kill(signal);
        expect(await server.ended).toEqual({ code: 0, signal: null });
        expect(server.messages).toMatchObject([{ id: 2 }, { id: 1, result: 'slow' }]);
      },
    );

    it('a second signal ends it at once', async () => {
      await using server = Program.server({ drainMs: 60_000 });
      server.request(1, 'deaf');
      await server.says('hanging');
      server.child.kill('SIGTERM');
      const again = setInterval(() => server.child.kill('SIGINT'), 20);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      clearInterval(again);
    });

    it('survives a storm of a thousand signals as one shutdown', async () => {
      await using server = Program.server({ drainMs: 60_000 });
      server.request(1, 'deaf');
      await server.says('hanging');
      const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
      for (let i = 0; i < 1000; i++) server.child.kill(signals[i % 3] ?? 'SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.stderr).toBe('hanging\n');
    });
  });

  describe('row 110: failures', () => {
    it.each(['throw', 'reject'])(
      'a handler that fails by %s answers -32603 without a stack',
      async (method) => {
        await using server = Program.server();
        server.request(1, method);
        const { error } = await server.answer(1);
        expect(error).toMatchObject({ code: -32603 });
        expect(JSON.stringify(error)).not.toMatch(/ at |\.mjs/);
        server.request(2, 'echo');
        await server.answer(2);
      },
    );

    it('a rejection nobody waits for is reported and ends nothing', async () => {
      await using server = Program.server();
      server.request(1, 'stray');
      expect(await server.answer(1)).toMatchObject({ result: 'fine' });
      await server.says('nobody waits for this');
      server.request(2, 'echo');
      await server.answer(2);
    });

    it('an exception nobody catches ends the process with a failure', async () => {
      await using server = Program.server();
      server.request(1, 'uncaught');
      const { code } = await server.ended;
      expect(code).not.toBe(0);
      expect(server.stderr).toContain('a bug in a callback');
      expect(server.stdout).toBe('');
    });

    it('a message over the limit ends it with 1 when told so', async () => {
      await using server = Program.server({ oversize: 'fail', maxMessageBytes: 100 });
      server.request(1, 'echo', { text: 'x'.repeat(200) });
      expect(await server.ended).toEqual({ code: 1, signal: null });
      expect(server.stderr).toContain('over the limit of 100');
    });

    it.each([
      [{ drainMs: -1 }, '`drainMs`'],
      [{ drain: 1 }, 'unknown option `drain`'],
      [{ parentWatchMs: -5 }, '`parentWatchMs`'],
    ])('refuses the options %o with 1', async (options, text) => {
      await using server = Program.server(options);
      expect(await server.ended).toEqual({ code: 1, signal: null });
      expect(server.stderr).toContain(text);
    });

    it('a closing hook that fails gives 1, one that hangs is not waited for longer than the drain', async () => {
      await using failing = Program.server({ onClose: 'fail' });
      failing.end();
      expect(await failing.ended).toEqual({ code: 1, signal: null });
      expect(failing.stderr).toBe('closing failed: could not save\n');
      await using hanging = Program.server({ onClose: 'hang', open: 'everything', drainMs: 50 });
      hanging.end();
      expect(await hanging.ended).toEqual({ code: 1, signal: null });
      expect(hanging.stderr).toContain('closing failed');
    });
  });

  it('row 111: the end of the parent ends it, though a sibling holds the write end', async () => {
    const marker = `wire-parent-${process.pid}`;
    const sibling = 'process.stdout.write(process.argv[1]); setInterval(() => {}, 1000)';
    const hold = `"$0" -e '${sibling}' '${requestLine(1, 'pid')}' ${marker}`;
    await using pipeline = new Program('sh', [
      ...['-c', `${hold} | sh -c 'echo $$ >&2; "$@"; true' sh "$0" "$@"`, process.execPath],
      ...[...serverLine({ parentWatchMs: 50 }), marker],
    ]);
    using _ = {
      [Symbol.dispose]: () => {
        for (const left of processesWith(marker)) process.kill(left, 'SIGKILL');
      },
    };
    const pid = Number((await pipeline.answer(1)).result);
    process.kill(Number(pipeline.stderr), 'SIGKILL');
    await until(() => !isAlive(pid), { what: 'the end of the server' });
    expect(processesWith(marker).length).toBeGreaterThan(0);
  });

  it('row 112: a second server on the same input is refused', async () => {
    await using server = Program.server();
    server.request(1, 'again');
    expect(await server.answer(1)).toMatchObject({ error: { code: -32603 } });
    server.request(2, 'echo');
    await server.answer(2);
  });
});
