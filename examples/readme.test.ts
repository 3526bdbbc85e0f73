import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');
const SCRATCH = join(ROOT, '.tmp', `readme-${process.pid}`);

afterAll(() => rmSync(SCRATCH, { recursive: true, force: true }));

it('runs the two ends of the README against each other', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [server = '', client = ''] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, code = '']) => code,
  );
  mkdirSync(SCRATCH, { recursive: true });
  writeFileSync(join(SCRATCH, 'calculator.ts'), server);
  writeFileSync(join(SCRATCH, 'client.ts'), client);
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
  const { stdout } = await run(process.execPath, ['client.js'], { cwd: SCRATCH, timeout: 25_000 });
  expect(stdout).toBe('2\n-32602 cannot divide by zero\n');
});
