import { describe, expect, it } from 'vitest';
import { weighedWords, wordRarity, wordWeigher } from '../../src/search/query-weights.ts';

/** Of 100 notes, 90 hold `deploy`, one holds `zebra`. */
const rarity = wordRarity(['deploy', 'zebra'], { noteCount: 100, noteFrequency: [90, 1] });

describe('the weight of a word of a query', () => {
  it('is the square root of its rarity in the project', () => {
    const weigh = wordWeigher(rarity);
    expect(weigh('zebra')).toBeCloseTo(Math.sqrt(Math.log(1 + 99.5 / 1.5)), 10);
    expect(weigh('deploy')).toBeCloseTo(Math.sqrt(Math.log(1 + 10.5 / 90.5)), 10);
  });

  it('is that of the rarest token, and small for a mark', () => {
    const weigh = wordWeigher(rarity);
    expect(weigh('deploy-zebra')).toBe(weigh('zebra'));
    expect(weigh('?')).toBe(0.1);
  });

  it('is the rarity itself for the comparison with single words', () => {
    const words = weighedWords('deploy the zebra, the zebra?', rarity);
    expect(words.map(({ word }) => word)).toEqual(['deploy', 'zebra']);
    expect(words.map(({ weight }) => weight)).toEqual([rarity('deploy'), rarity('zebra')]);
    expect(words[1]?.weight).toBeGreaterThan(10 * (words[0]?.weight ?? 0));
  });
});
