import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/tincan-memory.js', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tincan-e2e-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function environment(): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, TINCAN_HOME: join(folder, 'home'), TERM: 'xterm', NO_COLOR: '1' };
}

function start(
  command: string,
  args: readonly string[],
  { input = '', cwd = folder }: { readonly input?: string | undefined; readonly cwd?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: environment(), cwd, maxBuffer: 2 ** 26 };
    const child = execFile(command, [...args], options, (error, out, err) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
      resolve({ code, out, err });
    });
    child.stdin?.end(input);
  });
}

const run = (args: readonly string[], input?: string): Promise<Outcome> =>
  start(process.execPath, [program, ...args], { input });

/** The same in a pseudo-terminal, where stdout and stderr are one. */
const inTerminal = (args: readonly string[], input?: string): Promise<Outcome> =>
  start('script', ['-qec', [process.execPath, program, ...args].join(' '), '/dev/null'], { input });

describe('the program', () => {
  it('remembers from one process to the next', async () => {
    const added = await run(['add', '-p', 'demo', '--tags', 'ops', 'Deploys go out on Tuesdays']);
    expect(added).toMatchObject({ code: 0, err: '' });
    const { id } = JSON.parse(added.out) as { id: string };
    const found = await run(['search', '-p', 'demo', 'when do deploys happen']);
    expect(JSON.parse(found.out)).toMatchObject({ results: [{ id, tags: ['ops'] }] });
    expect(JSON.parse((await run(['doctor'])).out)).toMatchObject({ ok: true });
  });

  it.each([
    [['get', 'nope'], 1, 'error: Note not found\n'],
    [['bogus'], 2, 'error: expected a command'],
    [['search', 'x', '-p', 'demo', '--until', 'x'], 2, 'error: invalid time'],
  ])('%j exits with %i', async (args, code, err) => {
    const outcome = await run(args);
    expect(outcome).toMatchObject({ code, out: '' });
    expect(outcome.err).toContain(err);
  });

  it('draws tables in a terminal', async () => {
    await run(['add', '-p', 'demo', '--title', 'Release', 'Deploys go out on Tuesdays']);
    const { code, out } = await inTerminal(['list', '-p', 'demo']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ID +CREATED +GROUP +NOTE +TAGS\r\n[0-9a-f-]{36} {2}\d{4}-\d\d-\d\d .*Release/,
    );
    expect((await inTerminal(['search', '-p', 'demo', 'deploys'])).out).toContain(
      '[1] Release (score: ',
    );
    expect((await inTerminal(['search', '-p', 'demo', '-f', 'json', 'x'])).out).toContain(
      '"results"',
    );
  });

  it('shows the bar of a reindex in a terminal and clears it', async () => {
    await run(['add', '-p', 'demo', 'one']);
    const { out } = await inTerminal(['reindex', '--all']);
    expect(out).toMatch(/embedding █{24} 100 %/);
    expect(out.endsWith('\r\u001B[2KEmbedded 1 of 1 notes\r\n')).toBe(true);
  });

  it('exports into a pipe that closes early without a word', async () => {
    const lines = Array.from(
      { length: 5000 },
      (_, i) =>
        `{"kind":"note","projectId":"demo","groupId":"global","text":"${'long '.repeat(40)}${i}"}`,
    );
    expect((await run(['import'], lines.join('\n'))).code).toBe(0);
    const { out, err } = await start('sh', [
      '-c',
      `'${process.execPath}' '${program}' export | head -n 1`,
    ]);
    expect(out.split('\n')).toHaveLength(2);
    expect(err).toBe('');
    expect((await run(['export'])).out.trimEnd().split('\n')).toHaveLength(5000);
  });

  it('serves on stdio without a command and keeps stdout to the protocol', async () => {
    const request = '{"jsonrpc":"2.0","id":1,"method":"memory.get_config"}\n';
    const { code, out, err } = await run([], request);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ id: 1, result: { store: { type: 'sqlite' } } });
  });

  it('ends an import at the first Ctrl-C and keeps what it took', async () => {
    const child = spawn(process.execPath, [program, 'import'], { env: environment(), cwd: folder });
    const lines = Array.from(
      { length: 300 },
      (_, i) => `{"kind":"note","projectId":"demo","groupId":"global","text":"n ${i}"}\n`,
    );
    child.stdin.on('error', () => undefined);
    child.stdin.write(lines.join(''));
    const ended = new Promise((resolve) => child.once('close', resolve));
    // The store appears with the first batch.
    let listed = '';
    while (!listed.includes('"n ')) listed = (await run(['list', '-p', 'demo'])).out;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(JSON.parse((await run(['doctor'])).out)).toMatchObject({ ok: true });
  });

  it('is a function too, for a command that has it as a part', async () => {
    const code = `
      import { processIo, runMemoryCommand } from 'tincan-memory/cli';
      process.exitCode = await runMemoryCommand(['get', 'nope'], processIo());`;
    const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
    const args = ['--input-type=module', '--eval', code];
    const outcome = await start(process.execPath, args, { cwd: packageFolder });
    expect(outcome).toEqual({ code: 1, out: '', err: 'error: Note not found\n' });
  });

  it('tells a mistake in the configuration of a server that an agent starts', async () => {
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'home/config.json'), '{"embeder":{}}');
    const { code, out, err } = await run([]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toMatch(/^error: the configuration `.+config\.json` has a mistake at `embeder`/);
  });
});
