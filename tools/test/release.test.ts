import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGES = ['wire', 'mcp', 'memory', 'answer', 'cli'];

/** Every file in which the version or the names of a release stand. */
const FILES = [
  'release.json',
  'package-lock.json',
  'tools/release.mjs',
  'plugin',
  ...PACKAGES.map((name) => `packages/${name}/package.json`),
  'packages/memory/server.json',
  'packages/answer/server.json',
  'packages/memory/src/version.ts',
  'packages/answer/src/version.ts',
  'packages/mcp/src/client/connect.ts',
];

describe('tools/release.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-release-'));
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

  function release(...args: string[]): { status: number | null; stderr: string } {
    const script = join(folder, 'tools/release.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    return { status, stderr };
  }

  beforeAll(() => {
    for (const path of FILES) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['guard', 'describe'])('refuses to %s while release.json is empty', (command) => {
    writeFileSync(join(folder, 'release.json'), '{}\n');
    expect(release(command)).toEqual({
      status: 1,
      stderr: expect.stringContaining('release.json does not name owner, repository, namespace'),
    });
  });

  it.each(['', '1', 'v1.2.3', '^1.2.3'])('refuses `%s` as a version', (version) => {
    expect(release('version', version)).toMatchObject({ status: 1 });
  });

  it('sets one version in every place, and guards the tag', () => {
    const before = JSON.parse(read('packages/wire/package.json')).version as string;
    expect(release('version', '7.8.9-rc.1')).toMatchObject({ status: 0 });
    for (const path of FILES.filter((file) => !/lock|release|plugin$/.test(file))) {
      expect(read(path), path).toContain('7.8.9-rc.1');
    }
    expect(read('plugin/.claude-plugin/plugin.json')).toContain('7.8.9-rc.1');
    expect(read('plugin/.claude-plugin/plugin.json')).not.toContain(before);
    writeFileSync(
      join(folder, 'release.json'),
      JSON.stringify({ owner: 'o', repository: 'r', namespace: 'io.github.o' }),
    );
    expect(release('guard', '--tag', 'v7.8.9-rc.1')).toMatchObject({ status: 0 });
    expect(release('guard', '--tag', 'v7.8.9')).toMatchObject({ status: 1 });
  });

  it('writes the names that release.json has', () => {
    expect(release('describe')).toMatchObject({ status: 0 });
    const manifest = JSON.parse(read('packages/memory/package.json')) as object;
    expect(manifest).toMatchObject({
      mcpName: 'io.github.o/memory',
      repository: { url: 'git+https://github.com/o/r.git', directory: 'packages/memory' },
    });
    expect(JSON.parse(read('plugin/program.json'))).toEqual({
      packageName: 'tincan-memory@7.8.9-rc.1',
    });
    expect(JSON.parse(read('packages/memory/server.json'))).toMatchObject({
      name: 'io.github.o/memory',
    });
  });
});
