import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
// Below the root, so that packages resolve as they do for any other file.
const SCRATCH = join(ROOT, '.tmp', `docs-${process.pid}`);

interface Block {
  /** Page and line, as an editor understands it. */
  readonly place: string;
  readonly line: number;
  readonly code: string;
  readonly file: string;
}

const pages = [
  ...markdownIn('.'),
  ...markdownIn('docs'),
  ...readdirSync(join(ROOT, 'packages')).flatMap((name) => markdownIn(`packages/${name}`)),
];
const blocks = pages.flatMap(blocksOf);

function markdownIn(folder: string): string[] {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith('.md'));
  return names.map((name) => (folder === '.' ? name : `${folder}/${name}`));
}

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

function blocksOf(page: string): Block[] {
  const text = read(page);
  return [...text.matchAll(/^```ts\n(?<code>[\s\S]*?)^```$/gm)].map((match, index) => {
    const line = text.slice(0, match.index).split('\n').length + 1;
    const file = `${page.replaceAll(/[/.]/g, '-')}-${index}.ts`;
    return { place: `${page}:${line}`, line, code: match.groups?.['code'] ?? '', file };
  });
}

/** Compiles all files of the scratch folder and returns what the compiler says about each. */
function compile(): Promise<Map<string, string[]>> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return new Promise((done, fail) => {
    execFile(process.execPath, [tsc, '-p', SCRATCH, '--pretty', 'false'], (error, stdout) => {
      if (error !== null && stdout === '') fail(error);
      const found = new Map<string, string[]>();
      for (const line of stdout.split('\n')) {
        const match = /(?<file>[^/\\]+\.ts)\((?<at>\d+),\d+\): (?<said>.*)$/.exec(line);
        if (match?.groups === undefined) continue;
        const { file = '', at = '', said = '' } = match.groups;
        found.set(file, [...(found.get(file) ?? []), `line ${at}: ${said}`]);
      }
      done(found);
    });
  });
}

describe('code in the docs', () => {
  let said: Map<string, string[]>;

  beforeAll(async () => {
    mkdirSync(SCRATCH, { recursive: true });
    for (const { file, code } of blocks) writeFileSync(join(SCRATCH, file), code);
    writeFileSync(
      join(SCRATCH, 'wrong.ts'),
      "import { nothing } from 'tincan-wire';\nnothing();\n",
    );
    const tsconfig = {
      extends: '../../tsconfig.test.json',
      // A block may declare what it does not use, and all of them are modules.
      compilerOptions: {
        noUnusedLocals: false,
        noUnusedParameters: false,
        moduleDetection: 'force',
      },
      include: ['*.ts', '../../tools/test/doc-globals.d.ts'],
      exclude: [],
    };
    writeFileSync(join(SCRATCH, 'tsconfig.json'), JSON.stringify(tsconfig));
    said = await compile();
  }, 60_000);

  afterAll(() => rmSync(SCRATCH, { recursive: true, force: true }));

  it('is found on every page that should have some', () => {
    const withCode = new Set(blocks.map(({ place }) => place.split(':')[0]));
    for (const page of [
      'README.md',
      'docs/errors.md',
      'docs/interop.md',
      'docs/mcp.md',
      'packages/wire/README.md',
      'packages/mcp/README.md',
    ]) {
      expect(withCode).toContain(page);
    }
  });

  it.each(blocks)('$place compiles', ({ file }) => {
    expect(said.get(file) ?? []).toEqual([]);
  });

  it('would be found wrong where it is wrong', () => {
    expect(said.get('wrong.ts')).toHaveLength(1);
  });
});

describe('links in the docs', () => {
  it.each(pages)('%s links only to files that exist and headings that are there', (page) => {
    const links = [...read(page).matchAll(/\]\((?<target>[^)\s]+)\)/g)];
    const broken = links
      .map(({ groups }) => groups?.['target'] ?? '')
      .filter((target) => !/^https?:/.test(target) && !isThere(page, target));
    expect(broken).toEqual([]);
  });
});

function isThere(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#');
  const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, file))) return false;
  return heading === undefined || headingsOf(file).includes(heading);
}

/** Headings of a page, spelt as GitHub spells the links to them. */
function headingsOf(page: string): string[] {
  const titles = [...read(page).matchAll(/^#+ (?<title>.+)$/gm)];
  return titles.map(({ groups }) =>
    (groups?.['title'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
