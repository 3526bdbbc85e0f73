import { expect, it } from 'vitest';
import { nearest } from '../../src/command/nearest.ts';

it.each([
  ['chek', 'check'],
  ['rpel', 'repl'],
  ['cal', 'call'],
  ['completely-else', undefined],
  ['', undefined],
])('the word meant by %j is %j', (typed, meant) => {
  expect(nearest(typed, ['call', 'check', 'repl', 'tap'])).toBe(meant);
});
