import { describe, expect, it } from 'vitest';
import { createPlainKernel } from '../../src/kernel/plain-kernel.ts';
import { quantize } from '../../src/kernel/quantize.ts';
import { codeStride } from '../../src/kernel/scan-kernel.ts';
import { createScanKernel } from '../../src/kernel/simd-kernel.ts';
import { BLOCK_ROWS, VectorIndex } from '../../src/search/vector-index.ts';

/** Repeatable numbers in -1..1. */
function randomVectors(count: number, dim: number): Float32Array[] {
  let state = 42;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dim }, next);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe.each([
  ['SIMD', createScanKernel],
  ['plain', createPlainKernel],
])('the vector index on the %s kernel', (_, createKernel) => {
  const DIM = 40;
  const vectors = randomVectors(2_300, DIM);
  const build = (): VectorIndex => {
    const index = new VectorIndex(DIM, createKernel());
    for (const [note, vector] of vectors.entries()) index.set(note, vector);
    return index;
  };
  const exact = (query: Float32Array, skip: (note: number) => boolean = () => false): number[] =>
    vectors
      .map((vector, note) => ({ note, score: dot(vector, query) }))
      .filter(({ note }) => !skip(note))
      .sort((a, b) => b.score - a.score)
      .map(({ note }) => note);

  it('finds the closest of several blocks', () => {
    const index = build();
    expect(index.size).toBe(vectors.length);
    for (const query of randomVectors(20, DIM).slice(10)) {
      const found = index
        .scan(query)
        .best(60)
        .map(({ note }) => note);
      for (const note of exact(query).slice(0, 10)) expect(found).toContain(note);
      expect(found).toHaveLength(60);
    }
  });

  it('scores close to the cosine, best first', () => {
    const index = build();
    const query = vectors[77] ?? new Float32Array(DIM);
    const scores = index.scan(query);
    expect(scores.best(1)[0]?.note).toBe(77);
    for (const note of [0, 999, 1_000, 2_299]) {
      expect(scores.of(note)).toBeCloseTo(dot(vectors[note] ?? query, query), 1);
    }
    const values = scores.best(20).map(({ score }) => score);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    const all = vectors.map((vector) => dot(vector, query));
    const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
    const squares = all.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    expect(scores.spread()?.mean).toBeCloseTo(mean, 2);
    expect(scores.spread()?.deviation).toBeCloseTo(Math.sqrt(squares / all.length), 2);
  });

  it('leaves hidden notes out of the best and of the spread', () => {
    const query = vectors[5] ?? new Float32Array(DIM);
    const scores = build().scan(query);
    const without = build();
    without.remove(5);
    without.remove(7);
    scores.hide([5, 7, 123_456]);
    const expected = without.scan(query);
    expect(scores.best(20)).toEqual(expected.best(20));
    expect(scores.bestOf([5, 6, 7], 3)).toEqual(expected.bestOf([5, 6, 7], 3));
    expect(scores.spread()?.mean).toBeCloseTo(expected.spread()?.mean ?? 0, 6);
    expect(scores.spread()?.deviation).toBeCloseTo(expected.spread()?.deviation ?? 0, 6);
  });

  it('forgets removed notes and reuses their place', () => {
    const index = build();
    const query = vectors[5] ?? new Float32Array(DIM);
    index.remove(5);
    index.remove(5);
    expect(
      index
        .scan(query)
        .best(5)
        .map(({ note }) => note),
    ).not.toContain(5);
    expect(index.scan(query).of(5)).toBeUndefined();
    const { rows } = index;
    index.set(9_999, query);
    expect(index.rows).toBe(rows);
    expect(index.scan(query).best(1)[0]?.note).toBe(9_999);
  });

  it('replaces a vector in place', () => {
    const index = build();
    index.set(3, vectors[8] ?? new Float32Array(DIM));
    expect(index.size).toBe(vectors.length);
    const top = index.scan(vectors[8] ?? new Float32Array(DIM)).best(2);
    expect(top.map(({ note }) => note).sort()).toEqual([3, 8]);
  });

  it('keeps to the notes it is asked about', () => {
    const index = build();
    const query = vectors[1] ?? new Float32Array(DIM);
    const some = [4, 90, 1_500, 123_456];
    const found = index
      .scan(query)
      .bestOf(some, 2)
      .map(({ note }) => note);
    expect(found).toEqual(exact(query, (note) => !some.includes(note)).slice(0, 2));
    expect(index.scan(query).best(0)).toEqual([]);
  });

  it('loads blocks as if each note had been set, later ones winning', () => {
    const stride = codeStride(DIM);
    const block = (notes: readonly number[]) => {
      const codes = new Int8Array(notes.length * stride);
      const scales = new Float32Array(notes.length);
      for (const [row, note] of notes.entries()) {
        const code = quantize(vectors[note % vectors.length] ?? new Float32Array(DIM), stride);
        codes.set(code.values, row * stride);
        scales[row] = code.scale;
      }
      return { notes: Float64Array.from(notes), scales, codes };
    };
    const range = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => from + i);
    const loaded = new VectorIndex(DIM, createKernel());
    loaded.load(block(range(0, BLOCK_ROWS)));
    loaded.load(block(range(BLOCK_ROWS, BLOCK_ROWS)));
    loaded.load(block(range(2_000, 300)));
    const removal = block([7]);
    removal.scales[0] = 0;
    loaded.load(removal);
    const built = build();
    built.remove(7);
    expect(loaded.size).toBe(built.size);
    const query = vectors[1_234] ?? new Float32Array(DIM);
    expect(loaded.scan(query).best(30)).toEqual(built.scan(query).best(30));
  });

  it('has no spread and no best when empty', () => {
    const scores = new VectorIndex(DIM, createKernel()).scan(new Float32Array(DIM).fill(1));
    expect(scores.best(3)).toEqual([]);
    expect(scores.spread()).toBeUndefined();
  });

  it('knows the cosine of two notes, and none of a note that is gone', () => {
    const index = build();
    const [a, b] = [vectors[3] ?? new Float32Array(DIM), vectors[1_500] ?? new Float32Array(DIM)];
    expect(index.cosine(3, 1_500)).toBeCloseTo(dot(a, b), 1);
    expect(index.cosine(3, 3)).toBeCloseTo(1, 1);
    index.remove(3);
    expect(index.cosine(3, 1_500)).toBeUndefined();
  });

  it('samples its notes evenly, never one that is gone', () => {
    const index = build();
    index.remove(0);
    const sample = index.sample(10);
    expect(sample).not.toContain(0);
    expect(sample.length).toBeGreaterThanOrEqual(9);
    expect(sample.length).toBeLessThanOrEqual(11);
    expect(new VectorIndex(DIM, createKernel()).sample(5)).toEqual([]);
  });

  it('takes a vector of zeros for none', () => {
    const index = new VectorIndex(DIM, createKernel());
    index.set(1, new Float32Array(DIM));
    expect(index.size).toBe(0);
  });
});
