import { describe, expect, it, vi } from 'vitest';
import { RpcError } from '../../src/errors.ts';
import type { Handler } from '../../src/jsonrpc/call.ts';
import { lspDialect } from '../../src/jsonrpc/dialect.ts';
import { Dispatcher, handleMessage } from '../../src/jsonrpc/dispatcher.ts';
import { gate } from '../support/lines.ts';

const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
const parse = (bytes: Uint8Array | undefined): unknown => JSON.parse(text(bytes) ?? 'null');

const SPEC_METHODS: Record<string, Handler> = {
  subtract: (params) => {
    if (Array.isArray(params)) return params[0] - params[1];
    const { minuend, subtrahend } = params as { minuend: number; subtrahend: number };
    return minuend - subtrahend;
  },
  sum: (params) => (params as number[]).reduce((total, value) => total + value, 0),
  get_data: () => ['hello', 5],
  update: () => undefined,
  notify_hello: () => undefined,
  notify_sum: () => undefined,
};

const failure = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  error: expect.objectContaining({ code }),
  id,
});

describe('the examples of the JSON-RPC 2.0 specification', () => {
  const dispatcher = new Dispatcher(SPEC_METHODS);

  it.each<[string, string, unknown]>([
    [
      'call with positional parameters',
      '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}',
      { jsonrpc: '2.0', result: 19, id: 1 },
    ],
    [
      'call with positional parameters, the other way round',
      '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
      { jsonrpc: '2.0', result: -19, id: 2 },
    ],
    [
      'call with named parameters',
      '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
      { jsonrpc: '2.0', result: 19, id: 3 },
    ],
    [
      'call with named parameters in another order',
      '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
      { jsonrpc: '2.0', result: 19, id: 4 },
    ],
    ['a notification', '{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', null],
    ['a notification of an unknown method', '{"jsonrpc": "2.0", "method": "foobar"}', null],
    [
      'call of a method that does not exist',
      '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
      failure(-32601, '1'),
    ],
    [
      'call with invalid JSON',
      '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
      failure(-32700),
    ],
    [
      'call with an invalid request object',
      '{"jsonrpc": "2.0", "method": 1, "params": "bar"}',
      failure(-32600),
    ],
    [
      'batch, invalid JSON',
      '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
      failure(-32700),
    ],
    ['call with an empty array', '[]', failure(-32600)],
    ['an invalid batch that is not empty', '[1]', [failure(-32600)]],
    ['an invalid batch', '[1,2,3]', [failure(-32600), failure(-32600), failure(-32600)]],
    [
      'a batch',
      `[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
        {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
        {"foo": "boo"},
        {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
        {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]`,
      [
        { jsonrpc: '2.0', result: 7, id: '1' },
        { jsonrpc: '2.0', result: 19, id: '2' },
        failure(-32600),
        failure(-32601, '5'),
        { jsonrpc: '2.0', result: ['hello', 5], id: '9' },
      ],
    ],
    [
      'a batch of notifications',
      '[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]',
      null,
    ],
  ])('%s', async (_title, input, expected) => {
    expect(parse(await dispatcher.handle(input))).toEqual(expected);
    expect(parse(await dispatcher.handle(Buffer.from(input)))).toEqual(expected);
  });
});

describe('seed 002, the handler alone', () => {
  const called = vi.fn((params: unknown) => params);
  const dispatcher = new Dispatcher({
    'memory.get_config': called,
    'memory.get': () => {
      throw new RpcError(-32003, 'not found');
    },
    'memory.add_note': () => {
      throw new RpcError(-32602, '`projectId` is required');
    },
    'memory.search': () => {
      throw new Error('the store is closed');
    },
  });

  it.each<[string, string, object]>([
    ['invalid JSON is a parse error', '{invalid json}', failure(-32700)],
    ['no bytes are a parse error', '', failure(-32700)],
    [
      'another version is an invalid request',
      '{"jsonrpc":"1.0","id":1,"method":"memory.get_config"}',
      failure(-32600, 1),
    ],
    ['no method is an invalid request', '{"jsonrpc":"2.0","id":1}', failure(-32600, 1)],
    [
      'an unknown method is not found',
      '{"jsonrpc":"2.0","id":1,"method":"memory.nope"}',
      failure(-32601, 1),
    ],
    [
      "a service's own code is passed on",
      '{"jsonrpc":"2.0","id":1,"method":"memory.get","params":{"id":"x"}}',
      failure(-32003, 1),
    ],
    [
      'bad params are answered as such',
      '{"jsonrpc":"2.0","id":1,"method":"memory.add_note","params":{}}',
      failure(-32602, 1),
    ],
    [
      'any other failure is an internal error',
      '{"jsonrpc":"2.0","id":1,"method":"memory.search","params":{}}',
      failure(-32603, 1),
    ],
  ])('%s', async (_title, input, expected) => {
    expect(parse(await dispatcher.handle(input))).toEqual(expected);
  });

  it('a known method reaches its handler with its params', async () => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"memory.get_config","params":{"a":1}}';
    expect(parse(await dispatcher.handle(call))).toMatchObject({ id: 1, result: { a: 1 } });
    expect(called).toHaveBeenCalledExactlyOnceWith({ a: 1 }, expect.anything());
  });
});

describe('Dispatcher.handle', () => {
  const dispatcher = new Dispatcher({ echo: (params) => params });

  it('takes bytes and strings, with and without a byte order mark, and gives UTF-8', async () => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"echo","params":["é€😀"]}';
    const expected = '{"jsonrpc":"2.0","id":1,"result":["é€😀"]}';
    for (const input of [call, `\uFEFF${call}`]) {
      expect(text(await dispatcher.handle(input))).toBe(expected);
      expect(text(await dispatcher.handle(Buffer.from(input)))).toBe(expected);
      expect(text(await dispatcher.handle(new TextEncoder().encode(input)))).toBe(expected);
    }
  });

  it('answers a scalar with -32600', async () => {
    for (const scalar of ['1', '"x"', 'null', 'true']) {
      expect(parse(await dispatcher.handle(scalar))).toEqual(failure(-32600));
    }
  });

  it('gives nothing for an answer, also inside a batch', async () => {
    const answer = '{"jsonrpc":"2.0","id":1,"result":5}';
    expect(await dispatcher.handle(answer)).toBeUndefined();
    expect(await dispatcher.handle(`[${answer}]`)).toBeUndefined();
  });

  it('keeps the digits of a large id', async () => {
    const call = '{"jsonrpc":"2.0","id":9007199254740993,"method":"echo"}';
    expect(text(await dispatcher.handle(call))).toContain('"id":9007199254740993,');
  });

  it('is done with a notification when its handler is', async () => {
    const held = gate();
    let isDone = false;
    const slow = new Dispatcher({ note: () => held.promise });
    const handled = slow.handle('{"jsonrpc":"2.0","method":"note"}').then((answer) => {
      isDone = true;
      return answer;
    });
    await Promise.resolve();
    expect(isDone).toBe(false);
    held.open();
    expect(await handled).toBeUndefined();
  });

  it('swallows what a notification handler throws', async () => {
    const bad = new Dispatcher({
      note: () => {
        throw new Error('unheard');
      },
    });
    expect(await bad.handle('{"jsonrpc":"2.0","method":"note"}')).toBeUndefined();
  });

  it('aborts the handlers by its signal, and they still answer', async () => {
    const controller = new AbortController();
    const waiting = new Dispatcher({
      wait: (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const call = '{"jsonrpc":"2.0","id":1,"method":"wait"}';
    const answer = waiting.handle(call, { signal: controller.signal });
    controller.abort(new Error('client left'));
    expect(parse(await answer)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'the caller went away' },
    });
  });

  it('aborts the handler of a notification too', async () => {
    const controller = new AbortController();
    const seen = vi.fn();
    const waiting = new Dispatcher({
      wait: (_params, { signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(seen(signal.reason)));
        }),
    });
    const handled = waiting.handle('{"jsonrpc":"2.0","method":"wait"}', {
      signal: controller.signal,
    });
    const reason = new Error('client left');
    controller.abort(reason);
    await handled;
    expect(seen.mock.calls[0]?.[0]).toMatchObject({ code: 'CANCELLED', cause: reason });
  });

  it('shows an aborted signal to handlers when it was aborted before', async () => {
    const waiting = new Dispatcher({
      look: async (_params, context) => {
        await Promise.resolve();
        return context.signal.aborted;
      },
    });
    const call = '{"jsonrpc":"2.0","id":1,"method":"look"}';
    const answer = await waiting.handle(call, { signal: AbortSignal.abort() });
    expect(parse(answer)).toMatchObject({ result: true });
  });

  it('lets go of the signal afterwards', async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    await dispatcher.handle('{"jsonrpc":"2.0","id":1,"method":"echo"}', { signal });
    expect(remove).toHaveBeenCalledWith('abort', expect.any(Function));
  });

  it('has no way back to the caller unless one is given', async () => {
    const asking = new Dispatcher({
      ask: (_params, context) => context.request('more'),
      tell: async (_params, context) => {
        await context.notify('more', { a: 1 });
        context.progress({ progress: 1 });
        return context.wantsProgress;
      },
    });
    const call = (method: string, params = {}): string =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    expect(parse(await asking.handle(call('ask')))).toMatchObject({
      error: { code: -32603, message: 'this call came without a connection to ask back on' },
    });
    expect(parse(await asking.handle(call('tell')))).toMatchObject({ result: false });

    const notify = vi.fn(() => Promise.resolve());
    const request = vi.fn(() => Promise.resolve('yes'));
    const outlet = { notify, request };
    expect(parse(await asking.handle(call('ask'), { outlet }))).toMatchObject({ result: 'yes' });
    const params = { _meta: { progressToken: 't' } };
    expect(parse(await asking.handle(call('tell', params), { outlet }))).toMatchObject({
      result: true,
    });
    expect(notify.mock.calls).toEqual([
      ['more', { a: 1 }],
      ['notifications/progress', { progressToken: 't', progress: 1 }],
    ]);
    const lsp = call('tell', { workDoneToken: 7 });
    await asking.handle(lsp, { outlet, dialect: lspDialect });
    expect(notify).toHaveBeenLastCalledWith('$/progress', { token: 7, value: { progress: 1 } });
  });
});

describe('handleMessage', () => {
  it('does the same for any table of methods, with text in and out', async () => {
    const table = {
      find:
        (method: string): Handler =>
        () =>
          method,
    };
    const call = '\uFEFF{"jsonrpc":"2.0","id":1,"method":"any"}';
    expect(await handleMessage(table, call)).toBe('{"jsonrpc":"2.0","id":1,"result":"any"}');
    expect(await handleMessage(table, '{"jsonrpc":"2.0","method":"any"}')).toBeUndefined();
  });
});

describe('a batch', () => {
  const batchOf = (length: number): string =>
    JSON.stringify(
      Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'give', params: {} })),
    );

  it.each([
    [{}, 16],
    [{ maxConcurrency: 3 }, 3],
  ])('runs no more of its calls at the same time than %j allows', async (options, most) => {
    let running = 0;
    let peak = 0;
    const giving = new Dispatcher({
      give: async () => {
        running += 1;
        peak = Math.max(peak, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return 'given';
      },
    });
    const answers = parse(await giving.handle(batchOf(50), options));
    expect(answers).toHaveLength(50);
    expect(peak).toBe(most);
  });

  it('refuses `maxConcurrency` of 0', async () => {
    const handled = new Dispatcher({}).handle(batchOf(1), { maxConcurrency: 0 });
    await expect(handled).rejects.toThrow('`maxConcurrency`');
  });

  it('runs no further call once its answers do not fit a message', {
    timeout: 30_000,
  }, async () => {
    const large = 'x'.repeat(20 * 1024 * 1024);
    let runs = 0;
    const giving = new Dispatcher({
      give: async () => {
        runs += 1;
        return large;
      },
    });
    const answers = parse(await giving.handle(batchOf(100), { maxConcurrency: 1 }));
    expect(runs).toBe(4);
    expect(answers).toHaveLength(100);
    const refused = { code: -32603, message: expect.stringContaining('send smaller batches') };
    expect((answers as unknown[])[99]).toEqual({
      ...{ jsonrpc: '2.0', id: 99 },
      error: { ...refused, data: { limit: 64 * 1024 * 1024 } },
    });
  });
});

describe('registration', () => {
  it('chains, and finds what was registered', () => {
    const a: Handler = () => 1;
    const dispatcher = new Dispatcher().method('a', a).method('b', () => 2);
    expect(dispatcher.find('a')).toBe(a);
    expect(dispatcher.find('c')).toBeUndefined();
  });

  it('refuses a handler that is no function', () => {
    const handler = 'text' as unknown as Handler;
    expect(() => new Dispatcher({ bad: handler })).toThrow(
      expect.objectContaining({
        code: 'BAD_OPTION',
        message: 'expected the handler of `bad` to be a function, got `string`',
      }),
    );
  });

  it('refuses a second handler for one method', () => {
    const dispatcher = new Dispatcher({ a: () => 1 });
    expect(() => dispatcher.method('a', () => 2)).toThrow(
      expect.objectContaining({
        code: 'BAD_OPTION',
        message: 'method `a` is registered already',
      }),
    );
  });
});
