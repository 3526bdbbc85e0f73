import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Program, requestLine, serverLine } from './fixtures/program.ts';

const NOISES = [
  'console.log',
  'console.info',
  'console.table',
  'process.stdout.write',
  'fs.writeSync',
  'child inherit',
  'child fd',
] as const;

const scratch = mkdtempSync(join(tmpdir(), 'wire-guard-'));

afterAll(() => rmSync(scratch, { recursive: true }));

/** Runs the server in a shell in the scratch folder; `$@` is its command line. */
function inShell(script: string): Program {
  const line = ['-c', `cd '${scratch}'; exec 4>&1; ${script}`, 'sh', process.execPath];
  return new Program('sh', [...line, ...serverLine()]);
}

/** Runs code that has the guard at hand, in a shell. */
function evaluated(script: string, code: string): Program {
  const module = new URL('../../dist/index.js', import.meta.url);
  const text = `import { guardStdout } from '${module}';\n${code}`;
  return new Program('sh', [
    '-c',
    script,
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    text,
  ]);
}

/** Ways to connect a server. */
const surroundings: Readonly<Record<string, () => Program>> = {
  'socket pairs': () => Program.server(),
  'real pipes': () => inShell('cat | "$@" | cat'),
  'a pipe in, a socket pair out': () => inShell('cat | "$@"'),
  'a socket pair in, a pipe out': () => inShell('"$@" | cat'),
  'a file in, a pipe out': () => inShell('cat > in; "$@" < in | cat'),
  'three pipes': () => inShell('{ cat | "$@" 2>&3 3>&- | cat; } 3>&1 1>&4 | cat >&2'),
  'pipes, with stderr in a file': () => inShell('cat | "$@" 2> log | cat; cat log >&2'),
};

describe('row 108: only messages are on the wire', () => {
  describe.each(Object.keys(surroundings))('over %s', (name) => {
    it('keeps every kind of noise off it, at the level of descriptors', async () => {
      await using server = surroundings[name]?.() ?? Program.server();
      for (const [index, kind] of NOISES.entries()) server.request(index + 1, 'noise', { kind });
      server.request(100, 'level');
      server.request(101, 'stdin');
      server.request(102, 'echo', { last: true });
      server.end();
      await server.ended;
      const ids = server.messages.map(({ id }) => id);
      expect([...ids].sort()).toEqual(
        [...NOISES.map((_, index) => index + 1), 100, 101, 102].sort(),
      );
      expect(server.messages.find(({ id }) => id === 100)).toMatchObject({ result: 'descriptor' });
      expect(server.stdout).not.toContain('noise');
      for (const kind of NOISES) expect(server.stderr).toContain(`noise: ${kind}`);
    });
  });

  it('gives a child that inherits stdin nothing of the wire to read', async () => {
    await using server = Program.server();
    server.child.stdin?.write(requestLine(1, 'stdin') + requestLine(2, 'echo', { n: 2 }));
    expect(await server.answer(1)).toMatchObject({ result: '' });
    expect(await server.answer(2)).toMatchObject({ result: { n: 2 } });
  });

  it('goes on after something ended `process.stdout`', async () => {
    await using server = Program.server();
    server.request(1, 'noise', { kind: 'process.stdout.end' });
    await server.answer(1);
    server.request(2, 'echo', { n: 2 });
    expect(await server.answer(2)).toMatchObject({ result: { n: 2 } });
    await server.says('noise: process.stdout.end');
  });

  it('keeps JavaScript off a file, where descriptors stay', async () => {
    await using server = inShell('"$@" > out; cat out');
    server.request(1, 'noise', { kind: 'console.log' });
    server.request(2, 'noise', { kind: 'process.stdout.write' });
    server.request(3, 'level');
    server.end();
    await server.ended;
    expect(server.messages).toHaveLength(3);
    expect(server.messages.find(({ id }) => id === 3)).toMatchObject({ result: 'stream' });
    expect(server.stderr).toBe('noise: console.log\nnoise: process.stdout.write\n');
  });

  it.each(['"$@"', '"$@" | cat'])(
    'holds from the call on, also for who wrote before: %s',
    async (line) => {
      await using program = evaluated(
        line,
        `console.log('before');
        const guarded = guardStdout();
        console.log('after');
        (await guarded).output.end('on the wire\\n', () => process.exit());`,
      );
      await program.ended;
      expect(program.stdout).toBe('before\non the wire\n');
      expect(program.stderr).toBe('after\n');
    },
  );

  it('leaves descriptors where they are on Deno, which has none that can be moved', async () => {
    const code = `
      const versions = { ...process.versions, deno: '2.9.6' };
      Object.defineProperty(process, 'versions', { value: versions });
      const { level, output } = await guardStdout();
      output.write(level);`;
    await using program = evaluated('"$@" | cat', code);
    program.end();
    await program.ended;
    expect(program.stdout).toBe('stream');
  });

  it('keeps the console off stdout at once on Bun, which writes past the stream', async () => {
    const code = `
      const versions = { ...process.versions, bun: '1.4.4' };
      Object.defineProperty(process, 'versions', { value: versions });
      const past = process.stdout;
      const write = past.write.bind(past);
      const guarded = guardStdout();
      past.write = write;
      for (const name of ['log', 'info', 'debug', 'dir', 'table']) console[name](name);
      const { output } = await guarded;
      output.end('wire', () => process.exit());`;
    await using program = evaluated('"$@"', code);
    await program.ended;
    expect(program.stdout).toBe('wire');
    expect(program.stderr).toBe('log\ninfo\ndebug\ndir\ntable\n');
  });

  it('guards once, however often it is called', async () => {
    await using program = evaluated(
      '"$@"',
      `const [first, second] = await Promise.all([guardStdout(), guardStdout()]);
      console.log(first === second);
      process.exit();`,
    );
    await program.ended;
    expect(program.stdout).toBe('');
    expect(program.stderr).toBe('true\n');
  });
});
