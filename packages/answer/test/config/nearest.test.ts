import { describe, expect, it } from 'vitest';
import { nearestName } from '../../src/config/nearest.ts';

describe('nearestName', () => {
  const names = ['timeout_ms', 'max_retries', 'model', 'domains'];

  it.each([
    ['timeout', 'timeout_ms'],
    ['timeuot_ms', 'timeout_ms'],
    ['max_retry', 'max_retries'],
    ['MODEL', 'model'],
    ['modle', 'model'],
    ['domain', 'domains'],
  ])('suggests for `%s` the name `%s`', (given, expected) => {
    expect(nearestName(given, names)).toBe(expected);
  });

  it.each(['zebra', 'x', 'completely_different'])('suggests nothing for `%s`', (given) => {
    expect(nearestName(given, names)).toBeUndefined();
  });
});
