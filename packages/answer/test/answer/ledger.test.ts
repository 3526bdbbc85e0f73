import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/answer/ledger.ts';

const free = { maxCalls: null, maxTokens: null, maxCost: null, prices: {} };
const usage = { input: 1_000_000, cached: 400_000, output: 100_000, reasoning: 5 };
const prices = { m: { input: 2, cached: 0.5, output: 10, search: 25 } };

describe('the ledger', () => {
  it('adds up a session', () => {
    const ledger = new Ledger(free);
    ledger.open('m');
    ledger.spend('m', usage, 2);
    ledger.open('m');
    ledger.spend('m', usage, 1);
    ledger.remembered();
    ledger.failed();
    expect(ledger.totals()).toEqual({
      calls: 2,
      cached: 1,
      failed: 1,
      searches: 3,
      usage: { input: 2_000_000, cached: 800_000, output: 200_000, reasoning: 10 },
    });
  });

  it('reckons cost from the given prices alone', () => {
    const ledger = new Ledger({ ...free, prices });
    // 0.6 M at 2, 0.4 M at 0.5, 0.1 M at 10, 4 searches at 25 a thousand.
    expect(ledger.cost('m', usage, 4)).toBeCloseTo(1.2 + 0.2 + 1 + 0.1);
    expect(ledger.cost('toString', usage, 4)).toBeUndefined();
    ledger.spend('m', usage, 4);
    expect(ledger.totals().cost).toBeCloseTo(2.5);
  });

  it('charges cached input in full when it has no price of its own', () => {
    const ledger = new Ledger({ ...free, prices: { m: { input: 1 } } });
    expect(ledger.cost('m', usage, 9)).toBeCloseTo(1);
  });

  it.each([
    ['max_calls', { maxCalls: 1 }],
    ['max_tokens', { maxTokens: 10 }],
    ['max_cost', { maxCost: 1, prices }],
  ])('refuses what goes over `%s`', (key, budget) => {
    const ledger = new Ledger({ ...free, ...budget });
    ledger.open('m');
    ledger.spend('m', usage, 0);
    expect(() => ledger.open('m')).toThrow(
      expect.objectContaining({
        kind: 'budget',
        retryable: false,
        message: expect.stringContaining(`budget.${key}`),
      }),
    );
    expect(ledger.totals().calls).toBe(1);
  });

  it.each([
    ['below it', 9, true],
    ['at it', 10, false],
    ['above it', 11, false],
  ])('opens a call under `max_tokens`, and none once it is reached: %s', (_, spent, isOpen) => {
    const ledger = new Ledger({ ...free, maxTokens: 10 });
    ledger.open('m');
    // Cached and reasoning tokens are parts of the other two.
    ledger.spend('m', { input: 4, cached: 3, output: spent - 4, reasoning: 2 }, 0);
    if (isOpen) expect(() => ledger.open('m')).not.toThrow();
    else expect(() => ledger.open('m')).toThrow('budget.max_tokens');
  });

  it('opens no call at all under a budget of 0 tokens', () => {
    expect(() => new Ledger({ ...free, maxTokens: 0 }).open('m')).toThrow('budget.max_tokens');
  });

  it('refuses a model without a price under a cost cap', () => {
    const ledger = new Ledger({ ...free, maxCost: 1, prices });
    expect(() => ledger.open('other')).toThrow('`other` has no price');
  });
});
