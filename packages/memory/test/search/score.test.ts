import { describe, expect, it } from 'vitest';
import { isUnfit, scoreOf } from '../../src/search/score.ts';

const nothing = { lexical: 0, cosine: 0.1, deviations: 0, likeness: 0 };

describe('the score of the best note', () => {
  it.each([1, 49, 50, 1_000, 100_000])('lies between 0 and 1 among %i notes', (notes) => {
    const all = { lexical: 1, cosine: 1, deviations: 12, likeness: 1 };
    expect(scoreOf(all, notes)).toBeGreaterThan(0.99);
    expect(scoreOf(all, notes)).toBeLessThanOrEqual(1);
    expect(scoreOf(nothing, notes)).toBeGreaterThanOrEqual(0);
    expect(scoreOf(nothing, notes)).toBeLessThan(0.11);
  });

  it('rises with every kind of evidence', () => {
    const some = { lexical: 0.3, cosine: 0.4, deviations: 4, likeness: 0.3 };
    const score = scoreOf(some, 5_000);
    expect(scoreOf({ ...some, lexical: 0.5 }, 5_000)).toBeGreaterThan(score);
    expect(scoreOf({ ...some, likeness: 0.5 }, 5_000)).toBeGreaterThan(score);
    expect(scoreOf({ ...some, deviations: 6 }, 5_000)).toBeGreaterThan(score);
  });

  it('counts less the more notes there are to come so close by chance', () => {
    const some = { lexical: 0.1, cosine: 0.4, deviations: 4, likeness: 0 };
    expect(scoreOf(some, 100_000)).toBeLessThan(scoreOf(some, 1_000));
  });

  it('falls where nobody is named who was asked for', () => {
    const some = { lexical: 0.4, cosine: 0.4, deviations: 5, likeness: 0.4 };
    const score = scoreOf(some, 5_000);
    expect(isUnfit(score, 5_000)).toBe(false);
    expect(isUnfit(scoreOf(some, 5_000, { isNamed: false }), 5_000)).toBe(true);
    expect(scoreOf(some, 5_000, { isNamed: true })).toBeGreaterThan(score);
  });

  it('falls where a note has nothing but the name in common', () => {
    const some = { lexical: 0.3, cosine: 0.4, deviations: 5, likeness: 0.3 };
    const score = (others: number): number => scoreOf(some, 5_000, { isNamed: true, others });
    expect(score(0)).toBeLessThan(scoreOf(some, 5_000));
    expect(score(0.2)).toBeGreaterThan(scoreOf(some, 5_000));
    expect(score(0.9)).toBe(score(0.2));
  });

  it('is that of the words where a note has no vector', () => {
    expect(scoreOf({ ...nothing, lexical: 0.4, cosine: undefined }, 5_000)).toBe(0.4);
  });

  it('lets nothing be withheld from a small project', () => {
    expect(isUnfit(0, 999)).toBe(false);
    expect(isUnfit(0, 1_000)).toBe(false);
  });

  it('asks the more of the best note the more there are', () => {
    expect([1_100, 2_000, 5_000, 10_000].map((notes) => isUnfit(0.1, notes))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect([10_000, 1_000_000].map((notes) => isUnfit(0.29, notes))).toEqual([true, true]);
    expect(isUnfit(0.3, 1_000_000)).toBe(false);
  });
});
