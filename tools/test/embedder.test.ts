import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

interface Text {
  readonly ids: readonly number[];
  readonly weights: readonly number[];
}
interface Sentence extends Text {
  readonly target: readonly number[];
}
interface Pair {
  readonly key: string;
  readonly left: Text;
  readonly right: Text;
}
interface Training {
  readonly dim: number;
  readonly seed: number;
  readonly epochs: number;
  readonly rate: number;
  readonly temperature?: number;
  readonly batch?: number;
}
interface PythonFunction {
  readonly name: string;
  readonly summary: string;
  readonly code: string;
}

/** The tools are plain JavaScript; what they take and give is said here. */
async function load<T>(file: string): Promise<T> {
  return (await import(new URL(`../embedder/${file}`, import.meta.url).href)) as T;
}
const { regress } = await load<{
  regress(table: Float32Array, sentences: readonly Sentence[], options: Training): void;
}>('regress.mjs');
const { contrast } = await load<{
  contrast(table: Float32Array, groups: readonly (readonly Pair[])[], options: Training): void;
}>('contrast.mjs');
const { readPythonFunctions } = await load<{
  readPythonFunctions(folder: string, options: { maxBody: number }): PythonFunction[];
}>('python-functions.mjs');

const dim = 4;
const text = (...ids: number[]): Text => ({ ids, weights: ids.map(() => 1) });
const table = (): Float32Array =>
  Float32Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.5, 0.5, 0.5]);
function vectorOf(rows: Float32Array, { ids }: Text): number[] {
  const sum = Array.from({ length: dim }, (_, d) =>
    ids.reduce((total, id) => total + (rows[id * dim + d] ?? 0), 0),
  );
  const norm = Math.hypot(...sum);
  return sum.map((x) => x / norm);
}
const cosine = (rows: Float32Array, a: Text, b: readonly number[]): number =>
  vectorOf(rows, a).reduce((sum, x, d) => sum + x * (b[d] ?? 0), 0);

describe('fitting the table', () => {
  const sentences = [
    { ...text(0, 3), target: [0, 1, 0, 0] },
    { ...text(1, 3), target: [0, 0, 1, 0] },
  ];
  const options = { dim, seed: 20, epochs: 200, rate: 0.3 };

  it('turns sentences to where the teacher points, and leaves other rows alone', () => {
    const rows = table();
    regress(rows, sentences, options);
    for (const { target, ...each } of sentences) {
      expect(cosine(rows, each, target)).toBeGreaterThan(0.97);
    }
    expect(rows.slice(2 * dim, 3 * dim)).toEqual(table().slice(2 * dim, 3 * dim));
  });

  it('is decided by its seed', () => {
    const run = (seed: number): Float32Array => {
      const rows = table();
      regress(rows, sentences, { ...options, seed, epochs: 3 });
      return rows;
    };
    expect(run(20)).toEqual(run(20));
    expect(run(20)).not.toEqual(run(21));
  });
});

describe('telling pairs apart', () => {
  it('brings partners together and keeps others away', () => {
    const pairs = [
      { key: 'a', left: text(0, 3), right: text(1) },
      { key: 'b', left: text(2, 3), right: text(0) },
    ];
    const rows = table();
    const options = { dim, seed: 20, epochs: 100, rate: 0.05, temperature: 0.1, batch: 2 };
    contrast(rows, [pairs], options);
    for (const [i, { left, right }] of pairs.entries()) {
      const other = pairs[1 - i]?.right ?? text();
      expect(cosine(rows, left, vectorOf(rows, right))).toBeGreaterThan(
        cosine(rows, left, vectorOf(rows, other)),
      );
    }
  });
});

describe('reading Python', () => {
  const folder = mkdtempSync(join(tmpdir(), 'python-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds documented functions, without their docstrings, and no tests', () => {
    mkdirSync(join(folder, 'tests'));
    writeFileSync(
      join(folder, 'tests', 'a.py'),
      'def f(x):\n    """Never looked at here."""\n    pass\n',
    );
    writeFileSync(
      join(folder, 'code.py'),
      [
        'class Queue:',
        '    def push_back(self, item, *, limit=max(1, 2)) -> None:',
        '        """Add an item at the end. Blocks.',
        '',
        '        More of it.',
        '        """',
        '        self.items.append(item)',
        '',
        '        return None',
        '',
        '    size = 3',
        '',
        'def undocumented():',
        '    return 1',
        '',
        'def short():',
        '    """Too short"""',
        '    return 1',
      ].join('\n'),
    );
    expect(readPythonFunctions(folder, { maxBody: 400 })).toEqual([
      {
        name: 'push_back',
        summary: 'Add an item at the end',
        code: 'def push_back(self, item, *, limit=max(1, 2)):\n    self.items.append(item)\n\n    return None',
      },
    ]);
  });
});

describe('the data that is committed', () => {
  const manifest = (name: string): Record<string, unknown> => {
    const file = new URL(`../../packages/memory/data/${name}`, import.meta.url);
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  };

  it('was made by the recipe and from the sources that the tools name now', async () => {
    const { recipe, bridgeRecipe } = await load<Record<string, object>>('recipe.mjs');
    const { packages } = await load<{ packages: Record<string, object> }>('sources.mjs');
    const { edict, ...sources } = packages;
    expect(manifest('static/model.json')).toMatchObject({ stage: 'trained', recipe, sources });
    expect(manifest('japanese/bridge.json')).toMatchObject({
      recipe: bridgeRecipe,
      source: { package: 'edict', ...edict },
    });
  });
});
