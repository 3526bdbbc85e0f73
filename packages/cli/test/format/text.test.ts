import { describe, expect, it } from 'vitest';
import { formatBytes, formatMs } from '../../src/format/measure.ts';
import { table } from '../../src/format/table.ts';
import { cut, pad, preview, printable, widthOf, wrap } from '../../src/format/text.ts';

describe('text for a terminal', () => {
  it('spells out what would move the cursor or change colours, and keeps tabs and newlines', () => {
    expect(printable('a\u001B[2Jb\r\u0007\u009Bc\n\td')).toBe('a\\x1b[2Jb\\x0d\\x07\\x9bc\n\td');
  });

  it.each([
    ['abc', 3],
    ['日本', 4],
    ['🚲', 2],
    ['e\u0301', 1],
    ['a\u200Db', 2],
  ])('knows that %j takes %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it.each([
    ['short', 10, 'short'],
    ['exactly-10', 10, 'exactly-10'],
    ['longer than ten', 10, 'longer th…'],
    ['日本語テキスト', 7, '日本語…'],
    ['x'.repeat(1_000_000), 5, 'xxxx…'],
  ])('cuts %.20j to %i columns', (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
  });

  it('pads by columns, on either side', () => {
    expect(pad('日', 4)).toBe('日  ');
    expect(pad('7', 3, 'right')).toBe('  7');
  });

  it('aligns the columns of a table', () => {
    expect(
      table(
        [
          ['a', '日本', '1'],
          ['bcd', 'x', '22'],
        ],
        [2],
      ),
    ).toEqual(['a    日本   1', 'bcd  x     22']);
  });

  it('breaks lines between words', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('', 9)).toEqual([]);
  });

  it('shows a value on one line', () => {
    expect(preview({ a: ['\u001B'] }, 80)).toBe('{"a":["\\u001b"]}');
    expect(preview(undefined, 10)).toBe('');
  });
});

describe('figures for people', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1500, '1.5 kB'],
    [123_456, '123 kB'],
    [5_000_000, '5.0 MB'],
    [7e12, '7000 GB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0.1234, '0.12 ms'],
    [12.34, '12.3 ms'],
    [999, '999 ms'],
    [1500, '1.50 s'],
    [61_000, '1 min 1 s'],
  ])('%d ms are %s', (ms, text) => {
    expect(formatMs(ms)).toBe(text);
  });
});
