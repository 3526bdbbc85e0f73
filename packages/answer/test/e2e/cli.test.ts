import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startDemoUpstream } from '../../src/demo/upstream.ts';
import { cleanEnv, Program, run } from './program.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

function envWithFile(yaml: string): Record<string, string> {
  const env = cleanEnv();
  const folder = join(env['HOME'] ?? '', '.config', 'tincan');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'answer.yaml'), yaml);
  return env;
}

describe('the command', () => {
  it.each([['--version'], ['-v']])('prints its version for %s', async (flag) => {
    expect(await run([flag])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([[['--help']], [['-h']], [[]], [['help']]])('prints help for %j', async (args) => {
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    for (const word of ['--stdio', '--show-config', '--check', '--replay', 'OPENAI_API_KEY']) {
      expect(stdout).toContain(word);
    }
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it.each([
    [['--stido'], '--stido: unknown option; did you mean `--stdio`?\n'],
    [['frobnicate'], 'unknown command `frobnicate`; try --help\n'],
    [['--no-cache'], 'nothing to do; try --help\n'],
    [['--stdio', '--config', '/nowhere.yaml'], '/nowhere.yaml: the file does not exist\n'],
  ])('refuses %j', async (args, stderr) => {
    expect(await run(args)).toMatchObject({ code: 1, stdout: '', stderr });
  });

  it('refuses a bad file at start, naming line, key and the nearest name', async () => {
    const env = envWithFile('request:\n  timeout_sm: 5\n  max_retries: many\n');
    const { code, stderr } = await run(['--stdio'], env);
    expect(code).toBe(1);
    expect(stderr.replaceAll(env['HOME'] ?? '', '~')).toBe(
      '~/.config/tincan/answer.yaml:2: `request.timeout_sm`: unknown key; did you mean `request.timeout_ms`?\n' +
        '~/.config/tincan/answer.yaml:3: `request.max_retries`: expected a whole number from 0 to 10, got `"many"`\n',
    );
  });

  it('shows each setting with its origin, for people and for programs', async () => {
    const env = { ...envWithFile('errors: spec\n'), MAX_CITATIONS: '7' };
    const people = await run(['--show-config', '--timeout', '5'], env);
    expect(people.stdout).toMatch(/^\* errors: "spec" +# .*answer\.yaml:1$/m);
    expect(people.stdout).toMatch(/^\* policy\.max_citations: 7 +# variable MAX_CITATIONS$/m);
    expect(people.stdout).toMatch(/^\* request\.timeout_ms: 5 +# flag --timeout$/m);
    const programs = JSON.parse((await run(['--show-config', '--json'], env)).stdout);
    expect(programs).toMatchObject({ version, effective: { errors: 'spec' } });
  });

  it('shows the configuration on stderr when it serves', async () => {
    const { code, stdout, stderr } = await run(['--stdio', '--show-config']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ version });
  });

  it('answers a question', async () => {
    const { code, stdout, stderr } = await run(['--demo', 'ask', 'Why', 'tin?', '--usage']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      'You asked: Why tin?. The guide has the answer.\n\nSources:\n- https://example.com/guide (2026-10-02)\n',
    );
    expect(stderr).toContain('… accepted by demo-model');
    expect(stderr).toContain('"calls":1');
  });

  it('lives through a pause before a retry, with nothing else to do', async () => {
    await using upstream = await startDemoUpstream();
    const { code, stdout } = await run([
      '--base-url',
      upstream.baseUrl,
      'ask',
      '[demo:limited:300]',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('HTTP 404 means');
    expect(upstream.requests).toHaveLength(2);
  });

  it('answers with a tool of choice, as JSON', async () => {
    const { stdout } = await run(['--demo', '--json', 'ask', '--tool=answer_quick', '[demo:ok]']);
    expect(JSON.parse(stdout)).toMatchObject({ model: 'gpt-5.5', meta: { cached: false } });
  });

  it('says what went wrong with a question', async () => {
    const { code, stdout, stderr } = await run(['--demo', 'ask', '[demo:quota]']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'quota: 429 You ran out of quota.\nthe account has run out of quota; waiting will not help\n',
    );
  });

  it('remembers answers between runs, and forgets them on demand', async () => {
    const env = cleanEnv();
    const demo = new Program(['--demo'], env);
    await demo.said((text) => text.includes('Ctrl-C'));
    const [url = ''] = demo.stdout.match(/http:\S+\/v1/) ?? [];
    const ask = async (...flags: string[]) =>
      JSON.parse((await run(['--base-url', url, '--json', 'ask', 'q', ...flags], env)).stdout).meta
        .cached;
    expect([await ask(), await ask(), await ask('--fresh'), await ask('--no-cache')]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    demo.child.kill('SIGINT');
    expect((await demo.finished).code).toBe(0);
  });

  it('records, and replays without upstream or key', async () => {
    const env = cleanEnv();
    const tape = join(env['HOME'] ?? '', 'tapes', 't.jsonl');
    const flags = ['--cassette', tape, 'ask', 'On tape?'];
    const recorded = await run(['--demo', '--replay', 'record', ...flags], env);
    const replayed = await run(['--replay', 'replay', ...flags], env);
    expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout });
    const missed = await run(['--replay', 'replay', '--cassette', tape, 'ask', 'Not on tape'], env);
    expect(missed.code).toBe(1);
    expect(missed.stderr).toContain('replay_miss: no recording matches');
  });

  it('writes new answers to a memory server', async () => {
    const env = cleanEnv();
    const notes = join(env['HOME'] ?? '', 'notes.jsonl');
    const server = fileURLToPath(new URL('./fixtures/memory-server.mjs', import.meta.url));
    const memory = ['--memory', `${process.execPath} ${server} ${notes}`];
    const { code } = await run(['--demo', ...memory, 'ask', 'Worth keeping?'], env);
    expect(code).toBe(0);
    const lines = readFileSync(notes, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        method: 'memory.add_note',
        params: {
          projectId: 'answers',
          groupId: 'answers',
          title: 'Worth keeping?',
          text: expect.stringContaining('The guide has the answer.'),
          source: 'tincan-answer',
          metadata: { citations: [{ url: 'https://example.com/guide' }] },
        },
      },
    ]);
  });

  it.each([
    ['OPENAI_API_KEY', []],
    ['MY_OWN_KEY', ['--set', 'openai.api_key_env=MY_OWN_KEY']],
  ])('hands the memory server its environment without the key in %s', async (name, flags) => {
    const env = cleanEnv({ [name]: 'sk-never-to-be-passed-on', TINCAN_HOME: '/somewhere' });
    const notes = join(env['HOME'] ?? '', 'notes.jsonl');
    const server = fileURLToPath(new URL('./fixtures/memory-server.mjs', import.meta.url));
    const memory = ['--memory', `${process.execPath} ${server} ${notes}`];
    const upstream = new Program(['--demo'], cleanEnv());
    try {
      await upstream.said((text) => text.includes('Ctrl-C'));
      const [url = ''] = upstream.stdout.match(/http:\S+\/v1/) ?? [];
      for (const where of [['--base-url', url], ['--demo']]) {
        rmSync(notes, { force: true });
        const { code } = await run([...where, ...flags, '--no-cache', ...memory, 'ask', 'q'], env);
        expect(code).toBe(0);
        const written = readFileSync(notes, 'utf8');
        expect(JSON.parse(written).env).toMatchObject({ TINCAN_HOME: '/somewhere' });
        expect(written).not.toContain('never-to-be-passed-on');
      }
    } finally {
      upstream.child.kill('SIGINT');
      await upstream.finished;
    }
  });

  it('answers even if the memory server does not start', async () => {
    const { code, stderr } = await run(['--demo', '--memory', '/no/such/program', 'ask', 'q']);
    expect(code).toBe(0);
    expect(stderr).toContain('the answer was not passed on');
  });

  it('keeps to a budget', async () => {
    const { code, stderr } = await run(['--demo', '--max-calls', '0', 'ask', 'q']);
    expect(code).toBe(1);
    expect(stderr).toContain('budget.max_calls');
  });

  it('checks the setup, with an exit code for each thing that can be wrong', async () => {
    const good = await run(['--demo', '--check']);
    expect(good.code).toBe(0);
    expect(good.stdout.match(/^ok /gm)).toHaveLength(5);
    const codes = await Promise.all([
      run(['--check']),
      run(['--check', '--base-url', 'http://127.0.0.1:9/v1']),
      run(['--check', '--demo', '--model', 'no-such-model']),
    ]);
    expect(codes.map(({ code }) => code)).toEqual([2, 3, 4]);
    const json = JSON.parse((await run(['--demo', '--check', '--json'])).stdout);
    expect(json.steps).toHaveLength(4);
  });

  it('smokes itself in both framings', async () => {
    const { code, stdout } = await run(['smoke', '--demo', 'Does', 'it', 'work?']);
    expect(code).toBe(0);
    expect(stdout.match(/^ {2}(initialize|tools\/list|tools\/call|ping): \{/gm)).toHaveLength(8);
    expect(stdout).toContain('Does it work?');
  });

  it('reports a smoke that failed', async () => {
    const { code, stdout } = await run(['smoke']);
    expect(code).toBe(1);
    expect(stdout).toContain('tools/call: failed: answer failed');
    expect(stdout).toContain('Missing API key');
  });

  it('writes diagnostics to a file, without secrets', async () => {
    const env = cleanEnv({ OPENAI_API_KEY: 'sk-never-to-be-seen' });
    const file = join(env['HOME'] ?? '', 'logs', 'debug.log');
    const { stderr } = await run(['--demo', `--debug=${file}`, 'ask', 'q'], env);
    const log = readFileSync(file, 'utf8');
    expect(log).toContain(' DEBUG openai: ');
    expect(log + stderr).not.toContain('never-to-be-seen');
  });
});
