import { describe, expect, it } from 'vitest';
import { JapaneseBridge } from '../../../src/embed/local/japanese-bridge.ts';
import { japaneseWords } from '../../../src/embed/local/japanese-words.ts';
import { bridgeBytes } from './small-data.ts';

const { bytes, counts } = bridgeBytes({
  猫: [[1]],
  飼う: [[2]],
  飼い: [[2]],
  マネ: [[3]],
  データ: [[4]],
  データベース: [[5]],
  パン: [[6]],
});
const bridge = new JapaneseBridge(bytes, {
  format: 1,
  ...counts,
  files: { 'bridge.bin': { bytes: 0, crc32: '' } },
});
const found = (run: string) =>
  [...japaneseWords(run, bridge)].map(({ word }) => bridge.glossesOf(word).pieces[0]);

describe('japaneseWords', () => {
  it.each([
    ['猫を飼いました', [1, 2]],
    ['データベース', [5]],
    ['データ', [4]],
    ['データセット', [4]],
    ['パンと猫', [6, 1]],
    ['', []],
    ['ありがとう', []],
  ])('finds the words of %s', (run, words) => {
    expect(found(run)).toEqual(words);
  });

  it('does not take two letters of a longer katakana word for a word', () => {
    expect(found('マネージャー')).toEqual([]);
    expect(found('マネ')).toEqual([3]);
  });
});
