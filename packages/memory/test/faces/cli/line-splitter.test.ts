import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, type SplitLine } from '../../../src/faces/cli/run/line-splitter.ts';

function split(chunks: readonly (string | Buffer)[], maxBytes?: number): SplitLine[] {
  const splitter = new LineSplitter(maxBytes === undefined ? {} : { maxBytes });
  const lines = chunks.flatMap((chunk) => [...splitter.push(Buffer.from(chunk))]);
  return [...lines, ...splitter.end()];
}

describe('LineSplitter', () => {
  it('numbers lines, passes over blank ones and drops a byte order mark', () => {
    expect(split(['\uFEFFone\r\n\r\n  \nfo', 'ur'])).toEqual([
      { number: 1, text: 'one\r', bytes: 8 },
      { number: 4, text: 'four', bytes: 17 },
    ]);
  });

  it('splits at newlines alone', () => {
    expect(split(['a\u2028b\u2029c\u0085d']).map(({ text }) => text)).toEqual([
      'a\u2028b\u2029c\u0085d',
    ]);
  });

  it('gives the same lines however the bytes arrive', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll(/[\n\0]/g, ''))),
        fc.integer({ min: 1, max: 7 }),
        (lines, size) => {
          const bytes = Buffer.from(lines.join('\n'));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          expect(split(chunks)).toEqual(split([bytes]));
        },
      ),
    );
  });

  it('refuses a line beyond the limit, and holds nothing of it', () => {
    expect(split(['12345\n123', '456\n1'], 5)).toEqual([
      { number: 1, text: '12345', bytes: 6 },
      {
        number: 2,
        text: '',
        bytes: 13,
        refusal: expect.stringContaining('at most 5 bytes, got 6'),
      },
      { number: 3, text: '1', bytes: 14 },
    ]);
  });
});
