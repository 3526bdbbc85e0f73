import { expect, it } from 'vitest';
import { matchingWords } from '../../src/search/matching-words.ts';
import { tokenize } from '../../src/search/tokenize.ts';

it.each([
  ['Which tokens are refreshed?', 'refresh the token', ['tokens', 'refreshed']],
  ['parseLedgerRow fails', 'def parse_ledger_row', ['parseLedgerRow']],
  ['予約の方法', '会議室の予約', ['予約']],
  ['Tokyo の天気', '東京の天気は tokyo', ['Tokyo', 'の天気']],
  ['nothing shared', 'other words', []],
])('%j shares with %j the words %j', (query, text, words) => {
  const held = new Set(tokenize(text));
  expect(
    matchingWords(
      query,
      tokenize(query).filter((token) => held.has(token)),
    ),
  ).toEqual(words);
});
