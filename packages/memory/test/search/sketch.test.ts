import { describe, expect, it } from 'vitest';
import { sketchOf } from '../../src/search/sketch.ts';

function shared(a: Iterable<string>, b: Iterable<string>): number {
  const parts = new Set(sketchOf(a));
  return sketchOf(b).filter((part) => parts.has(part)).length;
}

/** Pairs of sets of words of which a share is in both. */
function* pairs(share: number): Iterable<[string[], string[]]> {
  for (let pair = 0; pair < 200; pair += 1) {
    const common = Array.from({ length: Math.round(60 * share) }, (_, i) => `c${pair}x${i}`);
    const own = (side: string): string[] =>
      Array.from({ length: (60 - common.length) / 2 }, (_, i) => `${side}${pair}x${i}`);
    yield [
      [...common, ...own('a')],
      [...common, ...own('b')],
    ];
  }
}

describe('a sketch', () => {
  it('is the same for the same words in any order', () => {
    expect(sketchOf(['c', 'a', 'b'])).toEqual(sketchOf(['a', 'b', 'c']));
    expect(sketchOf(['a', 'b', 'c'])).not.toEqual(sketchOf(['a', 'b', 'd']));
    expect(sketchOf([])).toHaveLength(6);
  });

  it.each([
    [0.9, 0.99, 1],
    [0.7, 0.9, 1],
    [0.1, 0, 0.2],
    [0, 0, 0],
  ])(
    'of texts that share %f of their words has a part in common as it should',
    (share, least, most) => {
      const all = [...pairs(share)];
      const met = all.filter(([a, b]) => shared(a, b) > 0).length / all.length;
      expect(met).toBeGreaterThanOrEqual(least);
      expect(met).toBeLessThanOrEqual(most);
    },
  );
});
