import { describe, expect, it } from 'vitest';
import { startDemoUpstream } from '../../src/demo/upstream.ts';
import { type CliWorld, runAnswerCli } from '../../src/faces/cli.ts';
import { noFile } from '../support/config.ts';

async function cli(argv: readonly string[], changes: Partial<CliWorld> = {}) {
  let out = '';
  let err = '';
  const world: CliWorld = {
    env: {},
    home: '/home/someone',
    version: '1.2.3',
    self: ['node', 'bin.js'],
    readFile: noFile,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    interrupted: () => new Promise(() => {}),
    ...changes,
  };
  const code = await runAnswerCli(argv, world);
  return { code, out, err };
}

describe('the command line', () => {
  it.each([
    [['--version'], { code: 0, out: '1.2.3\n', err: '' }],
    [['-v', '--stdio'], { code: 0, out: '1.2.3\n', err: '' }],
    [['dance'], { code: 1, out: '', err: 'unknown command `dance`; try --help\n' }],
    [['--verify'], { code: 1, out: '', err: 'nothing to do; try --help\n' }],
    [['--show-config', '--retries', '99'], { code: 1, out: '' }],
  ])('runs %j', async (argv, expected) => {
    expect(await cli(argv)).toMatchObject(expected);
  });

  it('warns of a variable it leaves out, and goes on', async () => {
    const { code, err } = await cli(['--show-config'], { env: { ANSWER_EFFORT: 'hihg' } });
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: ANSWER_EFFORT: .* did you mean `high`\?\n$/);
  });

  it('reads the file it is pointed to', async () => {
    const asked: string[] = [];
    const readFile = async (path: string) => {
      asked.push(path);
      return 'errors: spec';
    };
    const { out } = await cli(['--config=~/mine.yaml', '--show-config', '--json'], { readFile });
    expect(asked).toEqual(['/home/someone/mine.yaml']);
    expect(JSON.parse(out).origins.errors).toBe('/home/someone/mine.yaml:1');
  });

  it('lets the demo take the place of the endpoint, and remembers nothing of it', async () => {
    const { out } = await cli([
      '--demo',
      '--show-config',
      '--json',
      '--base-url',
      'http://x.test/',
    ]);
    const { effective, origins } = JSON.parse(out);
    expect(effective.openai.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(effective.cache.enabled).toBe(false);
    expect(origins['openai.base_url']).toBe('flag --demo');
  });

  it.each([
    [['ask', 'Why?', '--tool', 'answer_quick'], 0],
    [['ask', 'Why?', '--tool=answer_detailed'], 0],
    [['ask', 'Why?', '--tool', 'oracle'], 1],
    [['ask', '--tool'], 1],
    [['ask'], 1],
  ])('asks with a tool: %j', async (argv, code) => {
    const outcome = await cli(['--demo', ...argv]);
    expect(outcome.code).toBe(code);
    if (code === 0) expect(outcome.out).toContain('You asked: Why?');
    else expect(outcome.err).toMatch(/^(unknown_tool|arguments): /);
  });

  it('ends a question when the user has had enough', async () => {
    await using upstream = await startDemoUpstream();
    const interrupted = async (): Promise<void> => {
      const request = await upstream.arrival(1);
      await request.begun;
    };
    const argv = ['--base-url', upstream.baseUrl, '--no-cache', 'ask', '[demo:stall]'];
    const { code, err } = await cli(argv, { interrupted });
    expect(code).toBe(1);
    expect(err).toContain('cancelled: the call was cancelled');
    expect(await upstream.requests[0]?.over).toBe(true);
  });

  it('runs the demo upstream until the user has had enough', async () => {
    const { code, out } = await cli(['--demo'], { interrupted: async () => {} });
    expect(code).toBe(0);
    expect(out).toMatch(/^demo upstream at http:\/\/127\.0\.0\.1:\d+\/v1; stop with Ctrl-C\n$/);
  });

  it('names what was not looked at in a check', async () => {
    const { code, out } = await cli(['--demo', '--check', '--search', 'off']);
    expect(code).toBe(0);
    expect(out).toMatch(/^- {5}search {4}switched off$/m);
  });
});
