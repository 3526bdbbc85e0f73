import { describe, expect, it } from 'vitest';
import { BatchReply } from '../../src/jsonrpc/batch-reply.ts';

const answer = (id: number, result: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result });

describe('BatchReply', () => {
  it('sends the answers in the order of the requests when the last has come', () => {
    const sent: string[] = [];
    const batch = new BatchReply(3, (text) => sent.push(text));
    batch.slot(2)(answer(3, 'c'));
    batch.slot(1)(undefined);
    expect(sent).toEqual([]);
    batch.slot(0)(answer(1, 'a'));
    expect(sent).toEqual([`[${answer(1, 'a')},${answer(3, 'c')}]`]);
  });

  it('holds no more answers than fit a message: an error takes the place of the others', () => {
    const sent: string[] = [];
    const small = answer(1, 'a');
    const batch = new BatchReply(3, (text) => sent.push(text), 2 * small.length);
    batch.slot(0)(small);
    expect(batch.refusal).toBeUndefined();
    batch.slot(1)(answer(2, 'x'.repeat(100)));
    batch.slot(2)(answer(3, 'c'));
    const limit = 2 * small.length;
    expect(batch.refusal).toMatchObject({ rpcCode: -32603, data: { limit } });
    const message = `the answers to this batch exceed ${limit} characters; send smaller batches`;
    expect(JSON.parse(sent[0] ?? '')).toEqual([
      JSON.parse(small),
      { jsonrpc: '2.0', id: 2, error: { code: -32603, message, data: { limit } } },
      JSON.parse(answer(3, 'c')),
    ]);
  });
});
