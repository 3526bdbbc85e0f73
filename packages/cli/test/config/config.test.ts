import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/command/run-command.ts';
import { putJsonEntry, removeJsonEntry } from '../../src/config/json-edit.ts';
import { diffLines } from '../../src/config/line-diff.ts';
import { putTomlEntry, removeTomlEntry, renderTable } from '../../src/config/toml-edit.ts';
import { CLIENT_NAMES } from '../../src/verbs/config.ts';
import { memoryIo } from '../memory-io.ts';

const PATH = ['mcpServers', 'memory'] as const;
const VALUE = { command: 'npx', args: ['-y', 'x'] };

/** JSON with comments and trailing commas, for checking results. */
function parseLoose(text: string): unknown {
  const bare = text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replace(/,(\s*[}\]])/g, '$1');
  return JSON.parse(bare);
}

describe('an entry put into JSON', () => {
  it.each([
    ['nothing', ''],
    ['an empty object', '{}'],
    ['an object with other settings', '{\n  "theme": "dark"\n}\n'],
    ['other servers', '{\n    "mcpServers": {\n        "a": { "command": "b" }\n    }\n}'],
    ['an empty list of servers', '{"mcpServers": {}}'],
    ['a single line', '{"a":[1,{"b":2}],"mcpServers":{"a":{"command":"b"}}}'],
    ['trailing commas', '{\n  "mcpServers": {\n    "a": {"command": "b",},\n  },\n}\n'],
    [
      'comments',
      '// mine\n{\n  "mcpServers": { /* none */ },\n  "x": "// no comment" // last\n}\n',
    ],
    ['a comment behind the last member', '{\n  "mcpServers": {\n    "a": {} // keep me\n  }\n}\n'],
    ['CRLF', '{\r\n  "a": 1\r\n}\r\n'],
  ])('keeps %s', (_, text) => {
    const after = putJsonEntry(text, PATH, VALUE);
    const before = (text === '' ? {} : parseLoose(text)) as { mcpServers?: object };
    expect(parseLoose(after)).toEqual({
      ...before,
      mcpServers: { ...before.mcpServers, memory: VALUE },
    });
    for (const comment of text.match(/\/\/ [a-z ]+|\/\*.*?\*\//g) ?? [])
      expect(after).toContain(comment);
    // What stood there stands there still, in order.
    const words = text.match(/[\w"]+/g) ?? [];
    let at = 0;
    for (const word of words) {
      at = after.indexOf(word, at);
      expect(at).toBeGreaterThanOrEqual(0);
    }
  });

  it.each([
    ['other settings', '{\n  "theme": "dark"\n}\n'],
    ['other servers', '{\n    "mcpServers": {\n        "a": { "command": "b" }\n    }\n}'],
    ['a comment', '{\n  "mcpServers": {\n    "a": {} // keep, me\n  }\n}\n'],
    ['CRLF', '{\r\n  "a": 1\r\n}\r\n'],
  ])('is taken out again without a trace, beside %s', (_, text) => {
    expect(removeJsonEntry(putJsonEntry(text, PATH, VALUE), PATH)).toBe(text);
  });

  it.each([
    ['the first of two', '{"mcpServers": {"memory": {}, "b": 1}}', '{"mcpServers": { "b": 1}}'],
    [
      'one between others',
      '{"mcpServers": {"a": 1,\n "memory": {},\n "b": 1}}',
      '{"mcpServers": {"a": 1,\n "b": 1}}',
    ],
    ['the only one, with its list', '{"mcpServers": {"memory": {}}}', '{}'],
    ['none', '{"mcpServers": {"b": {}}}', '{"mcpServers": {"b": {}}}'],
    ['none in an empty file', '', ''],
  ])('takes out %s', (_, text, after) => {
    expect(removeJsonEntry(text, PATH)).toBe(after);
  });

  it('stays as it is when it is there with the same value', () => {
    const text = '{"mcpServers":{"memory":{"args":["-y","x"],"command":"npx"},"b":1}}';
    expect(putJsonEntry(text, PATH, VALUE)).toBe(text);
  });

  it('replaces one of the same name only by force', () => {
    const text = '{ "mcpServers": { "memory": { "command": "old" }, "b": 1 } }';
    expect(() => putJsonEntry(text, PATH, VALUE)).toThrow('the entry `memory` exists already');
    expect(parseLoose(putJsonEntry(text, PATH, VALUE, { force: true }))).toEqual({
      mcpServers: { memory: VALUE, b: 1 },
    });
  });

  it.each([
    ['{', 'line 1'],
    ['{"a" 1}', 'expected `:`'],
    ['{"a": 1 "b": 2}', 'expected `,` or `}`'],
    ['{"a": 1}\nrest', 'line 2: expected the end'],
    ['{"a": nope}', 'expected a value'],
    ['{"a": 1, "a": 2}', '`a` only once'],
    ['[]', 'expected a JSON object at the top'],
    ['{"mcpServers": []}', 'expected `mcpServers` to be an object'],
    ['['.repeat(5000), 'less nesting'],
  ])('refuses %.20j', (text, message) => {
    expect(() => putJsonEntry(text, PATH, VALUE)).toThrow(message);
  });
});

describe('a table put into TOML', () => {
  const path = ['mcp_servers', 'memory'] as const;

  it('is written as TOML has it', () => {
    expect(
      renderTable(path, { command: 'a"b', args: ['-y', 'ü'], n: 30, env: { 'A.B': 'c' } }),
    ).toBe(
      '[mcp_servers.memory]\ncommand = "a\\"b"\nargs = ["-y", "ü"]\nn = 30\n\n[mcp_servers.memory.env]\n"A.B" = "c"\n',
    );
  });

  const EXISTING = `# mine
model = "x" # a comment
notes = """
[mcp_servers.memory]
not a table
"""
list = [
  "a", # one
  "b",
]

[mcp_servers.other]
command = 'y'
env = { A = "1", B = "2" }
`;

  it('follows what is there, which is kept byte for byte', () => {
    const after = putTomlEntry(EXISTING, path, VALUE);
    expect(after.startsWith(EXISTING)).toBe(true);
    expect(after.slice(EXISTING.length)).toBe(
      '\n[mcp_servers.memory]\ncommand = "npx"\nargs = ["-y", "x"]\n',
    );
  });

  it('is taken out again without a trace, with the tables in it', () => {
    const value = { ...VALUE, env: { A: '1' } };
    expect(removeTomlEntry(putTomlEntry(EXISTING, path, value), path)).toBe(EXISTING);
    expect(removeTomlEntry(putTomlEntry('', path, value), path)).toBe('');
    const followed = `${EXISTING}\n[mcp_servers.memory]\ncommand = "x"\n\n[last]\nz = 1\n`;
    expect(removeTomlEntry(followed, path)).toBe(`${EXISTING}\n[last]\nz = 1\n`);
  });

  it('stays as it is when it is there with the same lines', () => {
    const text = `${putTomlEntry(EXISTING, path, VALUE)}\n[last]\nz = 1\n`;
    expect(putTomlEntry(text, path, VALUE)).toBe(text);
  });

  it('replaces one of the same name, with the tables in it, only by force', () => {
    const text = `${EXISTING}\n[mcp_servers.memory]\ncommand = "old"\n\n[mcp_servers.memory.env]\nA = "1"\n\n[last]\nz = 1\n`;
    expect(() => putTomlEntry(text, path, VALUE)).toThrow('exists already');
    const after = putTomlEntry(text, path, VALUE, { force: true });
    expect(after).toContain('command = "npx"');
    expect(after).not.toContain('"old"');
    expect(after).not.toContain('A = "1"\n\n');
    expect(after).toContain('[last]\nz = 1');
    expect(after.startsWith(EXISTING)).toBe(true);
  });

  it.each([
    ['[mcp_servers\n', 'line 1'],
    ['a = "open\n', 'line 1'],
    ['a = """\nnever closed', 'line 1'],
    ['a = [\n1,\n', 'line 1'],
    ['just words', 'expected TOML'],
    ['mcp_servers = { a = 1 }', 'add the block by hand'],
    ['mcp_servers.memory.command = "x"', 'add the block by hand'],
    ['[mcp_servers]\nmemory = { command = "x" }', 'add the block by hand'],
  ])('refuses %j', (text, message) => {
    expect(() => putTomlEntry(text, path, VALUE)).toThrow(message);
  });
});

describe('tincan config', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'tincan-config-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const run = async (...argv: string[]): Promise<{ code: unknown; out: string; err: string }> => {
    const io = memoryIo({ env: { HOME: home }, cwd: home });
    const code = await runCommand(['config', ...argv], io);
    return { code, out: io.out(), err: io.err() };
  };

  it.each([
    ['claude-code', '.claude.json', '.mcp.json', 'mcpServers'],
    ['cursor', '.cursor/mcp.json', '.cursor/mcp.json', 'mcpServers'],
    ['vscode', '.config/Code/User/mcp.json', '.vscode/mcp.json', 'servers'],
    ['zed', '.config/zed/settings.json', '.zed/settings.json', 'context_servers'],
    ['gemini', '.gemini/settings.json', '.gemini/settings.json', 'mcpServers'],
    ['opencode', '.config/opencode/opencode.json', 'opencode.json', 'mcp'],
  ])('prints and installs the block of %s', async (client, userFile, projectFile, member) => {
    const printed = await run(client);
    const block = JSON.parse(printed.out) as Record<string, Record<string, unknown>>;
    expect(Object.keys(block)).toEqual([member]);
    expect(block[member]).toHaveProperty('memory');
    if (process.platform === 'linux') expect(printed.err).toContain(join(home, userFile));
    const install = ['--install', '--no-check', '--scope', 'project'];
    expect((await run(client, ...install)).code).toBe(0);
    expect(JSON.parse(await readFile(join(home, projectFile), 'utf8'))).toEqual(block);
  });

  it('knows the form each client wants', async () => {
    const entry = async (client: string): Promise<unknown> => {
      const { out } = await run(client, '--name', 'it', '--env', 'K=v', '--', 'node', 's.js');
      return Object.values(Object.values(JSON.parse(out) as object)[0] as object)[0];
    };
    const plain = { command: 'node', args: ['s.js'], env: { K: 'v' } };
    expect(await entry('cursor')).toEqual(plain);
    expect(await entry('vscode')).toEqual({ type: 'stdio', ...plain });
    expect(await entry('opencode')).toEqual({
      type: 'local',
      command: ['node', 's.js'],
      enabled: true,
      environment: { K: 'v' },
    });
    expect((await run('codex', '--name', 'it', '--', 'node', 's.js')).out).toBe(
      '[mcp_servers.it]\ncommand = "node"\nargs = ["s.js"]\nstartup_timeout_sec = 30\n',
    );
  });

  it('prints a block for every client it names', async () => {
    for (const client of CLIENT_NAMES) expect((await run(client)).code).toBe(0);
  });

  it.each([
    [['npx', '-y', '@scope/some-mcp@1.2.3'], 'some'],
    [['npx', '-y', '@modelcontextprotocol/server-memory'], 'memory'],
    [['node', '/x/y/my-server.js'], 'my'],
    [['/usr/bin/thing', '--flag'], 'thing'],
    [['node', '/clone/packages/memory/bin/tincan-memory.js'], 'memory'],
  ])('names the entry of %j %s', async (words, name) => {
    const { out } = await run('cursor', '--', ...words);
    expect(Object.keys((JSON.parse(out) as { mcpServers: object }).mcpServers)).toEqual([name]);
  });

  it('puts a tap in front where one is wanted', async () => {
    const { out } = await run('cursor', '--tap', '/x/y.ndjson', '--', 'node', 's.js');
    expect(JSON.parse(out)).toEqual({
      mcpServers: {
        s: {
          command: 'node',
          args: [
            expect.stringMatching(/packages.cli.(?:bin|dist).\w+\.js$/),
            ...['tap', '--out', '/x/y.ndjson', '--', 'node', 's.js'],
          ],
        },
      },
    });
  });

  it('keeps a copy of the file it changes, its mode, and a link to it', async () => {
    const real = join(home, 'real.json');
    const link = join(home, 'link.json');
    await writeFile(real, '{"a": 1}');
    await chmod(real, 0o640);
    await symlink(real, link);
    const { code, err } = await run('cursor', '--install', '--no-check', '--file', link);
    expect(code).toBe(0);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    const backup = (await readdir(home)).find((name) => name.endsWith('.bak')) ?? '';
    expect(await readFile(join(home, backup), 'utf8')).toBe('{"a": 1}');
    expect(err).toContain(backup);
    expect(JSON.parse(await readFile(link, 'utf8'))).toMatchObject({
      a: 1,
      mcpServers: { memory: {} },
    });
  });

  it('leaves a file alone that it cannot read, and says where it stopped', async () => {
    const file = join(home, '.cursor-mcp.json');
    await writeFile(file, '{ "mcpServers": oops }');
    const { code, err } = await run('cursor', '--install', '--file', file);
    expect(code).toBe(3);
    expect(err).toContain('was not changed: line 1: expected a value, got `oops }`');
    expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": oops }');
    expect((await readdir(home)).filter((name) => name !== '.cursor-mcp.json')).toEqual([]);
  });

  it('leaves an entry of the same name alone, unless forced', async () => {
    const install = ['codex', '--install', '--no-check'];
    await run(...install, '--', 'node', 'one.js');
    const again = await run(...install, '--name', 'one', '--', 'node', 'two.js');
    expect(again.code).toBe(3);
    expect(again.err).toContain('--force');
    expect((await run(...install, '--force', '--name', 'one', '--', 'node', 'two.js')).code).toBe(
      0,
    );
    expect(await readFile(join(home, '.codex', 'config.toml'), 'utf8')).toContain('two.js');
  });
});

describe('tincan config in a home with clients', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'tincan-config-'));
    await mkdir(join(home, '.cursor'));
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.codex', 'config.toml'), 'model = "x"\n');
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const server = resolve(import.meta.dirname, 'tiny-server.mjs');
  const run = async (...argv: string[]): Promise<{ code: unknown; out: string; err: string }> => {
    const io = memoryIo({ env: { HOME: home, PATH: join(home, 'bin') }, cwd: home });
    const code = await runCommand(['config', ...argv], io);
    return { code, out: io.out(), err: io.err() };
  };

  it('lists the clients that are installed, by folder or by program', async () => {
    await mkdir(join(home, 'bin'));
    await writeFile(join(home, 'bin', 'claude'), '');
    await run('codex', '--install', '--no-check');
    const { code, out, err } = await run();
    const states = out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2));
    expect(code).toBe(0);
    expect(states).toContainEqual(['cursor', 'installed']);
    expect(states).toContainEqual(['codex', 'has `memory`']);
    expect(states).toContainEqual(['claude-code', 'installed']);
    expect(states).toContainEqual(['zed', 'not found']);
    expect(err).toMatch(/Connect one: node \S+ config claude-code --install/);
  });

  it('suggests a client that is not connected yet', async () => {
    await run('codex', '--install', '--no-check');
    expect((await run()).err).toMatch(/Connect one: node \S+ config cursor --install/);
    await run('cursor', '--install', '--no-check');
    expect((await run()).err).toBe('\nEvery client that is installed has `memory`.\n');
  });

  it('goes on with the other clients when one has another entry of that name', async () => {
    const entry = '[mcp_servers.memory]\ncommand = "other"\n';
    await writeFile(join(home, '.codex', 'config.toml'), entry);
    const { code, err } = await run('all', '--install', '--no-check');
    expect(code).toBe(3);
    expect(err).toContain('exists already with other values; `--force` replaces it');
    expect(err).toContain(`added \`memory\` to ${join(home, '.cursor', 'mcp.json')}`);
    expect(await readFile(join(home, '.codex', 'config.toml'), 'utf8')).toBe(entry);
  });

  it('installs twice without an error or a second copy', async () => {
    await run('all', '--install', '--no-check');
    const { code, out, err } = await run('all', '--install', '--no-check');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain('.cursor/mcp.json already has `memory`');
    expect(await readdir(join(home, '.cursor'))).toEqual(['mcp.json']);
  });

  it('installs into all of them, starts the server, and removes it again', async () => {
    const installed = await run('all', '--install', '--name', 'tiny', '--', 'node', server);
    expect(installed).toMatchObject({ code: 0, err: expect.stringContaining('offers 1 tool\n') });
    expect(installed.out).toContain('+ [mcp_servers.tiny]');
    expect(installed.out).toContain('+     "tiny": {');
    const removed = await run('all', '--remove', '--name', 'tiny');
    expect(removed).toMatchObject({
      code: 0,
      out: expect.stringContaining('- [mcp_servers.tiny]'),
    });
    expect(await readFile(join(home, '.codex', 'config.toml'), 'utf8')).toBe('model = "x"\n');
    expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).toBe('{}\n');
  });

  it('says when the server does not start, and how to undo the entry', async () => {
    const { code, err } = await run('cursor', '--install', '--', 'node', '/nonexistent.js');
    expect(code).toBe(1);
    expect(err).toContain('its server does not start');
    const undo = /undo it with `(.*)`/.exec(err)?.[1]?.split(' ') ?? [];
    expect((await run('cursor', ...undo)).err).toContain('removed `nonexistent`');
  });

  it('shows the difference and changes nothing in a dry run', async () => {
    const { code, out, err } = await run('codex', '--dry-run', '--', 'node', 's.js');
    expect(code).toBe(0);
    expect(err).toContain('dry run: nothing was changed');
    expect(out).toContain('  model = "x"\n+ \n+ [mcp_servers.s]');
    expect(await readFile(join(home, '.codex', 'config.toml'), 'utf8')).toBe('model = "x"\n');
  });

  it('does not show the token that it writes', async () => {
    const file = join(home, 'token');
    await writeFile(file, 'open-sesame\n', { mode: 0o600 });
    const url = ['--url', 'http://127.0.0.1:1/mcp', '--token-file', file];
    const { out } = await run('cursor', '--install', ...url);
    expect(out).toContain('Bearer [redacted]');
    expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).toContain('open-sesame');
  });

  it.each([
    [['cursor', '--install', '--remove'], 'either `--install` or `--remove`'],
    [['claude-desktop', '--scope', 'project'], 'no project configuration'],
    [['claude-desktop', '--url', 'http://127.0.0.1/mcp'], 'Connectors'],
    [['zed', '--url', 'http://127.0.0.1/mcp'], '--token-file'],
    [['curser'], 'did you mean `cursor`?'],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await run(...argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('the difference of two texts', () => {
  it('has the changed lines and two around them', () => {
    const before = ['1', '2', '3', '4', '5', '6', ''].join('\n');
    const after = ['1', '2', '3', 'x', '4', '5', '6', ''].join('\n');
    const shown = diffLines(before, after).map(({ sign, text }) => sign + text);
    expect(shown).toEqual([' 2', ' 3', '+x', ' 4', ' 5']);
    expect(diffLines(before, before)).toEqual([]);
  });
});

describe('a server over HTTP', () => {
  const url = 'http://127.0.0.1:8765/mcp';

  it.each([
    ['claude-code', { type: 'http', url, headers: { Authorization: `Bearer \${TINCAN_TOKEN}` } }],
    ['cursor', { url, headers: { Authorization: `Bearer \${env:TINCAN_TOKEN}` } }],
    ['vscode', { type: 'http', url, headers: { Authorization: `Bearer \${env:TINCAN_TOKEN}` } }],
    ['gemini', { httpUrl: url, headers: { Authorization: 'Bearer $TINCAN_TOKEN' } }],
    [
      'opencode',
      {
        type: 'remote',
        url,
        enabled: true,
        headers: { Authorization: 'Bearer {env:TINCAN_TOKEN}' },
      },
    ],
  ])('is entered with its token from the environment: %s', async (client, entry) => {
    const io = memoryIo();
    expect(await runCommand(['config', client, '--url', url], io)).toBe(0);
    const [servers] = Object.values(JSON.parse(io.out()) as Record<string, object>);
    expect(servers).toEqual({ memory: entry });
    expect(io.err()).toContain('TINCAN_TOKEN');
  });

  it('is entered in TOML too', async () => {
    const io = memoryIo();
    await runCommand(['config', 'codex', '--url', url], io);
    expect(io.out()).toContain('bearer_token_env_var = "TINCAN_TOKEN"');
  });

  it('is entered with the token of a file that only its owner can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tincan-config-'));
    const file = join(folder, 'token');
    await writeFile(file, 'open-sesame\n', { mode: 0o600 });
    const io = memoryIo();
    expect(await runCommand(['config', 'cursor', '--url', url, '--token-file', file], io)).toBe(0);
    expect(io.out()).toContain('"Bearer open-sesame"');
    await chmod(file, 0o644);
    expect(await runCommand(['config', 'cursor', '--url', url, '--token-file', file], io)).toBe(3);
    expect(io.err()).toContain('mode 0600');
    await rm(folder, { recursive: true });
  });
});
