import { describe, expect, it } from 'vitest';
import { JapaneseBridge } from '../../../src/embed/local/japanese-bridge.ts';
import { countPieces, hasJapanese } from '../../../src/embed/local/text-pieces.ts';
import { WordPiece } from '../../../src/embed/local/word-piece.ts';
import { bridgeBytes, smallDictionary, smallVocabulary } from './small-data.ts';

const wordPiece = new WordPiece(smallVocabulary);
const { bytes, counts } = bridgeBytes(smallDictionary);
const bridge = new JapaneseBridge(bytes, {
  format: 1,
  ...counts,
  files: { 'bridge.bin': { bytes: 0, crc32: '' } },
});
const count = (text: string) => [...countPieces(text, { wordPiece, bridge })];
const [unknown, cat, dog, plural, read, file] = [0, 1, 2, 3, 4, 5];

describe('countPieces', () => {
  it.each([
    [
      'counts a repeated word',
      'cat dog cat',
      [
        [cat, 2],
        [dog, 1],
      ],
    ],
    [
      'counts the pieces of a word',
      'dogs',
      [
        [dog, 1],
        [plural, 1],
      ],
    ],
    [
      'cuts an identifier at its humps',
      'readFile',
      [
        [read, 1],
        [file, 1],
      ],
    ],
    [
      'cuts before the last capital of a row',
      'CATFile',
      [
        [cat, 1],
        [file, 1],
      ],
    ],
    ['reads full-width letters as plain ones', 'ｃａｔ', [[cat, 1]]],
    ['reads a Japanese word by its gloss', '犬', [[dog, 1]]],
    [
      'takes the longest word, each gloss half',
      '猫犬',
      [
        [cat, 0.5],
        [dog, 0.5],
        [read, 0.5],
      ],
    ],
    [
      'reads both scripts of a mixed text',
      'file の猫',
      [
        [file, 1],
        [cat, 1],
      ],
    ],
    ['counts what it does not know as unknown', 'zzz', [[unknown, 1]]],
    ['finds nothing in nothing', '', []],
  ])('%s', (_title, text, pieces) => {
    expect(count(text)).toEqual(pieces);
  });

  it('lets the words of a note count less the later they come, in either script', () => {
    const fading = (text: string): Map<number, number> =>
      countPieces(text, { wordPiece, bridge, isFading: true });
    const filler = 'dog '.repeat(20);
    expect(fading(`${filler}cat`).get(cat ?? 0)).toBeCloseTo(0.5);
    expect(fading(`${filler}猫`).get(cat ?? 0)).toBeCloseTo((fading('猫').get(cat ?? 0) ?? 0) / 2);
    expect(fading(`cat ${filler}`).get(cat ?? 0)).toBe(1);
  });

  it('leaves Japanese to the word pieces when there is no dictionary', () => {
    expect([...countPieces('犬', { wordPiece, bridge: undefined })]).toEqual([[unknown, 1]]);
  });
});

describe('hasJapanese', () => {
  it.each([
    ['hello', false],
    ['東京', true],
    ['see カタカナ', true],
    ['ひらがな', true],
    ['', false],
    ['naïve', false],
  ])('of %j is %s', (text, expected) => {
    expect(hasJapanese(text)).toBe(expected);
    expect(hasJapanese(text)).toBe(expected);
  });
});
