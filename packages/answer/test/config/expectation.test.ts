import { describe, expect, it } from 'vitest';
import * as expecting from '../../src/config/expectation.ts';

const {
  amount,
  choice,
  command,
  httpUrl,
  integer,
  optional,
  prices,
  text,
  texts,
  timeZone,
  toggle,
} = expecting;

describe('an expectation', () => {
  it.each([
    ['text', text(), ['a'], ['', '  ', 1, null, []]],
    ['choice', choice('low', 'high'), ['low'], ['Low', '', 1, null]],
    ['integer', integer(1, 10), [1, 10], [0, 11, 1.5, '3', Number.NaN, null]],
    ['amount', amount(), [0, 0.5, 10], [-1, Number.POSITIVE_INFINITY, '1', null]],
    ['toggle', toggle(), [true, false], ['true', 0, null]],
    ['texts', texts(), [[], ['a', 'b']], ['a', [1], [''], null]],
    ['command', command(), [['a'], ['a', '--b']], [[], 'a b', [1], null]],
    ['httpUrl', httpUrl(), ['http://a', 'https://a/v1'], ['ftp://a', 'a', '', 'http://', null]],
    ['timeZone', timeZone(), ['UTC', 'Asia/Tokyo'], ['Mars/Base', '', 3]],
    [
      'prices',
      prices(),
      [{}, { m: { input: 1, search: 10 } }],
      [[], { m: 1 }, { m: { inptu: 1 } }],
    ],
    ['optional', optional(integer(1)), [null, 1], [0, 'x']],
  ] as const)('of %s accepts what fits and nothing else', (_, expectation, good, bad) => {
    for (const value of good) expect(expectation.accepts(value), String(value)).toBe(true);
    for (const value of bad) expect(expectation.accepts(value), String(value)).toBe(false);
  });

  it.each([
    [toggle(), 'on', true],
    [toggle(), 'YES', true],
    [toggle(), '0', false],
    [toggle(), 'off', false],
    [toggle(), 'maybe', 'maybe'],
    [integer(0), '12', 12],
    [integer(0), ' ', ' '],
    [texts(), 'a.com, b.com,', ['a.com', 'b.com']],
    [optional(integer(0)), 'null', null],
    [optional(integer(0)), '', null],
    [optional(integer(0)), '5', 5],
    [choice('low'), ' low ', 'low'],
    [command(), 'npx  memory --stdio ', ['npx', 'memory', '--stdio']],
    [httpUrl(), ' http://a ', 'http://a'],
    [timeZone(), ' UTC ', 'UTC'],
    [prices(), '{"m":{"input":1}}', { m: { input: 1 } }],
    [prices(), '{oops', '{oops'],
  ] as const)('reads text as a value (%#)', (expectation, raw, value) => {
    expect(expectation.fromText(raw)).toEqual(value);
  });

  it('names bounds and choices in its phrase', () => {
    expect(integer(1, 10).phrase).toBe('a whole number from 1 to 10');
    expect(integer(1).phrase).toBe('a whole number of at least 1');
    expect(optional(choice('a', 'b')).phrase).toBe('one of `a`, `b`, or `null`');
  });
});
