import { describe, expect, it } from 'vitest';
import { openLocalEmbedder } from '../../../src/embed/local/open-local.ts';

const embedder = await openLocalEmbedder();
const likeness = async (word: string, ...texts: string[]): Promise<number[]> =>
  (await embedder.likeness?.([{ word, weight: 1 }], texts)) ?? [];

describe('the likeness of words', () => {
  it('is 1 for the word itself, whatever stands around it', async () => {
    const [found] = await likeness('lantern', 'Nobody saw the green Lantern yesterday.');
    expect(found).toBeCloseTo(1, 3);
  });

  it.each([
    ['job', 'She found a new career', 'It rained all day'],
    ['dog', 'we adopted a puppy', 'we bought a table'],
    ['delete', 'removeRow(table)', 'openWindow(door)'],
  ])('is greater between `%s` and `%s` than `%s`', async (word, near, far) => {
    const [close = 0, apart = 0] = await likeness(word, near, far);
    expect(close).toBeGreaterThan(apart);
  });

  it('counts words by their weight', async () => {
    const words = [
      { word: 'lantern', weight: 3 },
      { word: 'qqzzy', weight: 1 },
    ];
    const [found] = (await embedder.likeness?.(words, ['lantern'])) ?? [];
    expect(found).toBeGreaterThan(0.74);
    expect(found).toBeLessThan(1);
  });

  it('counts a word that is rare in English more than a common one', async () => {
    const words = ['time', 'lantern', 'qqzzy'].map((word) => ({ word, weight: 1 }));
    const [common = 0, rare = 0, unknown = 0] =
      (await embedder.likeness?.(words, ['time', 'lantern', 'qqzzy'])) ?? [];
    expect(rare).toBeGreaterThan(common * 1.5);
    expect(unknown).toBeGreaterThan(common * 1.5);
  });

  it('looks at the weightiest words of a long question', async () => {
    const words = Array.from({ length: 200 }, (_, i) => ({ word: `qq${i}`, weight: 1 }));
    const asked = [...words, { word: 'lantern', weight: 1_000 }];
    const [found] = (await embedder.likeness?.(asked, ['a lantern'])) ?? [];
    expect(found).toBeGreaterThan(0.9);
  });

  it('sees each word of an identifier, and forgets the text before', async () => {
    const [first = 0, second] = await likeness('lantern', 'greenLantern and HTTPServer', 'nothing');
    expect(first).toBeCloseTo(1, 3);
    expect(second).toBeLessThan(0.5);
  });

  it('is 0 without words', async () => {
    expect(await embedder.likeness?.([], ['lantern'])).toEqual([0]);
    expect(await likeness('lantern', '')).toEqual([0]);
  });
});
