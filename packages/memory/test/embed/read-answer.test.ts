import { expect, it } from 'vitest';
import { readAnswer } from '../../src/embed/read-answer.ts';

it('reads an answer up to its bound', async () => {
  expect(await readAnswer(new Response('{"a": "é"}'), 11)).toEqual({ a: 'é' });
  await expect(readAnswer(new Response('not JSON'))).rejects.toThrow(SyntaxError);
});

it('gives up an answer that does not end, and its connection', async () => {
  let sent = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1000;
      controller.enqueue(new Uint8Array(1000).fill(32));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  await expect(readAnswer(new Response(endless), 10_000)).rejects.toMatchObject({
    code: 'PROVIDER',
    message: expect.stringContaining('at most 10000 bytes'),
    data: { status: 200, retryable: false },
  });
  expect(isCancelled).toBe(true);
  expect(sent).toBeLessThan(20_000);
});
