import { Dispatcher, type Outlet } from 'tincan-wire';
import { expect, it } from 'vitest';

it('gives a handler functions that work when taken out of the context', async () => {
  const sent: unknown[][] = [];
  const outlet: Outlet = {
    notify: async (...call) => {
      sent.push(call);
    },
    request: async (...call) => {
      sent.push(call);
      return 'yes';
    },
  };
  const dispatcher = new Dispatcher({
    work: async (_params, { progress, notify, request, signal }) => {
      progress({ progress: 1 });
      await notify('said', { text: 'hello' });
      expect(signal.aborted).toBe(false);
      return request('sure', { about: 'it' }, { timeoutMs: 5 });
    },
  });
  const params = { _meta: { progressToken: 7 } };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'work', params });

  const answer = await dispatcher.handle(message, { outlet });

  expect(JSON.parse(Buffer.from(answer ?? '').toString())).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: 'yes',
  });
  expect(sent).toEqual([
    ['notifications/progress', { progressToken: 7, progress: 1 }],
    ['said', { text: 'hello' }],
    ['sure', { about: 'it' }, { timeoutMs: 5 }],
  ]);
});
