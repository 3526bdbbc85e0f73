import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const OURS = ['tincan-answer', 'tincan-cli', 'tincan-mcp', 'tincan-memory', 'tincan-wire'];
/** This file holds the names that it looks for. */
const SELF = relative(ROOT, import.meta.filename).replaceAll('\\', '/');
const hasGit = spawnSync('git', ['rev-parse'], { cwd: ROOT }).status === 0;

const OWN_NAME = 'tincan-(?:answer|cli|mcp|memory|wire)';
const RUNNER = '(?:npx|bunx|pnpx|npm exec|pnpm dlx|yarn dlx)';
const INSTALLER = '(?:npm (?:install|i|add)|pnpm add|yarn (?:global )?add|bun add)';
/** Options between a program and the package that it runs or installs. */
const OPTIONS = '(?: +-[-\\w=]+)*';

/** What nobody may print or write, with the reason. */
const FOREIGN: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['the scope `@tincan` is not ours', /@tincan\//],
  ['the registry namespace is in release.json', /io\.github\.tincan/],
  [
    'a package that is run has our name and a version, or `--no-install`',
    new RegExp(`\\b${RUNNER}(?!${OPTIONS} --no-install\\b)${OPTIONS} +tincan(?!${ownVersion()})`),
  ],
  [
    'a client that runs a package names our package and its version',
    new RegExp(`['"](?:-y|--yes)['"], *['"]tincan(?!${ownVersion()})`),
  ],
  [
    'the package `tincan` is not ours',
    new RegExp(`\\b${INSTALLER}(?: +[-@\\w./=]+)*? +tincan(?![-\\w])`),
  ],
  ['the package `tincan` is not ours', /(?:from|import\(?|require\() *['"]tincan(?:\/[^'"]*)?['"]/],
];

/** The rest of one of our names and its version, after `tincan`. */
function ownVersion(): string {
  return `${OWN_NAME.slice('tincan'.length)}@[\\d<$]`;
}

describe('a name that we do not own', () => {
  it.skipIf(!hasGit)('is in no file', () => {
    const files = trackedFiles();
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap(findingsIn)).toEqual([]);
  });

  it.each([
    "import { connect } from '@tincan/mcp';",
    "import { connect } from 'tincan';",
    "await import('tincan/http')",
    'npx tincan config',
    'npx -y tincan config',
    'npx -y tincan@1.0.0 config',
    '`npx tincan`',
    'npx tincan-memory',
    'npx -y tincan-memory serve',
    'npx -y tincan-other@1.0.0',
    'npm exec -y tincan-cli',
    'bunx tincan-memory',
    '{ "command": "npx", "args": ["-y", "tincan-memory"] }',
    "['npx', '-y', 'tincan', 'tap']",
    'npm install -g tincan',
    'npm i tincan@latest',
    'npm install -g tincan-memory tincan',
    '"name": "io.github.tincan/memory"',
  ])('is found in %s', (line) => {
    expect(foreignIn(line)).not.toEqual([]);
  });

  it.each([
    'npx --no-install tincan config',
    'npx --no-install tincan-memory add "a note"',
    'npx -y tincan-memory@1.2.3',
    'npx -y tincan-cli@<version> config',
    `\`npx -y tincan-memory@\${VERSION}\``,
    '{ "command": "npx", "args": ["-y", "tincan-memory@1.2.3"] }',
    'npm install -g tincan-cli tincan-memory',
    'claude plugin install tincan-memory@tincan',
    "import { connect } from 'tincan-mcp';",
    'npx -y @modelcontextprotocol/server-everything',
    'npm start, then tincan config',
  ])('is not found in %s', (line) => {
    expect(foreignIn(line)).toEqual([]);
  });
});

describe('the packages', () => {
  const manifests = readdirSync(join(ROOT, 'packages')).map((folder) => ({
    folder,
    ...read<{ name: string; bin?: Record<string, string> }>(`packages/${folder}/package.json`),
  }));

  it('have the names that we own', () => {
    expect(manifests.map(({ name }) => name).sort()).toEqual(OURS);
    for (const { folder, name } of manifests) expect(name).toBe(`tincan-${folder}`);
  });

  it('have programs that a clone has before it is built', () => {
    const programs = manifests.flatMap(({ folder, bin = {} }) =>
      Object.entries(bin).map(([name, file]) => [name, join('packages', folder, file)] as const),
    );
    expect(programs.map(([name]) => name).sort()).toEqual([
      'tincan',
      'tincan-answer',
      'tincan-memory',
    ]);
    for (const [, file] of programs) {
      expect(existsSync(join(ROOT, file))).toBe(true);
      if (hasGit) expect(trackedFiles()).toContain(file.replaceAll('\\', '/'));
    }
  });
});

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;
}

/** Files of the repository, with those that are about to be added. */
function trackedFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
  return names.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)));
}

function findingsIn(file: string): string[] {
  if (file === SELF) return [];
  const bytes = readFileSync(join(ROOT, file));
  // Models and pictures are not text.
  if (bytes.subarray(0, 8000).includes(0) || !bytes.includes('tincan')) return [];
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) =>
      foreignIn(line).map((reason) => `${file}:${index + 1}: ${reason}: ${line.trim()}`),
    );
}

function foreignIn(line: string): string[] {
  return FOREIGN.filter(([, pattern]) => pattern.test(line)).map(([reason]) => reason);
}
