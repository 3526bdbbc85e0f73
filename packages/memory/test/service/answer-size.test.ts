import { describe, expect, it } from 'vitest';
import { fitBudget, type Match, viewResult } from '../../src/service/answer-size.ts';
import { estimateTokens } from '../../src/service/estimate-tokens.ts';
import { makeNote } from '../store/store-contract.ts';

const match: Match = { by: 'lexical', words: ['needle'] };
const long = makeNote({ text: `${'hay '.repeat(500)}the needle is here ${'hay '.repeat(500)}` });

describe('how much of a note an answer carries', () => {
  it('is nothing but the id where that was asked for', () => {
    expect(viewResult(long, { score: 0.5, match, detail: 'ids' })).toEqual({
      id: long.id,
      score: 0.5,
      match,
    });
  });

  it('is all of it by default', () => {
    const { text, isCut } = viewResult(long, { score: 0.5, match, detail: 'full' });
    expect(text).toBe(long.text);
    expect(isCut).toBeUndefined();
  });

  it('is the part around the words in a snippet', () => {
    const { text = '', isCut } = viewResult(long, { score: 0.5, match, detail: 'snippet' });
    expect(text).toContain('the needle is here');
    expect(text.length).toBeLessThan(260);
    expect(text).toMatch(/^… .* …$/);
    expect(isCut).toBe(true);
  });

  it('is all of a short note in a snippet too', () => {
    const note = makeNote({ text: 'short' });
    const result = viewResult(note, { score: 0.5, match, detail: 'snippet' });
    expect(result).toMatchObject({ text: 'short' });
    expect(result.isCut).toBeUndefined();
  });

  it('never cuts a character in two', () => {
    const note = makeNote({ text: '👩'.repeat(400) });
    const { text = '' } = viewResult(note, { score: 1, match, detail: 'snippet' });
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });
});

describe('a budget of tokens', () => {
  const results = [long, long, makeNote({ text: 'short' })].map((note) =>
    viewResult(note, { score: 0.5, match, detail: 'full' }),
  );

  it.each([1, 100, 150, 300, 1_000, 10_000])('of %i is never exceeded', (budget) => {
    const kept = fitBudget(results, budget);
    const cost = kept.reduce((sum, result) => sum + estimateTokens(JSON.stringify(result)), 0);
    expect(cost).toBeLessThanOrEqual(budget);
  });

  it('cuts what does not fit before it drops it', () => {
    const kept = fitBudget(results, 1_500);
    expect(kept.map(({ isCut = false }) => isCut)).toEqual([false, true, false]);
    expect(fitBudget(results, 5)).toEqual([]);
  });
});
