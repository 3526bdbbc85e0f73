import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BAD,
  OFFICIAL,
  OURS,
  PROGRAM,
  run,
  scratchFolder,
  shellLine,
  tincan,
} from './run-tincan.ts';

const folder = scratchFolder();

describe.each(['legacy', 'modern', 'auto'])('tincan call, %s era', (era) => {
  it('prints the result as JSON when piped', async () => {
    const { code, stdout, stderr } = await tincan([
      'call',
      '--era',
      era,
      '--tool',
      'test_simple_text',
      '--',
      ...OURS,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text' }] });
    expect([code, stderr]).toEqual([0, '']);
  });

  it('shows progress apart from the result', async () => {
    const { stdout, stderr } = await tincan([
      'call',
      '--era',
      era,
      '--tool',
      'test_tool_with_progress',
      '--',
      ...OURS,
    ]);
    expect(() => JSON.parse(stdout)).not.toThrow();
    expect(stderr.match(/^progress │ (?:0|50|100)\/100/gm)).toHaveLength(3);
  });

  it('lists what a server offers', async () => {
    const { stdout, code } = await tincan(['call', '--era', era, '--list', '--', ...OURS]);
    const offers = JSON.parse(stdout) as Record<string, { name: string }[]>;
    expect(offers['tools']?.map(({ name }) => name)).toContain('test_simple_text');
    expect(offers['resources']?.length).toBeGreaterThan(0);
    expect(offers['prompts']?.length).toBeGreaterThan(0);
    expect(code).toBe(0);
  });

  it('ends with exit code 1 when the tool fails and when the server answers with an error', async () => {
    const failed = await tincan([
      'call',
      '--era',
      era,
      '--tool',
      'test_error_handling',
      '--',
      ...OURS,
    ]);
    expect([failed.code, JSON.parse(failed.stdout).isError]).toEqual([1, true]);
    const refused = await tincan(['call', '--era', era, '--method', 'no/such', '--', ...OURS]);
    expect([refused.code, JSON.parse(refused.stdout).error.code]).toEqual([1, -32601]);
    expect(refused.stderr).toContain('error -32601');
  });
});

describe('tincan call to a server that is not there', () => {
  it('says where it looked and why there was nothing, without what may be secret', async () => {
    const url = 'http://127.0.0.1:9/mcp?key=hidden';
    const { stderr, code } = await tincan(['call', '--list', '--url', url]);
    expect(stderr).toContain('could not reach http://127.0.0.1:9/mcp: ');
    expect(stderr).not.toMatch(/fetch failed|hidden/);
    expect(code).toBe(3);
  });

  it('names the file of arguments that could not be read', async () => {
    const args = ['call', '--tool', 'test_simple_text', '@nothing.json', '--', ...OURS];
    const { stderr, code } = await tincan(args);
    expect(stderr).toContain('could not read `nothing.json`: ENOENT');
    expect(code).toBe(3);
  });
});

describe('tincan call', () => {
  it('speaks header framing', async () => {
    const { code, stdout } = await tincan([
      'call',
      '--framing',
      'header',
      '--tool',
      'test_simple_text',
      '--',
      ...OURS,
    ]);
    expect([code, JSON.parse(stdout).content.length]).toEqual([0, 1]);
  });

  it('calls plain JSON-RPC without a handshake', async () => {
    const { code, stdout } = await tincan([
      'call',
      '--raw',
      '--method',
      'ping',
      '--',
      ...BAD('none'),
    ]);
    expect([code, stdout]).toEqual([0, '{}\n']);
  });

  it('takes arguments from words, files and stdin', async () => {
    const file = join(folder, 'args.json');
    writeFileSync(file, '{"a": 1, "b": 1}');
    const server = OFFICIAL('everything');
    const sum = async (words: readonly string[], input = ''): Promise<unknown> => {
      const { stdout } = await tincan(
        ['call', '-q', '--tool', 'get-sum', ...words, '--', ...server],
        { input },
      );
      return JSON.parse(stdout).content[0].text;
    };
    expect(await sum(['a=2', 'b=3'])).toContain('5');
    expect(await sum([`@${file}`, 'b:=41'])).toContain('42');
    expect(await sum(['-', 'a=7'], '{"a":0,"b":10}')).toContain('17');
  });

  it('names the tool that was meant', async () => {
    const { code, stderr } = await tincan(['call', '--tool', 'test_simple_txt', '--', ...OURS]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('did you mean `test_simple_text`?'),
    ]);
  });

  it('ends with exit code 3 and the last words of a server that ends at once', async () => {
    const { code, stderr } = await tincan(['call', '--list', '--', ...BAD('exits-at-start')]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('cannot find my settings')]);
    expect(stderr).not.toContain('    at ');
  });

  it('ends with exit code 3 when the server does not answer in time', async () => {
    const args = [
      'call',
      '--raw',
      '--method',
      'ping',
      '--timeout',
      '200',
      '--',
      ...BAD('never-answers'),
    ];
    expect((await tincan(args)).code).toBe(3);
  });

  it('shows stray output of a broken server without taking it for an answer', async () => {
    const { code, stderr } = await tincan(['call', '--list', '--', ...BAD('banner-on-stdout')]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('stdout │ Server is running!')]);
  });

  it('passes variables on, and as few as a client would where that is asked for', async () => {
    const script =
      "process.stdin.on('data',d=>{const {id}=JSON.parse(d);console.log(JSON.stringify({jsonrpc:'2.0',id,result:[process.env.A,process.env.B]}))})";
    const call = async (...options: string[]): Promise<unknown> => {
      const args = [
        'call',
        '--raw',
        '--method',
        'x',
        ...options,
        '--',
        process.execPath,
        '-e',
        script,
      ];
      return JSON.parse((await tincan(args, { env: { A: '1' } })).stdout);
    };
    expect(await call('--env', 'B=2')).toEqual(['1', '2']);
    expect(await call('--env-policy', 'safe')).toEqual([null, null]);
  });

  it('says which option helps when the server does not speak MCP', async () => {
    const { code, stderr } = await tincan(['call', '--list', '--', 'cat']);
    expect(stderr).toMatch(/^tincan: the server refused the MCP handshake: .*needs `--raw`\n$/);
    expect(code).toBe(3);
  });

  it('shows a person the text, in colours, in a terminal', async () => {
    const line = shellLine([
      process.execPath,
      PROGRAM,
      'call',
      '--tool',
      'test_error_handling',
      '--',
      ...OURS,
    ]);
    const { stdout } = await run('script', ['-qec', line, '/dev/null'], {
      env: { NO_COLOR: '', TERM: 'xterm' },
    });
    expect(stdout).toContain('\u001B[31m');
    expect(stdout).not.toContain('"content"');
    const plain = await run('script', ['-qec', line, '/dev/null'], {
      env: { NO_COLOR: '1', TERM: 'xterm' },
    });
    expect(plain.stdout).not.toContain('\u001B[');
  });
});

describe('public servers', () => {
  it.each([
    ['everything', OFFICIAL('everything'), 'echo'],
    ['memory', OFFICIAL('memory'), 'create_entities'],
    ['filesystem', OFFICIAL('filesystem', folder), 'read_text_file'],
  ])('server-%s lists its tools', async (_, server, tool) => {
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.json') };
    const { stdout, code } = await tincan(['call', '-q', '--list', '--', ...server], { env });
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain(tool);
    expect(code).toBe(0);
  });
});
