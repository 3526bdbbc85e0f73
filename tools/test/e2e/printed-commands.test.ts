import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTerminal } from '../../../packages/cli/test/e2e/terminal.ts';
import { type EmptyMachine, openEmptyMachine } from './empty-machine.ts';
import { ROOT, readJson } from './packed-folder.ts';

const MEMORY = join(ROOT, 'packages/memory/bin/tincan-memory.js');
const TINCAN = join(ROOT, 'packages/cli/bin/tincan.js');
/** The printed lines are for a POSIX shell. */
const isWindows = process.platform === 'win32';
const hasTerminal = spawnSync('script', ['--version']).status === 0;

let machine: EmptyMachine;
beforeEach(async () => {
  machine = await openEmptyMachine();
  mkdirSync(join(machine.home, '.cursor'));
  const server = `import ${JSON.stringify(MEMORY)};\n`;
  writeFileSync(join(machine.clone, 'my-server.js'), server);
});
afterEach(async () => {
  await machine[Symbol.asyncDispose]();
  expect(machine.requested).toEqual([]);
});

/** Runs a command that must succeed. */
async function succeed(line: string, cwd?: string): Promise<string> {
  const { code, stdout, stderr } = await machine.run(line, cwd);
  expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
  return `${stdout}${stderr}`;
}

it.skipIf(isWindows)('a request to the registry would be noticed', async () => {
  const other = await openEmptyMachine();
  expect((await other.run('npx -y tincan-memory@0.0.0')).code).not.toBe(0);
  expect(other.requested).toContain('/tincan-memory');
  await other[Symbol.asyncDispose]();
});

describe.skipIf(!hasTerminal)('the greeting', () => {
  it.each([
    ['of `npm start`', () => startScript()],
    ['of `npx --no-install tincan-memory`', () => 'npx --no-install tincan-memory'],
  ])('%s prints commands that work', async (_, command) => {
    const line = `cd ${machine.clone} && ${command()}`;
    await using server = openTerminal(line, { ...machine.env, TINCAN_HOME: undefined });
    await server.seen('# connect an agent');
    server.type('help\r');
    await server.seen('--help');
    const commands = indentedCommands(server.shown());
    server.type('\u0004');
    await server.ended;

    expect(commands).toHaveLength(4);
    const outputs: string[] = [];
    for (const each of commands) outputs.push(await succeed(each));
    expect(outputs[1]).toContain('Deploys go out on Tuesdays');
    expect(outputs[2]).toMatch(/cursor +installed/);
    expect(outputs[3]).toContain('Usage');
  });
});

describe.skipIf(isWindows)('tincan config', () => {
  it('prints a command that connects a client', async () => {
    const text = await succeed(`node ${TINCAN} config`);
    const [, command = ''] = /^Connect one: (.+)$/m.exec(text) ?? [];
    expect(await succeed(command)).toContain('checked: the server starts');
    await succeed(command.replace('--install', '--remove'));
  });

  it.each(['claude-code', 'codex', 'cursor', 'vscode', 'windsurf', 'gemini', 'opencode'])(
    'prints a command that sets the token of a server over HTTP for %s',
    async (client) => {
      const text = await succeed(`node ${TINCAN} config ${client} --url http://127.0.0.1:1/mcp`);
      const [, command = ''] = /TINCAN_TOKEN: (export .+)$/m.exec(text) ?? [];
      expect(await succeed(`${command} && printenv TINCAN_TOKEN`)).toMatch(/^[\w-]{20,}\n/);
    },
  );
});

describe.skipIf(isWindows)('doctor', () => {
  it('names commands that start', async () => {
    const store = join(machine.home, 'broken.db');
    writeFileSync(store, 'not a database'.repeat(1000));
    const { code, stdout } = await machine.run(
      `TINCAN_STORE_PATH=${store} node ${MEMORY} doctor -f json`,
    );
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; fix?: string }[] };
    const { fix = '' } = checks.find(({ name }) => name === 'store') ?? {};
    const quoted = [...fix.matchAll(/`(?<text>[^`]*)`/g)].map(
      ({ groups }) => groups?.['text'] ?? '',
    );
    const commands = quoted.filter((text) => text.startsWith('node '));
    expect(commands).toHaveLength(2);
    for (const command of commands) await succeed(`${command} --help`);
  });
});

describe.skipIf(isWindows)('the shell blocks', () => {
  const scripts = readJson<{ scripts: Record<string, string> }>('package.json').scripts;

  it.each(['README.md', 'docs/getting-started.md'])('of %s work in a clone', async (page) => {
    const lines = shellLines(page);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      const [, script] = /^npm (start|test)$/.exec(line) ?? [];
      // These build and run everything, under the tests that run here at the same time.
      if (script !== undefined) expect(scripts).toHaveProperty(script);
      else await check(line);
    }
  });

  async function check(line: string): Promise<void> {
    const output = await succeed(line, machine.clone);
    if (/ tap /.test(line)) expect(output).toContain('"tools":[');
    if (/ search /.test(line)) expect(output).toContain('Deploys go out on Tuesdays');
  }
});

/** What `npm start` runs after it has built. */
function startScript(): string {
  const { scripts } = readJson<{ scripts: Record<string, string> }>('package.json');
  const [setup, start = ''] = (scripts['start'] ?? '').split(' && ');
  expect(setup).toBe('node tools/setup.mjs');
  return start;
}

/** Commands that stand on lines of their own, without the requests that are shown for programs. */
function indentedCommands(screen: string): string[] {
  return screen
    .split(/\r?\n/)
    .filter((line) => line.startsWith('  ') && !line.startsWith('  {'))
    .map((line) => line.trim());
}

function shellLines(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```sh\n(?<lines>[\s\S]*?)^```$/gm)]
    .flatMap(({ groups }) => (groups?.['lines'] ?? '').split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '');
}
