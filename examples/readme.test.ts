import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { spawnServer } from 'tincan-wire';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');
const SCRATCH = join(ROOT, '.tmp', `readme-${process.pid}`);

afterAll(() => rmSync(SCRATCH, { recursive: true, force: true }));

/** What each block of the README is called there. */
const FILES = ['roots.ts', 'mcp-client.ts', 'adder.ts'];

beforeAll(async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(blocks).toHaveLength(FILES.length);
  mkdirSync(SCRATCH, { recursive: true });
  for (const [index, name] of FILES.entries())
    writeFileSync(join(SCRATCH, name), blocks[index] ?? '');
  const tsconfig = {
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      composite: false,
      declaration: false,
      declarationMap: false,
      isolatedDeclarations: false,
    },
    include: ['*.ts'],
  };
  writeFileSync(join(SCRATCH, 'tsconfig.json'), JSON.stringify(tsconfig));
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', SCRATCH]);
});

it('runs the MCP client of the README against its server', async () => {
  const options = { cwd: SCRATCH, timeout: 25_000 };
  const { stdout } = await run(process.execPath, ['mcp-client.js'], options);
  expect(stdout).toBe("[ { type: 'text', text: '3' } ]\n");
});

it('answers as the JSON-RPC server of the README', async () => {
  const adder = await spawnServer({
    command: process.execPath,
    args: [join(SCRATCH, 'adder.js')],
  });
  expect(await adder.request('add', { a: 2, b: 3 })).toBe(5);
  await adder.close();
});
