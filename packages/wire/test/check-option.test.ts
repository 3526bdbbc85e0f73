import { describe, expect, it } from 'vitest';
import { checkCount, checkKeys, checkOneOf } from '../src/check-option.ts';

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ name: 'WireError', code: 'BAD_OPTION' });
    return (error as Error).message;
  }
  return '';
};

describe('checkCount', () => {
  it.each([
    [0, {}],
    [5, { min: 5 }],
    [Number.MAX_SAFE_INTEGER, {}],
    [Number.POSITIVE_INFINITY, { infinite: true }],
  ])('takes %d with %j and returns it', (value, limits) => {
    expect(checkCount('n', value, limits)).toBe(value);
  });

  it.each<[unknown, object, string]>([
    [-1, {}, 'expected `n` to be an integer of at least 0, got `-1`'],
    [0, { min: 1 }, 'expected `n` to be an integer of at least 1, got `0`'],
    [1.5, {}, 'expected `n` to be an integer of at least 0, got `1.5`'],
    [2 ** 53, {}, 'expected `n` to be an integer of at least 0, got `9007199254740992`'],
    [Number.POSITIVE_INFINITY, {}, 'expected `n` to be an integer of at least 0, got `Infinity`'],
    [
      Number.NaN,
      { infinite: true },
      'expected `n` to be an integer of at least 0 or Infinity, got `NaN`',
    ],
    ['7', {}, 'expected `n` to be an integer of at least 0, got `7`'],
    [null, {}, 'expected `n` to be an integer of at least 0, got `null`'],
  ])('refuses %j with %j', (value, limits, message) => {
    expect(messageOf(() => checkCount('n', value as number, limits))).toBe(message);
  });
});

describe('checkOneOf', () => {
  it('returns what is allowed and names what would be', () => {
    expect(checkOneOf('mode', 'a', ['a', 'b'])).toBe('a');
    expect(messageOf(() => checkOneOf<string>('mode', 'c', ['a', 'b']))).toBe(
      'expected `mode` to be one of `a`, `b`, got `c`',
    );
  });
});

describe('checkKeys', () => {
  const known = ['timeoutMs', 'framing', 'tap'];

  it('takes known names', () => {
    expect(messageOf(() => checkKeys('thing', { framing: 1, tap: undefined }, known))).toBe('');
  });

  it.each([
    ['timeoutms', 'timeoutMs'],
    ['timeoutM', 'timeoutMs'],
    ['timeoutMss', 'timeoutMs'],
    ['timeoutNs', 'timeoutMs'],
    ['FRAMING', 'framing'],
    ['taps', 'tap'],
    ['timeout', 'timeoutMs'],
  ])('takes `%s` for a misspelt `%s`', (key, near) => {
    expect(messageOf(() => checkKeys('thing', { [key]: 1 }, known))).toBe(
      `unknown option \`${key}\` of thing; did you mean \`${near}\`?`,
    );
  });

  it.each(['other', ''])('has no guess for `%s`', (key) => {
    expect(messageOf(() => checkKeys('thing', { [key]: 1 }, known))).toBe(
      `unknown option \`${key}\` of thing`,
    );
  });
});
