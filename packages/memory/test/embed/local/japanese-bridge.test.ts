import { describe, expect, it } from 'vitest';
import { JapaneseBridge } from '../../../src/embed/local/japanese-bridge.ts';
import { bridgeBytes, type SmallDictionary } from './small-data.ts';

const open = (dictionary: SmallDictionary) => {
  const { bytes, counts } = bridgeBytes(dictionary);
  return new JapaneseBridge(bytes, { format: 1, ...counts, files: { 'bridge.bin': entry } });
};
const entry = { bytes: 0, crc32: '' };
const bridge = open({
  東: [[1]],
  東京: [[2, 3]],
  東京都: [[4], [5, 6]],
  京都: [[7]],
  書い: [[8]],
});
const match = (text: string, start = 0, end = text.length) =>
  bridge.longestMatch(text, start, end)?.length;

describe('JapaneseBridge', () => {
  it.each([
    ['東京都庁', 0, 3],
    ['東京タワー', 0, 2],
    ['東西', 0, 1],
    ['東京都', 1, 2],
    ['書いた', 0, 2],
    ['書く', 0, undefined],
    ['都', 0, undefined],
  ])('finds in %s from %i a word of length %s', (text, start, length) => {
    expect(match(text, start)).toBe(length);
  });

  it('does not look past the end it is given', () => {
    expect(match('東京都', 0, 2)).toBe(2);
    expect(match('東京都', 0, 0)).toBeUndefined();
  });

  it('gives the pieces of all glosses and how many glosses there are', () => {
    const hit = bridge.longestMatch('東京都', 0, 3);
    const { count, pieces } = bridge.glossesOf(hit?.word ?? -1);
    expect(count).toBe(2);
    expect([...pieces]).toEqual([4, 5, 6]);
  });

  it('finds nothing in an empty dictionary', () => {
    expect(open({}).longestMatch('東京', 0, 2)).toBeUndefined();
  });
});
