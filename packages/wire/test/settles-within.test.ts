import { describe, expect, it } from 'vitest';
import { settlesWithin } from '../src/settles-within.ts';

describe('settlesWithin', () => {
  it.each([
    ['resolved', () => Promise.resolve(1), true],
    ['rejected', () => Promise.reject(new Error('x')), true],
    ['pending', () => new Promise(() => undefined), false],
  ])('tells a %s promise', async (_, make, isSettled) => {
    expect(await settlesWithin(make(), 5)).toBe(isSettled);
  });

  it('waits for ever when told to, without a timer that fires at once', async () => {
    let resolve: (value: unknown) => void = () => undefined;
    const promise = new Promise((yes) => {
      resolve = yes;
    });
    const settled = settlesWithin(promise, Number.POSITIVE_INFINITY);
    setTimeout(resolve, 5);
    expect(await settled).toBe(true);
  });
});
