import { expect, it } from 'vitest';
import { isStopWord } from '../../src/search/stop-words.ts';
import { tokenize } from '../../src/search/tokenize.ts';

it.each(['where', 'does', 'there', 'these', 'while', 'before', 'because', 'was', 'Which'])(
  '`%s` says nothing of its own, as a token either',
  (word) => {
    expect(tokenize(word).every(isStopWord)).toBe(true);
  },
);
