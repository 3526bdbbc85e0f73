import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { WordPiece } from '../../../src/embed/local/word-piece.ts';

const vocabulary = readFileSync(new URL('../../../data/static/vocab.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const wordPiece = new WordPiece(vocabulary);
const cut = (text: string) => wordPiece.encode(text).map((id) => vocabulary[id]);

describe('WordPiece', () => {
  // Pieces as the reference tokeniser of the BERT uncased vocabulary gives them.
  it.each([
    ['hello world', ['hello', 'world']],
    ['unaffable', ['una', '##ffa', '##ble']],
    ['tokenization of embeddings', ['token', '##ization', 'of', 'em', '##bed', '##ding', '##s']],
    ['readFileSync', ['read', '##fi', '##les', '##yn', '##c']],
    ["don't stop", ['don', "'", 't', 'stop']],
    ['foo_bar', ['foo', '_', 'bar']],
    ['naïve café', ['naive', 'cafe']],
    ['ÅNGSTRÖM', ['ang', '##strom']],
    ['$5.00 + 3%', ['$', '5', '.', '00', '+', '3', '%']],
    ['a\tb\nc\u00a0d\u3000e', ['a', 'b', 'c', 'd', 'e']],
    ['a\u0000b\u200bc', ['abc']],
    ['東京', ['東', '京']],
    ['x\u{1F9FF}y', ['[UNK]']],
    ['', []],
    ['  \n ', []],
    [
      'antidisestablishmentarianism',
      ['anti', '##dis', '##est', '##ab', '##lish', '##ment', '##arian', '##ism'],
    ],
  ])('cuts %j', (text, pieces) => {
    expect(cut(text)).toEqual(pieces);
  });

  it('gives a word of more than a hundred letters up as unknown', () => {
    expect(cut('a'.repeat(101))).toEqual(['[UNK]']);
    expect(cut('a'.repeat(100))).not.toContain('[UNK]');
  });

  it('takes the markers of the vocabulary for plain text', () => {
    expect(cut('[SEP] [MASK]')).toEqual(['[', 'sep', ']', '[', 'mask', ']']);
  });

  it('says the same the second time, when the word comes from its cache', () => {
    expect(cut('unaffable unaffable')).toEqual(['una', '##ffa', '##ble', 'una', '##ffa', '##ble']);
    expect(cut('unaffable')).toEqual(['una', '##ffa', '##ble']);
  });

  it('stays right when more distinct words pass than its cache holds', () => {
    for (let i = 0; i < 10_050; i++) wordPiece.encode(`qz${i.toString(36)}xk`);
    expect(cut('unaffable')).toEqual(['una', '##ffa', '##ble']);
  });
});
