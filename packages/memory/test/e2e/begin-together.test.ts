import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'tincan-begin-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const program = fileURLToPath(new URL('./fixtures/begin-stores.mjs', import.meta.url));

it('lets four processes begin a store at the same moment, forty times', async () => {
  const children = Array.from({ length: 4 }, () => spawn(process.execPath, [program, root, '40']));
  let errors = '';
  for (const child of children) {
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
  }
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const ended = Promise.all(children.map((child) => once(child, 'close')));
  for (const child of children) child.stdin.write('begin\n');
  await ended;
  expect(errors).toBe('');
});
