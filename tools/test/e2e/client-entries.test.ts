import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { connect } from 'tincan-mcp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_NAMES } from '../../../packages/cli/src/verbs/config.ts';
import { type EmptyMachine, openEmptyMachine } from './empty-machine.ts';
import { ROOT } from './packed-folder.ts';

const TINCAN = join(ROOT, 'packages/cli/bin/tincan.js');
/** The printed lines are for a POSIX shell. */
const isWindows = process.platform === 'win32';
/** The programs of clients that have a command of their own to add a server. */
const PROGRAMS = ['claude', 'codex', 'code', 'gemini'];

let machine: EmptyMachine;
beforeAll(async () => {
  machine = await openEmptyMachine();
});
afterEach(() => expect(machine.requested).toEqual([]));
afterAll(() => machine[Symbol.asyncDispose]());

async function config(args: string): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await machine.run(`node ${TINCAN} config ${args}`);
  expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
  return { stdout, stderr };
}

/** Starts a server as a client would, in an empty folder, and lists its tools. */
async function toolsOf([command = '', ...args]: readonly string[]): Promise<string[]> {
  const cwd = mkdtempSync(join(machine.home, 'empty-'));
  const client = await connect({ command, args, cwd, env: machine.env });
  const tools = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe.skipIf(isWindows).each(CLIENT_NAMES)('the entry for %s', (client) => {
  it('starts the memory from an empty folder, and is written once', async () => {
    const printed = await config(client);
    const { stderr } = await config(`${client} --install`);
    expect(stderr).toContain('checked: the server starts and offers 8 tools');
    const [, file = ''] = /added `memory` to (.+)$/m.exec(stderr) ?? [];
    const written = readFileSync(file, 'utf8');
    expect(commandIn(written)).toEqual(commandIn(printed.stdout));
    expect(await toolsOf(commandIn(written))).toContain('memory_search');
    expect((await config(`${client} --install`)).stderr).toContain(`${file} already has`);
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  it('starts it behind a tap', async () => {
    const recording = join(machine.home, `${client}.ndjson`);
    const { stdout } = await config(`${client} --tap ${recording}`);
    expect(await toolsOf(commandIn(stdout))).toContain('memory_search');
    expect(existsSync(recording)).toBe(true);
    expect(readFileSync(recording, 'utf8')).toContain('tools/list');
  });
});

describe.skipIf(isWindows)('the command of the client itself', () => {
  it.each(['claude-code', 'codex', 'vscode', 'gemini'])('adds the same for %s', async (client) => {
    const bin = join(machine.home, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of PROGRAMS) {
      const program = join(bin, name);
      const text = 'console.log(JSON.stringify(process.argv.slice(2)))';
      writeFileSync(program, `#!/usr/bin/env node\n${text}\n`);
      chmodSync(program, 0o755);
    }
    const { stdout, stderr } = await config(client);
    const [, command = ''] = /^# or: (.+)$/m.exec(stderr) ?? [];
    const { stdout: said } = await machine.run(`PATH="${bin}:$PATH"; ${command}`);
    const words = JSON.parse(said) as string[];
    const server =
      client === 'vscode' ? commandIn(words[1] ?? '') : words.slice(words.indexOf('node'));
    expect(server).toEqual(commandIn(stdout));
  });
});

/** The command line in a client's configuration: JSON or TOML, as a list or as a program with arguments. */
function commandIn(text: string): string[] {
  const [, list] = /"?\bcommand"?\s*[:=]\s*(\[[^\]]*\])/.exec(text) ?? [];
  if (list !== undefined) return JSON.parse(list) as string[];
  const [, command = '""'] = /"?\bcommand"?\s*[:=]\s*("[^"]*")/.exec(text) ?? [];
  const [, args = '[]'] = /"?\bargs"?\s*[:=]\s*(\[[^\]]*\])/.exec(text) ?? [];
  return [JSON.parse(command) as string, ...(JSON.parse(args) as string[])];
}
