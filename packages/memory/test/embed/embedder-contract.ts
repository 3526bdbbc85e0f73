import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embed/embedder.ts';

/** What every embedder must do, whatever is behind it. */
export function describeEmbedder(name: string, open: () => Promise<Embedder>): void {
  describe(`${name} keeps the contract of an embedder`, () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await open();
    });
    afterAll(() => embedder.close());

    it('says where its vectors come from', () => {
      expect(embedder.provider).toMatch(/^\w+$/);
      expect(embedder.model).not.toBe('');
    });

    it('gives one vector of length one for each text, in order', async () => {
      const texts = ['the cat sat', 'database migration', '東京の天気'];
      const together = await embedder.embed(texts, { kind: 'note' });
      expect(together).toHaveLength(3);
      for (const [index, text] of texts.entries()) {
        const [alone] = await embedder.embed([text], { kind: 'note' });
        const vector = together[index] ?? new Float32Array();
        expect(vector).toBeInstanceOf(Float32Array);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        for (const [i, value] of vector.entries()) expect(value).toBeCloseTo(alone?.[i] ?? 9, 5);
      }
    });

    it('knows its size once it has given a vector', async () => {
      const [vector] = await embedder.embed(['size']);
      expect(embedder.dim).toBe(vector?.length);
    });

    it('has nothing to do for nothing', async () => {
      expect(await embedder.embed([])).toEqual([]);
    });

    it('finds a text closest to itself', async () => {
      const texts = ['refresh the token', 'bake some bread', 'zzz qqq'];
      const vectors = await embedder.embed(texts, { kind: 'note' });
      const [query] = await embedder.embed(['bake some bread'], { kind: 'query' });
      const scores = vectors.map((v) => v.reduce((s, x, i) => s + x * (query?.[i] ?? 0), 0));
      expect(scores.indexOf(Math.max(...scores))).toBe(1);
    });

    it('takes many texts and very long ones', async () => {
      const texts = Array.from({ length: 300 }, (_, i) => `note number ${i}`);
      expect(await embedder.embed(texts)).toHaveLength(300);
      expect(
        await embedder.embed(['long words '.repeat(20_000), '長い'.repeat(20_000)]),
      ).toHaveLength(2);
    });

    it('stops for a signal, with its reason', async () => {
      const reason = new Error('enough');
      await expect(embedder.embed(['x'], { signal: AbortSignal.abort(reason) })).rejects.toBe(
        reason,
      );
    });
  });
}
