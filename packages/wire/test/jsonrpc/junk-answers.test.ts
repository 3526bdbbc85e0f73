import { describe, expect, it } from 'vitest';
import { JunkAnswers } from '../../src/jsonrpc/junk-answers.ts';

const read = (text: string | undefined): unknown => text && JSON.parse(text);
const burst = (answers: JunkAnswers, nowMs: number): void => {
  for (let n = 0; n < 100; n++) expect(answers.next('not-json', nowMs)).toBeDefined();
};

describe('answers to junk', () => {
  it('are parse errors with id null that say why', () => {
    expect(read(new JunkAnswers().next('bad-header', 0))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error', data: { reason: 'bad-header' } },
    });
  });

  it('come at once a hundred times, then one in a second', () => {
    const answers = new JunkAnswers();
    burst(answers, 1000);
    for (const nowMs of [1000, 1500, 1999]) expect(answers.next('x', nowMs)).toBeUndefined();
    expect(answers.next('x', 2000)).toBeDefined();
    expect(answers.next('x', 2999)).toBeUndefined();
    expect(answers.next('x', 3000)).toBeDefined();
  });

  it('tell how many were left out, once', () => {
    const answers = new JunkAnswers();
    burst(answers, 0);
    for (let n = 0; n < 7; n++) answers.next('x', 1);
    expect(read(answers.next('x', 1000))).toMatchObject({
      error: { data: { reason: 'x', suppressed: 7 } },
    });
    expect(read(answers.next('x', 2000))).toMatchObject({ error: { data: { reason: 'x' } } });
    expect(answers.next('x', 3000)).not.toContain('suppressed');
  });
});
