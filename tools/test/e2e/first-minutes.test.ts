import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, type Terminal } from '../../../packages/cli/test/e2e/terminal.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../packages/memory/bin/tincan-memory.js');
const hasTerminal = spawnSync('script', ['--version']).status === 0;

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tincan-first-minutes-')));
  mkdirSync(join(folder, '.cursor'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(!hasTerminal)(
  'a person starts the server, saves a note, finds it and connects an agent by the printed commands',
  async () => {
    const env = { HOME: folder, USERPROFILE: folder, TINCAN_HOME: undefined, NO_COLOR: '1' };
    // Wide, so that no printed command is broken into two lines.
    await using server = openTerminal(`cd ${folder} && node ${PROGRAM}`, env);
    await server.seen('is running and waits for an agent');
    await server.seen(join(folder, '.local-mcp-memory'));
    await server.seen('# connect an agent');
    const [save = '', find = '', connect = ''] = commandsOn(server);

    const type = (line: string): string =>
      execFileSync('sh', ['-c', line], {
        cwd: folder,
        env: { ...process.env, ...env },
        encoding: 'utf8',
      });
    type(save);
    expect(type(find)).toContain('Deploys go out on Tuesdays');
    expect(type(connect)).toMatch(/cursor +installed/);
    expect(type(connect.replace(/ #.*/, ' cursor --install 2>&1'))).toMatch(/server starts/);

    server.type('help\r');
    await server.seen('--help');
    server.type('what is this\r');
    await server.seen('expected JSON-RPC or `help`, got `what is this`');
    const request = {
      jsonrpc: '2.0',
      id: 7,
      method: 'memory.list_recent',
      params: { projectId: folder },
    };
    server.type(`${JSON.stringify(request)}\r`);
    await server.seen('"text":"Deploys go out on Tuesdays"');
    server.type('\u0004');
    await server.ended;
  },
);

function commandsOn(server: Terminal): string[] {
  return server
    .shown()
    .split(/\r?\n/)
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim());
}
