import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryTerms } from '../../src/search/query-terms.ts';
import { stem } from '../../src/search/stem.ts';
import { tokenize } from '../../src/search/tokenize.ts';

describe('tokenize', () => {
  it.each([
    ['Hello, World!', ['hello', 'world']],
    ['refresh tokens expired', ['refresh', 'token', 'expir']],
    ['getUserName', ['get', 'user', 'name', 'getusername']],
    ['HTTPServer2', ['http', 'server', '2', 'httpserver2']],
    ['snake_case_name', ['snak', 'case', 'name', 'snakecasename']],
    ['__init__', ['init']],
    ['v1.2', ['v', '1', 'v1', '2']],
    ['東京都', ['東京都', '東京', '東', '京都', '京', '都'].sort()],
    ['ねこ', ['ねこ']],
    ['猫', ['猫']],
    ['データベースDB', ['データベース', 'デー', 'ータ', 'タベ', 'ベー', 'ース', 'db'].sort()],
    ['한국어', ['한국', '국어']],
    ['café naïve', ['cafe', 'naiv']],
    ['ﬁle ＡＢＣ', ['file', 'abc']],
    ['Привет мир', ['привет', 'мир']],
    ['', []],
    ['!?… \u0000 🙂', []],
  ])('splits `%s`', (text, expected) => {
    expect(tokenize(text).sort()).toEqual([...expected].sort());
  });

  it('cuts endless tokens', () => {
    expect(tokenize('x'.repeat(1_000))).toEqual(['x'.repeat(64)]);
  });

  it('gives tokens without anything that could be syntax, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const token of tokenize(text)) {
          // Half of a pair is dropped by the engine's encoding; everything else is a letter, mark or digit.
          expect(token).toMatch(/^[\p{L}\p{M}\p{N}ー]+$/u);
        }
      }),
    );
  });

  it('takes time in proportion to the text', () => {
    // Backtracking would show as a hang, not as a figure.
    expect(tokenize(`${'aB'.repeat(50_000)}`).length).toBeGreaterThan(50_000);
  });
});

describe('stem', () => {
  it.each([
    ['caches', 'caching', 'cached', 'cache'],
    ['tokens', 'token'],
    ['queries', 'query'],
    ['boxes', 'box'],
    ['running', 'run'],
    ['deployed', 'deploying', 'deploys', 'deploy'],
  ])('brings the forms of one word together: %s, %s', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it.each(['bus', 'class', 'this', 'red', 'sing', 'api', 'thing'])('leaves `%s` whole', (word) => {
    expect(stem(word)).toBe(word);
  });
});

describe('queryTerms', () => {
  it('drops stop words while there are others', () => {
    expect(queryTerms('what is the refresh token')).toEqual(['refresh', 'token']);
  });

  it('keeps stop words when there is nothing else', () => {
    expect(queryTerms('to be or not')).toEqual(['to', 'be', 'or', 'not']);
  });

  it('asks for each word once and for no more than a bounded number', () => {
    expect(queryTerms('a1 a1 zebra zebra')).toEqual(['1', 'a1', 'zebra']);
    const long = Array.from({ length: 500 }, (_, i) => `word${i}x`).join(' ');
    expect(queryTerms(long).length).toBe(64);
  });
});
