import { describe, expect, it } from 'vitest';
import {
  HeaderBlock,
  indexOfGluedHeader,
  indexOfHeader,
  MAX_HEADER_BYTES,
  opensHeaderBlock,
} from '../../src/framing/header-block.ts';
import { bytesOf } from './decode.ts';

function blockOf(...lines: readonly string[]): HeaderBlock {
  const block = new HeaderBlock();
  for (const line of lines) block.add(line);
  return block;
}

describe('HeaderBlock', () => {
  it.each([
    ['Content-Length: 12', 12],
    ['content-length:12', 12],
    ['CONTENT-LENGTH \t:\t 12 \t', 12],
    ['Content-Length: 0', 0],
    ['Content-Length: 007', 7],
    ['Content-Length: 999999999999999', 999_999_999_999_999],
    ['X-Content-Length: 12', undefined],
    ['Content-Type: text/plain', undefined],
  ])('reads `%s`', (line, length) => {
    const block = new HeaderBlock();
    expect(block.add(line)).toBe('more');
    expect(block).toMatchObject({ length, fault: undefined, text: line });
  });

  it.each(['-1', '+1', '1e3', '0x1', '1.0', '12abc', '', '1 2', '1000000000000000', '١'])(
    'finds fault with the length `%s`',
    (length) => {
      expect(blockOf(`Content-Length: ${length}`).fault).toBe('bad-header');
    },
  );

  it('finds fault with two lengths that differ, not with the same twice', () => {
    expect(blockOf('Content-Length: 5', 'Content-Length: 6').fault).toBe('bad-header');
    expect(blockOf('Content-Length: 5', 'content-length: 05')).toMatchObject({
      length: 5,
      fault: undefined,
    });
  });

  it.each([
    ['application/json', undefined],
    ['application/json; charset=utf-8', undefined],
    ['application/json; charset=UTF8', undefined],
    ['application/json; charset="utf-8"; x=y', undefined],
    ['application/json; charset = utf-8', undefined],
    ['application/json; charset=latin1', 'charset'],
    ['application/json;charset=utf-16le', 'charset'],
  ])('judges the content type `%s`', (type, fault) => {
    expect(blockOf('Content-Length: 5', `Content-Type: ${type}`).fault).toBe(fault);
  });

  it('holds a bad length worse than a charset', () => {
    expect(blockOf('Content-Type: x; charset=x', 'Content-Length: x').fault).toBe('bad-header');
    expect(blockOf('Content-Length: x', 'Content-Type: x; charset=x').fault).toBe('bad-header');
  });

  it('tells a malformed line from the end of the block by whether a length is known', () => {
    expect(blockOf('X: y').add('no colon')).toBe('not-a-header');
    expect(blockOf('X: y').add(' folded')).toBe('malformed');
    expect(blockOf('X: y').add('\tfolded')).toBe('malformed');
    expect(blockOf('Content-Length: 5').add('no colon')).toBe('malformed');
  });

  it('takes 8 KiB and no more', () => {
    const block = blockOf('Content-Length: 5');
    const line = `X: ${'y'.repeat(95)}`;
    let bytes = 'Content-Length: 5'.length + 2;
    while (bytes + line.length + 2 <= MAX_HEADER_BYTES) {
      expect(block.add(line)).toBe('more');
      bytes += line.length + 2;
    }
    expect(block.add(line)).toBe('too-long');
    expect(MAX_HEADER_BYTES).toBe(8192);
  });

  it('joins its lines for a report', () => {
    expect(blockOf('A: 1', 'Content-Length: 5', 'odd').text).toBe('A: 1\nContent-Length: 5\nodd');
  });
});

describe('opensHeaderBlock', () => {
  it.each([
    ['Content-Length: 5', false, true],
    ['content-type: x', false, true],
    ['Content-Length: nonsense', false, true],
    ['X-Other: 1', true, true],
    ['X-Other: 1', false, false],
    ['INFO: ready', false, false],
    ['Content of the box: 5', true, false],
    ['Content-Length', true, false],
    [': 5', true, false],
    ['', true, false],
    ['{"a":1}', true, false],
  ])('says of `%s` (CRLF: %s) %s', (line, endsInCrlf, expected) => {
    expect(opensHeaderBlock(line, endsInCrlf)).toBe(expected);
  });

  it('takes a long run of blanks in its stride', () => {
    // Quadratic matching takes long enough here to run into the time limit of the test.
    const blanks = ' '.repeat(MAX_HEADER_BYTES - 3);
    expect(opensHeaderBlock(`x:${blanks}y`, true)).toBe(true);
    expect(opensHeaderBlock(`x${blanks}yz`, true)).toBe(false);
    expect(opensHeaderBlock('x'.repeat(MAX_HEADER_BYTES), true)).toBe(false);
  });

  it('does not take a line for a header that is longer than a header block may be', () => {
    expect(opensHeaderBlock(`x:${' '.repeat(MAX_HEADER_BYTES)}`, true)).toBe(false);
  });
});

describe('headers among other bytes', () => {
  it.each([
    ['}Content-Length: 5\r', 1],
    ['}content-length:5', 1],
    ['Content-Length: 5 \t\r', 0],
    ['Content-Length: 5 Content-Length: 6', 18],
    ['Content-Length: 5 apples', -1],
    ['Content-Length: x', -1],
  ])('finds the one glued to the end of `%s`', (line, index) => {
    expect(indexOfGluedHeader(line)).toBe(index);
  });

  it.each([
    ['abcContent-Length: 5\r\n\r\n', 3],
    ['é CONTENT-LENGTH:5\n', 3],
    ['Content-Length: 5', -1],
    ['"Content-Length: 5\\r\\n"', -1],
    ['', -1],
  ])('finds the byte offset of the first one in %j', (text, index) => {
    expect(indexOfHeader(bytesOf(text))).toBe(index);
  });
});
