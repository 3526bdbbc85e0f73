import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolderSync } from '../../src/stdio/make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'tincan-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('makes a folder and those above it, for their owner alone', () => {
  makeFolderSync(join(folder, 'a', 'b', 'c'));
  for (const path of ['a', 'a/b', 'a/b/c']) {
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
  }
});

it('leaves a folder that is there as it is', () => {
  const path = join(folder, 'there');
  mkdirSync(path, { mode: 0o755 });
  makeFolderSync(path);
  expect(statSync(path).mode & 0o777).toBe(0o755);
});

it('fails where a file is in the way', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolderSync(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolderSync(join(folder, 'file', 'x'))).toThrow(/ENOTDIR/);
});

it.runIf(process.platform === 'linux')('fails where no folder can ever be made', () => {
  expect(() => makeFolderSync('/proc/none/data')).toThrow(/ENOENT/);
});
