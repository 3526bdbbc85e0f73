import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');
const SCRATCH = join(ROOT, '.tmp', `readme-${process.pid}`);

afterAll(() => rmSync(SCRATCH, { recursive: true, force: true }));

/** What each block of the README is called there. */
const FILES = ['calculator.ts', 'client.ts', 'roots.ts', 'mcp-client.ts'];

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

it.each([
  ['client.js', '2\n-32602 cannot divide by zero\n'],
  ['mcp-client.js', "2026-07-28 1\n[ { type: 'text', text: '3' } ]\n"],
])('runs %s of the README against its server', async (program, said) => {
  const { stdout } = await run(process.execPath, [program], { cwd: SCRATCH, timeout: 25_000 });
  expect(stdout).toBe(said);
});
