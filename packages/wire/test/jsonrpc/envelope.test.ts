import { afterEach, describe, expect, it, vi } from 'vitest';
import { ErrorCode, RpcError } from '../../src/errors.ts';
import type { Handler } from '../../src/jsonrpc/call.ts';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import { FRAMINGS, gate, Line, serveBytes, serveTexts } from '../support/lines.ts';

const INVALID_JSON = '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]';

const subtract = (params: unknown): number => {
  const [minuend, subtrahend] = Array.isArray(params)
    ? params
    : [Reflect.get(params as object, 'minuend'), Reflect.get(params as object, 'subtrahend')];
  return minuend - subtrahend;
};

const methods: Record<string, Handler> = {
  subtract,
  echo: (params) => params,
  id: (_params, { id }) => (typeof id === 'bigint' ? `${id}n` : id),
  ping: () => 'pong',
};

const request = (id: unknown, method = 'ping'): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method });

afterEach(() => vi.restoreAllMocks());

describe.each(FRAMINGS)('the envelope of a request, %s framing', (framing) => {
  const serve = (...texts: string[]) => serveTexts(methods, texts, framing);

  it('row 1: answers positional params with the same id and gives the handler the array', async () => {
    const call = '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}';
    expect(await serve(call)).toEqual([{ jsonrpc: '2.0', id: 1, result: 19 }]);
    const echo = '{"jsonrpc":"2.0","method":"echo","params":[42,[23]],"id":1}';
    expect(await serve(echo)).toEqual([{ jsonrpc: '2.0', id: 1, result: [42, [23]] }]);
  });

  it.each([
    '{"jsonrpc":"2.0","method":"subtract","params":{"subtrahend":23,"minuend":42},"id":3}',
    '{"id":3,"params":{"minuend":42,"subtrahend":23},"method":"subtract","jsonrpc":"2.0"}',
    '{"method":"subtract","params":{"minuend":42,"subtrahend":23},"id":3,"jsonrpc":"2.0"}',
  ])('row 2: answers named params whatever the order of members: %s', async (call) => {
    expect(await serve(call)).toEqual([{ jsonrpc: '2.0', id: 3, result: 19 }]);
  });

  it('row 2: finds an id that comes after 10 MB of params', async () => {
    const text = 'x'.repeat(10_000_000);
    const call = `{"jsonrpc":"2.0","method":"id","params":{"text":"${text}"},"id":"late"}`;
    expect(await serve(call)).toEqual([{ jsonrpc: '2.0', id: 'late', result: 'late' }]);
  });

  it('row 3: writes nothing for a notification, known or unknown', async () => {
    const known = vi.fn();
    const texts = [
      '{"jsonrpc":"2.0","method":"update","params":[1,2,3,4,5]}',
      '{"jsonrpc":"2.0","method":"foobar"}',
    ];
    const bytes = await serveBytes(
      { update: known },
      texts.map((text) =>
        framing === 'line' ? `${text}\n` : `Content-Length: ${text.length}\r\n\r\n${text}`,
      ),
    );
    expect(bytes).toHaveLength(0);
    expect(known).toHaveBeenCalledExactlyOnceWith([1, 2, 3, 4, 5], expect.anything());
  });

  it.each(['server', 'client'] as const)(
    'row 3: tells of an unknown notification by an event, %s end',
    async (role) => {
      const line = new Line({ role }, framing);
      line.say('{"jsonrpc":"2.0","method":"foobar","params":{"a":1}}', request(1));
      await line.hear();
      expect(line.notifications).toEqual([['foobar', { a: 1 }]]);
    },
  );

  it('row 4: answers an unknown method with -32601 that names it', async () => {
    expect(await serve('{"jsonrpc":"2.0","method":"foobar","id":"1"}')).toEqual([
      {
        jsonrpc: '2.0',
        id: '1',
        error: { code: -32601, message: 'Method not found', data: { method: 'foobar' } },
      },
    ]);
  });

  it('row 5: answers invalid JSON with -32700 and id null, then serves the next message', async () => {
    expect(await serve(INVALID_JSON, request(2))).toEqual([
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32700 }) },
      { jsonrpc: '2.0', id: 2, result: 'pong' },
    ]);
  });

  it('row 5: a client reports invalid JSON and writes nothing', async () => {
    const line = new Line({}, framing);
    line.say(INVALID_JSON);
    await line.end();
    expect(line.strays).toEqual([INVALID_JSON]);
    expect(await line.rest()).toEqual([]);
  });

  it.each([
    ['a method that is a number', '{"jsonrpc":"2.0","method":1,"params":"bar"}', null],
    ['a method that is a number', '{"jsonrpc":"2.0","method":1,"id":4}', 4],
    ['params that are a string', '{"jsonrpc":"2.0","method":"ping","params":"bar","id":5}', 5],
    ['params that are a number', '{"jsonrpc":"2.0","method":"ping","params":7,"id":5}', 5],
    ['params that are a boolean', '{"jsonrpc":"2.0","method":"ping","params":true,"id":5}', 5],
    ['no method', '{"jsonrpc":"2.0","id":6}', 6],
    ['nothing but braces', '{}', null],
    ['a string', '"ping"', null],
    ['null', 'null', null],
  ])('row 6: answers %s with -32600', async (_what, call, id) => {
    expect(await serve(call, request(9))).toEqual([
      {
        jsonrpc: '2.0',
        id,
        error: { code: -32600, message: 'Invalid Request', data: { reason: expect.any(String) } },
      },
      { jsonrpc: '2.0', id: 9, result: 'pong' },
    ]);
  });

  it.each(['', '"jsonrpc":"1.0",', '"jsonrpc":2,', '"jsonrpc":null,'])(
    'row 7: refuses `{%s…}` with -32600 and its id',
    async (version) => {
      const error = {
        code: -32600,
        message: 'Invalid Request',
        data: { reason: '`jsonrpc` must be "2.0"' },
      };
      expect(await serve(`{${version}"id":"v","method":"ping"}`)).toEqual([
        { jsonrpc: '2.0', id: 'v', error },
      ]);
    },
  );

  it('row 8: gives a handler undefined for `params: null`', async () => {
    const seen = vi.fn();
    await serveTexts({ seen }, ['{"jsonrpc":"2.0","id":1,"method":"seen","params":null}'], framing);
    expect(seen).toHaveBeenCalledExactlyOnceWith(undefined, expect.anything());
    const line = new Line({}, framing);
    line.say('{"jsonrpc":"2.0","method":"unknown","params":null}');
    await line.settled();
    expect(line.notifications).toEqual([['unknown', undefined]]);
  });

  it('row 9: answers a request with id null, never taking it for a notification', async () => {
    expect(await serve(request(null))).toEqual([{ jsonrpc: '2.0', id: null, result: 'pong' }]);
  });

  it.each([
    ['1.5', 1.5],
    ['-0', 0],
    ['1e3', 1000],
    ['-7', -7],
    ['0', 0],
    ['1e-7', 1e-7],
    ['9007199254740991', 9007199254740991],
  ])('row 10: answers id %s with the same number', async (raw, id) => {
    const [answer] = await serve(`{"jsonrpc":"2.0","id":${raw},"method":"id"}`);
    expect(answer).toMatchObject({ id, result: id });
  });

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890',
    '1e400',
    '1e21',
  ])('row 11: echoes id %s digit for digit', async (raw) => {
    const text = `{"jsonrpc":"2.0","params":{"id":1},"id":${raw},"method":"id"}`;
    const frame =
      framing === 'line' ? `${text}\n` : `Content-Length: ${text.length}\r\n\r\n${text}`;
    const written = (await serveBytes(methods, [frame])).toString();
    expect(written).toContain(`{"jsonrpc":"2.0","id":${raw},"result":`);
    if (/^-?\d+$/.test(raw)) expect(written).toContain(`"result":"${raw}n"`);
  });

  it.each(['9007199254740993', '-9007199254740995'])(
    'row 11: cancels the request with id %s and no neighbour',
    async (raw) => {
      const aborted: string[] = [];
      const wait: Handler = (_params, { id, signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(String(id));
            resolve(null);
          });
        });
      const line = new Line({ role: 'server', methods: new Dispatcher({ wait }) }, framing);
      const neighbour = String(BigInt(raw) + 1n);
      for (const id of [neighbour, raw]) {
        line.say(`{"jsonrpc":"2.0","id":${id},"method":"wait"}`);
      }
      line.say(
        `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId": ${raw}}}`,
      );
      await line.settled();
      expect(aborted).toEqual([raw]);
    },
  );

  it.each(['', '1', 'long '.repeat(10_000), 'quote " back \\ line \n tab \t é \u2028 \ud800'])(
    'row 12: echoes a string id exactly (%#)',
    async (id) => {
      expect(await serve(request(id, 'id'))).toEqual([{ jsonrpc: '2.0', id, result: id }]);
    },
  );

  it('row 12: tells "1" and 1 apart among live requests, on both ends', async () => {
    const gates = [gate<string>(), gate<string>()];
    let calls = 0;
    const wait: Handler = () => gates[calls++]?.promise;
    const line = new Line({ role: 'server', methods: new Dispatcher({ wait }) }, framing);
    line.say(request('1', 'wait'), request(1, 'wait'));
    await line.settled();
    gates[1]?.open('number');
    expect(await line.hear()).toEqual({ jsonrpc: '2.0', id: 1, result: 'number' });
    gates[0]?.open('string');
    expect(await line.hear()).toEqual({ jsonrpc: '2.0', id: '1', result: 'string' });

    const client = new Line({}, framing);
    const answer = client.peer.request('x');
    const { id } = await client.hear();
    client.say({ jsonrpc: '2.0', id: `0${id}`, result: 'wrong' });
    client.say({ jsonrpc: '2.0', id, result: 'right' });
    expect(await answer).toBe('right');
    expect(client.peer.stats.late).toBe(1);
  });

  it('takes an answer whose id came back as the string of a pending number, with a remark', async () => {
    const client = new Line({}, framing);
    const answer = client.peer.request('x');
    const { id } = await client.hear();
    client.say({ jsonrpc: '2.0', id: String(id), result: 'taken' });
    expect(await answer).toBe('taken');
    expect(client.peer.stats.late).toBe(0);
    expect(client.remarks).toEqual([
      {
        code: 'string-id',
        message: `the answer to request ${id} came with the string "${id}" as its id`,
      },
    ]);
  });

  it.each(['true', 'false', '{}', '[]', '{"id":1}'])(
    'row 13: refuses id %s with -32600 and id null',
    async (id) => {
      expect(await serve(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toEqual([
        {
          jsonrpc: '2.0',
          id: null,
          error: {
            code: -32600,
            message: 'Invalid Request',
            data: { reason: '`id` must be a string or a number' },
          },
        },
      ]);
    },
  );

  it.each([1, 256])(
    'row 14: refuses a second live request with the same id, concurrency %i',
    async (maxConcurrency) => {
      const held = gate<string>();
      const wait = vi.fn(() => held.promise);
      const line = new Line(
        { role: 'server', methods: new Dispatcher({ wait, ping: () => 'pong' }), maxConcurrency },
        framing,
      );
      line.say(request('x', 'wait'), request('x', 'wait'));
      expect(await line.hear()).toMatchObject({ id: 'x', error: { code: -32600 } });
      held.open('done');
      expect(await line.hear()).toEqual({ jsonrpc: '2.0', id: 'x', result: 'done' });
      expect(wait).toHaveBeenCalledOnce();
      line.say(request('x', 'ping'));
      expect(await line.hear()).toMatchObject({ id: 'x', result: 'pong' });
    },
  );

  it('row 14: refuses a duplicate of a request that still waits for its turn', async () => {
    const held = gate();
    const line = new Line(
      {
        role: 'server',
        methods: new Dispatcher({ wait: () => held.promise, ping: () => 'pong' }),
        maxConcurrency: 1,
      },
      framing,
    );
    line.say(request(1, 'wait'), request(2), request(2));
    expect(await line.hear()).toMatchObject({ id: 2, error: { code: -32600 } });
    held.open();
    expect(await line.hear()).toMatchObject({ id: 1, result: null });
    expect(await line.hear()).toMatchObject({ id: 2, result: 'pong' });
    expect(await line.rest()).toEqual([]);
  });
});

describe.each(FRAMINGS)('answers a client gets, %s framing', (framing) => {
  const ask = async (
    answer: (id: unknown) => string,
  ): Promise<{ line: Line; outcome: unknown }> => {
    const line = new Line({}, framing);
    const asked = line.peer.request('ask').then(
      (value) => ({ value }),
      (error: unknown) => error,
    );
    const { id } = await line.hear();
    line.say(answer(id));
    return { line, outcome: await asked };
  };

  it('row 15: drops and counts answers nobody waits for, and stays open', async () => {
    const line = new Line({}, framing);
    line.say({ jsonrpc: '2.0', id: 99, result: 1 }, { jsonrpc: '2.0', id: 'x', error: {} });
    const first = line.peer.request('first');
    const { id } = await line.hear();
    line.say({ jsonrpc: '2.0', id, result: 'one' }, { jsonrpc: '2.0', id, result: 'two' });
    expect(await first).toBe('one');
    const cancelled = new AbortController();
    const second = line.peer.request('second', {}, { signal: cancelled.signal });
    const { id: secondId } = await line.hear();
    cancelled.abort();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    line.say({ jsonrpc: '2.0', id: secondId, result: 'late' });
    await line.settled();
    expect(line.peer.stats.late).toBe(4);
    expect(line.remarks.map(({ code }) => code)).toEqual(Array(4).fill('late-answer'));
    expect(line.remarks[1]?.message).toBe('received a response for unknown request id "x"');
  });

  it('row 16: rejects an answer with result and error, and keeps both', async () => {
    const { outcome } = await ask(
      (id) => `{"jsonrpc":"2.0","id":${id},"result":1,"error":{"code":-1,"message":"no"}}`,
    );
    expect(outcome).toMatchObject({
      code: 'PARSE',
      message: 'the answer to `ask` has a result and an error',
      cause: { data: { result: 1, error: { code: -1, message: 'no' } } },
    });
  });

  it.each(['', ',"error":null'])(
    'row 17: rejects an answer with neither at once (%s)',
    async (rest) => {
      const { outcome } = await ask((id) => `{"jsonrpc":"2.0","id":${id}${rest}}`);
      expect(outcome).toMatchObject({
        code: 'PARSE',
        message: 'the answer to `ask` has neither result nor error',
      });
    },
  );

  it.each([
    ['{"code":"x"}', -32603, 'error without a message', { code: 'x' }],
    ['{"code":"x","message":"m"}', -32603, 'm', { code: 'x', message: 'm' }],
    ['{"code":-5}', -5, 'error without a message', { code: -5 }],
    ['{"code":1.5,"message":"m"}', -32603, 'm', { code: 1.5, message: 'm' }],
    ['"text"', -32603, 'malformed error: "text"', 'text'],
    ['{"code":-5,"message":"m","data":[1]}', -5, 'm', [1]],
  ])('row 18: makes an error of %s', async (error, rpcCode, message, data) => {
    const { outcome } = await ask((id) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`);
    expect(outcome).toBeInstanceOf(RpcError);
    expect(outcome).toMatchObject({ code: 'REMOTE', rpcCode, message, data });
  });

  it.each(['7', 'null'])('row 18: takes `error: null` with result %s for a result', async (raw) => {
    const { outcome } = await ask(
      (id) => `{"jsonrpc":"2.0","id":${id},"error":null,"result":${raw}}`,
    );
    expect(outcome).toEqual({ value: JSON.parse(raw) });
  });

  const anonymous = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';

  it.each([1, 2])(
    'row 19: an error without an id rejects none of %i requests, whose answers may follow',
    async (count) => {
      const line = new Line({}, framing);
      const answers = Array.from({ length: count }, () => line.peer.request('a'));
      const ids: unknown[] = [];
      for (let i = 0; i < count; i++) ids.push((await line.hear()).id);
      line.say(anonymous, ...ids.map((id) => ({ jsonrpc: '2.0', id, result: id })));
      expect(await Promise.all(answers)).toEqual(ids);
      expect(line.remarks).toMatchObject([
        {
          code: 'anonymous-error',
          message: 'received an error without an id: Parse error',
          cause: { rpcCode: -32700 },
        },
      ]);
    },
  );

  it('takes the error log of a JSON logger for stray text, not for an answer', async () => {
    const { line, outcome } = await ask((id) => `{"jsonrpc":"2.0","id":${id},"result":"ok"}`);
    expect(outcome).toEqual({ value: 'ok' });
    const log = '{"level":"error","error":"disk full"}';
    line.say(log);
    await line.settled();
    expect(line.strays).toEqual([log]);
    expect(line.peer.stats.late).toBe(0);
  });
});

describe.each(FRAMINGS)('what a handler gives back, %s framing', (framing) => {
  const outcomeOf = async (handler: Handler) => {
    const answers = await serveTexts(
      { handler, ping: () => 'pong' },
      [request(1, 'handler'), request(2)],
      framing,
    );
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 2, result: 'pong' });
    expect(answers).toHaveLength(2);
    return answers.find(({ id }) => id === 1);
  };

  it.each([
    ['undefined', () => undefined],
    ['a promise of undefined', async () => undefined],
    ['a function', () => () => 1],
    ['a symbol', () => Symbol('s')],
    ['a toJSON that gives undefined', () => ({ toJSON: () => undefined })],
  ])('row 20: answers `"result":null` for %s', async (_what, handler) => {
    expect(await outcomeOf(handler)).toEqual({ jsonrpc: '2.0', id: 1, result: null });
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  it.each<[string, Handler]>([
    ['a BigInt', () => 1n],
    ['a promise of a BigInt', async () => ({ n: 1n })],
    ['a cycle', () => cycle],
    [
      'a toJSON that throws',
      () => ({
        toJSON: () => {
          throw new Error('no json');
        },
      }),
    ],
    [
      'a `then` that throws when looked at',
      () =>
        Object.defineProperty({}, 'then', {
          get: () => {
            throw new Error('no then');
          },
        }),
    ],
  ])('row 21: answers -32603 for %s and lives on', async (_what, handler) => {
    expect(await outcomeOf(handler)).toMatchObject({ id: 1, error: { code: -32603 } });
  });

  const throwing =
    (thrown: unknown): Handler =>
    () => {
      throw thrown;
    };
  const evil = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('deeper');
    },
  });
  it.each<[string, unknown, object]>([
    ['a string', 'plain text', { code: -32603, message: 'plain text' }],
    ['an empty string', '', { code: -32603, message: 'Internal error' }],
    ['undefined', undefined, { code: -32603, message: 'Internal error' }],
    ['an error', new Error('it broke'), { code: -32603, message: 'it broke' }],
    ['an error without a message', new Error(''), { code: -32603, message: 'Internal error' }],
    [
      'an error with code 404',
      Object.assign(new Error('gone'), { code: 404 }),
      { code: -32603, message: 'gone' },
    ],
    [
      'an RpcError with a code of its own',
      new RpcError(404, 'gone', { a: 1 }),
      { code: 404, message: 'gone', data: { a: 1 } },
    ],
    ['an RpcError without data', new RpcError(-5, 'm'), { code: -5, message: 'm' }],
    ['an RpcError with a broken code', new RpcError(1.5, 'm'), { code: -32603, message: 'm' }],
    [
      'an RpcError whose data is no JSON',
      new RpcError(-5, 'm', { n: 1n }),
      { code: -5, message: 'm' },
    ],
    ['a getter that throws', evil, { code: -32603, message: 'Internal error' }],
    [
      'a message that is no string',
      Object.assign(new Error('x'), { message: 5n }),
      { code: -32603, message: 'Internal error' },
    ],
  ])('row 22: makes an error answer of %s, without a stack', async (_what, thrown, error) => {
    expect(await outcomeOf(throwing(thrown))).toEqual({ jsonrpc: '2.0', id: 1, error });
    expect(await outcomeOf(() => Promise.reject(thrown))).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  it.each(Object.entries(ErrorCode))(
    'row 23: passes the reserved code %s that a handler chose on purpose',
    async (_name, code) => {
      expect(await outcomeOf(throwing(new RpcError(code, 'm')))).toMatchObject({ error: { code } });
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'row 24: takes `%s` as a plain method name and as a plain member',
    async (name) => {
      const params = `{"${name}":{"polluted":1}}`;
      const call = `{"jsonrpc":"2.0","id":1,"method":"${name}","params":${params}}`;
      const [unknown] = await serveTexts({}, [call], framing);
      expect(unknown).toMatchObject({ error: { code: -32601, data: { method: name } } });
      const line = new Line(
        { role: 'server', methods: new Dispatcher().method(name, (it) => it) },
        framing,
      );
      line.say(call);
      expect(JSON.stringify(await line.hear())).toBe(`{"jsonrpc":"2.0","id":1,"result":${params}}`);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  );

  it('row 25: lets the last of two members with one name win', async () => {
    const call = '{"jsonrpc":"2.0","id":1,"id":2,"method":"nope","method":"ping"}';
    expect(await serveTexts(methods, [call], framing)).toEqual([
      { jsonrpc: '2.0', id: 2, result: 'pong' },
    ]);
    const large = '{"jsonrpc":"2.0","id":9007199254740993,"id":9007199254740995,"method":"id"}';
    expect(await serveTexts(methods, [large], framing)).toMatchObject([
      { result: '9007199254740995n' },
    ]);
  });
});

it('row 26: warns when a method named `rpc.…` is registered, and serves it', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const answers = await serveTexts({ 'rpc.discover': () => 'here', ping: () => 'pong' }, [
    request(1, 'rpc.discover'),
  ]);
  expect(answers).toMatchObject([{ result: 'here' }]);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'method names starting with "rpc." are reserved by JSON-RPC: rpc.discover',
  );
});
