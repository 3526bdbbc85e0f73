import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environment } from './memory-program.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
/** An installation that has neither driver. */
const folder = mkdtempSync(join(tmpdir(), 'tincan-no-driver-'));
const modules = join(folder, 'node_modules');

beforeAll(() => {
  mkdirSync(join(modules, 'tincan-memory'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  for (const part of ['package.json', 'bin', 'dist']) {
    cpSync(join(packages, 'memory', part), join(modules, 'tincan-memory', part), {
      recursive: true,
    });
  }
  for (const name of ['wire', 'mcp']) {
    symlinkSync(join(packages, name), join(modules, `tincan-${name}`), 'junction');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], input = ''): { stdout: string; stderr: string } {
  const hasOwn = process.getBuiltinModule('node:sqlite') !== undefined;
  const options = hasOwn ? ['--no-experimental-sqlite'] : [];
  const program = join(modules, 'tincan-memory/bin/tincan-memory.js');
  return spawnSync(process.execPath, [...options, program, ...args], {
    cwd: folder,
    env: environment(folder, { TINCAN_EMBEDDER_PROVIDER: 'none' }),
    input,
    encoding: 'utf8',
    timeout: 30_000,
  });
}

const COMMAND = `npm install --prefix "${folder}" better-sqlite3@`;
const EXPLANATION = [process.version, '22.23, 24.20 or newer', COMMAND];

it('starts, lists its tools, and says in every call and on stderr which Node or command helps', () => {
  const note = { projectId: '/p', groupId: 'g', text: 'x' };
  const requests = [
    { id: 1, method: 'tools/list' },
    { id: 2, method: 'memory.add_note', params: note },
    { id: 3, method: 'memory.search', params: { projectId: '/p', query: 'x' } },
    { id: 4, method: 'memory.get', params: { id: 'x' } },
  ];
  const lines = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  const { stdout, stderr } = run([], lines.join(''));
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result?: unknown; error?: object })
    .sort((a, b) => a.id - b.id);
  expect(answers).toHaveLength(requests.length);
  expect(answers[0]).toMatchObject({
    result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'memory_search' })]) },
  });
  for (const { error } of answers.slice(1)) {
    expect(error).toMatchObject({
      code: -32603,
      data: {
        code: 'DRIVER_MISSING',
        node: process.version,
        repair: expect.stringContaining(COMMAND),
      },
    });
    for (const words of EXPLANATION)
      expect(error).toHaveProperty('message', expect.stringContaining(words));
  }
  for (const words of EXPLANATION) expect(stderr).toContain(words);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

it.each([['doctor', '-f', 'text'], ['list']])('says so as a command: %s', (...args) => {
  const { stdout, stderr } = run(args);
  for (const words of EXPLANATION) expect(stdout + stderr).toContain(words);
});
