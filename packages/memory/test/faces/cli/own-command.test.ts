import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownCommand, tincanCommand } from '../../../src/faces/cli/own-command.ts';
import { VERSION } from '../../../src/version.ts';

describe('the commands that the program prints', () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tincan-own-command-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = (path: string, text = ''): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const manifest = (more: object = {}): string =>
    JSON.stringify({ name: 'tincan-memory', ...more });

  it('are paths in a clone, also where a link in node_modules started it', () => {
    put('packages/memory/package.json', manifest());
    const memory = put('packages/memory/bin/tincan-memory.js');
    const tincan = put('packages/cli/bin/tincan.js');
    const link = join(folder, 'node_modules/.bin/tincan-memory');
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(memory, link);
    for (const started of [memory, link]) {
      expect(ownCommand(started)).toBe(`node ${memory}`);
      expect(tincanCommand(started)).toBe(`node ${tincan}`);
    }
  });

  it('are paths where a tarball was installed that no release made', () => {
    put('node_modules/tincan-memory/package.json', manifest());
    const memory = put('node_modules/tincan-memory/bin/tincan-memory.js');
    expect(ownCommand(memory)).toBe(`node ${memory}`);
    expect(tincanCommand(memory)).toBeUndefined();
    const tincan = put('node_modules/tincan-cli/bin/tincan.js');
    expect(tincanCommand(memory)).toBe(`node ${tincan}`);
  });

  it('are packages with their version once a release made them', () => {
    put('node_modules/tincan-memory/package.json', manifest({ repository: { type: 'git' } }));
    const memory = put('node_modules/tincan-memory/bin/tincan-memory.js');
    expect(ownCommand(memory)).toBe(`npx -y tincan-memory@${VERSION}`);
    expect(tincanCommand(memory)).toBe(`npx -y tincan-cli@${VERSION}`);
  });

  it('are quoted where the path has a space', () => {
    const memory = put('my tools/bin/tincan-memory.js');
    expect(ownCommand(memory)).toBe(`node "${memory}"`);
  });
});
