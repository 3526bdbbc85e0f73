import { describe, expect, it } from 'vitest';
import { nearestName } from '../src/nearest-name.ts';

describe('nearestName', () => {
  const settings = ['timeout_ms', 'max_retries', 'model', 'domains'];
  const verbs = ['call', 'check', 'repl', 'tap'];

  it.each([
    ['timeout', settings, 'timeout_ms'],
    ['timeuot_ms', settings, 'timeout_ms'],
    ['max_retry', settings, 'max_retries'],
    ['MODEL', settings, 'model'],
    ['modle', settings, 'model'],
    ['domain', settings, 'domains'],
    ['chek', verbs, 'check'],
    ['rpel', verbs, 'repl'],
    ['cal', verbs, 'call'],
    ['project', ['projectId', 'query'], 'projectId'],
    ['txt', ['title', 'text'], 'text'],
  ])('suggests for `%s` of %j the name `%s`', (given, names, expected) => {
    expect(nearestName(given, names)).toBe(expected);
  });

  it.each(['zebra', 'x', 'completely_different', ''])('suggests nothing for `%s`', (given) => {
    expect(nearestName(given, [...settings, ...verbs])).toBeUndefined();
  });

  it('suggests nothing for a very long name', () => {
    expect(nearestName('model'.repeat(1_000_000), settings)).toBeUndefined();
  });
});
