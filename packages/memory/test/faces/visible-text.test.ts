import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleJson, visibleText } from '../../src/faces/visible-text.ts';

describe('visible text', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['\u009b31m', '\\x9b31m'],
    ['bell\u0007 nul\0 delete\u007f', 'bell\\x07 nul\\x00 delete\\x7f'],
    ['over\rwritten', 'over\\x0dwritten'],
    ['zero\u200bwidth \u2060 \ufeff', 'zero\\u200bwidth \\u2060 \\ufeff'],
    ['left \u202e right \u2066 \u200f', 'left \\u202e right \\u2066 \\u200f'],
    ['line\u2028end', 'line\\u2028end'],
    ['tags \u{E0041}\u{E007F}', 'tags \\u{e0041}\\u{e007f}'],
    ['selector a\u{E0101}', 'selector a\\u{e0101}'],
    ['me\u200dmory <\u200c/', 'me\\u200dmory <\\u200c/'],
    ['é\u200d\u200c\u200d', 'é\u200d\\u200c\\u200d'],
    ['<\u2060\u200d/', '<\\u2060\\u200d/'],
    ['\u200dstart', '\\u200dstart'],
  ])('spells out what is hidden in %j', (text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });

  it.each([['👩‍👩‍👧‍👦 ❤️ 👍🏽'], ['می‌خواهم'], ['क्‍ष'], ['日本語\n\ttext'], ['naïve café']])(
    'leaves %s as it is',
    (text) => {
      expect(visibleText(text)).toBe(text);
    },
  );

  it('takes linear time for a text of hidden characters', () => {
    const text = '\u200b\u200d\u{E0041}\n'.repeat(100_000);
    expect(visibleText(text)).not.toMatch(/[\u200b\u200d]/);
  });
});

describe('visible JSON', () => {
  it('parses to the same value, and hides nothing', () => {
    const hidden = fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u200b',
      '\u200d',
      '\u202e',
      '\u{E0041}',
      'a',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), hidden)), (parts) => {
        const json = visibleJson({ [parts.join('')]: parts });
        expect(JSON.parse(json)).toEqual({ [parts.join('')]: parts });
        expect(json).not.toMatch(/[\p{Cc}\u200b\u202e\u{E0041}]/u);
      }),
    );
  });
});
