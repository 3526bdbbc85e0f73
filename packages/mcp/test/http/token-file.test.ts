import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { TokenFile } from '../../src/http.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function freshPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-token-'));
  folders.push(folder);
  return join(folder, 'data', 'token');
}

it('is made once, for its owner alone, and leaves nothing else behind', () => {
  const path = freshPath();
  const token = TokenFile.open(path).current();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(TokenFile.open(path).current()).toBe(token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, '..'))).toEqual(['token']);
});

it.runIf(process.platform === 'linux')('fails where its folder can never be made', () => {
  expect(() => TokenFile.open('/proc/none/data/token')).toThrow(/cannot be written/);
});

it('is replaced under a server that holds it', () => {
  const path = freshPath();
  const file = TokenFile.open(path);
  const before = file.current();
  const after = TokenFile.rotate(path).current();
  expect(after).not.toBe(before);
  expect(file.current()).toBe(after);
});

it('stays in force while its file is missing, or open to others', () => {
  const path = freshPath();
  const file = TokenFile.open(path);
  const token = file.current();
  rmSync(path);
  expect(file.current()).toBe(token);
  writeFileSync(path, 'planted', { mode: 0o644 });
  chmodSync(path, 0o644);
  expect(file.current()).toBe(token);
});

it.each([
  ['open to others', 'token', 0o640, /mode 0600/],
  ['empty', '', 0o600, /one token/],
  ['of several lines', 'a\nb', 0o600, /one token/],
  ['large', 'x'.repeat(5000), 0o600, /small file/],
])('is refused when it is %s', (_, content, mode, message) => {
  const path = freshPath().replace('/data/', '/');
  writeFileSync(path, content, { mode });
  chmodSync(path, mode);
  expect(() => TokenFile.open(path)).toThrow(message);
  expect(TokenFile.rotate(path).current()).toMatch(/^[\w-]{43}$/);
});

it.skipIf(process.platform === 'win32')('does not wait for the writer of a FIFO', () => {
  const path = freshPath().replace('/data/', '/');
  execFileSync('mkfifo', ['-m', '600', path]);
  expect(() => TokenFile.open(path)).toThrow(/small file/);
});

it('is not made for a client, which could not know it', () => {
  expect(() => TokenFile.read(freshPath())).toThrow(/does not exist/);
});
