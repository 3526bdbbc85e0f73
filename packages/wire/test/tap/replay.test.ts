import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { RpcError, WireError } from '../../src/errors.ts';
import type { Handler } from '../../src/jsonrpc/call.ts';
import type { Progress } from '../../src/jsonrpc/dialect.ts';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import type { MethodTable } from '../../src/jsonrpc/inbound-calls.ts';
import { Peer } from '../../src/jsonrpc/peer.ts';
import { Recorder, type TapRecord } from '../../src/tap/recorder.ts';
import { exchangesOf } from '../../src/tap/recording.ts';
import { replayClient, replayServer } from '../../src/tap/replay.ts';
import type { Direction, Tap } from '../../src/tap/tap.ts';

const frame = (direction: Direction, message: unknown): TapRecord => ({
  type: 'frame',
  time: '2026-01-01T00:00:00.000Z',
  direction,
  framing: 'line',
  bytes: 0,
  message,
});
const ask = (id: unknown, method: string, params?: unknown): TapRecord =>
  frame('client→server', { jsonrpc: '2.0', id, method, params });
const told = (id: unknown, result: unknown): TapRecord =>
  frame('server→client', { jsonrpc: '2.0', id, result });
const failed = (id: unknown, error: object): TapRecord =>
  frame('server→client', { jsonrpc: '2.0', id, error });
const note = (method: string, params?: unknown): TapRecord =>
  frame('server→client', { jsonrpc: '2.0', method, params });

function connect(methods: MethodTable, tap?: Tap): Peer {
  const up = new PassThrough();
  const down = new PassThrough();
  new Peer({ role: 'server', input: up, output: down, methods });
  return new Peer({ role: 'client', input: down, output: up, ...(tap && { tap }) });
}

describe('exchangesOf', () => {
  it('gives the requests of the client in order, each with its answer and notifications', () => {
    const records: TapRecord[] = [
      ask(1, 'a', { x: 1 }),
      note('log', { text: 'during a' }),
      ask('1', 'b'),
      told('1', 'B'),
      failed(1, { code: 5, message: 'no' }),
      note('log', { text: 'after' }),
      ask(2, 'open'),
      { type: 'stray', time: '', source: 'stdout', text: 'x' },
      { type: 'exit', time: '', exitCode: 0, signal: null },
    ];
    expect(exchangesOf(records)).toEqual([
      {
        method: 'a',
        params: { x: 1 },
        answer: { error: { code: 5, message: 'no' } },
        notifications: [{ method: 'log', params: { text: 'during a' } }],
      },
      { method: 'b', params: undefined, answer: { result: 'B' }, notifications: [] },
      { method: 'open', params: undefined, answer: undefined, notifications: [] },
    ]);
  });

  it('takes batches apart and passes over what is no message', () => {
    const records = [
      frame('client→server', [{ id: 1, method: 'a' }, { id: 2, method: 'b' }, null, 5, 'x']),
      frame('server→client', [
        { id: 2, result: 'B' },
        { id: 1, result: 'A' },
      ]),
      frame('server→client', null),
      frame('server→client', 'not JSON'),
    ];
    expect(exchangesOf(records)).toMatchObject([
      { method: 'a', answer: { result: 'A' } },
      { method: 'b', answer: { result: 'B' } },
    ]);
  });

  it('ignores calls of the server, their answers, and answers to nobody', () => {
    const records = [
      frame('server→client', { id: 1, method: 'sample' }),
      frame('client→server', { id: 1, result: 'text' }),
      frame('client→server', { method: 'notify' }),
      told(99, 'nobody'),
    ];
    expect(exchangesOf(records)).toEqual([]);
  });

  it('gives progress to the request with its token alone', () => {
    const records = [
      ask(1, 'a', { _meta: { progressToken: 1 } }),
      ask(2, 'b', { _meta: { progressToken: 2 } }),
      note('notifications/progress', { progressToken: 2, progress: 1 }),
      note('notifications/progress'),
      told(1, 'A'),
      told(2, 'B'),
    ];
    expect(exchangesOf(records).map(({ notifications }) => notifications.length)).toEqual([0, 1]);
  });
});

describe('replayServer', () => {
  it('answers as recorded, whatever the order of members and the progress token', async () => {
    const client = connect(
      replayServer([
        ask(1, 'get', { a: 1, b: { c: [1, 2], d: null }, _meta: { progressToken: 9 } }),
        told(1, { found: true }),
      ]),
    );
    expect(await client.request('get', { b: { d: null, c: [1, 2] }, a: 1 })).toEqual({
      found: true,
    });
    const options = { onProgress: () => undefined };
    const params = { a: 1, b: { c: [1, 2], d: null } };
    expect(await client.request('get', params, options)).toEqual({ found: true });
  });

  it('repeats in recorded order, then the last for ever', async () => {
    const records = [ask(1, 'n'), told(1, 'one'), ask(2, 'n'), told(2, 'two')];
    const client = connect(replayServer(records));
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await client.request('n'));
    expect(answers).toEqual(['one', 'two', 'two', 'two']);
  });

  it('gives recorded errors with code, message and data', async () => {
    const error = { code: -32003, message: 'not found', data: { id: 'x' } };
    const client = connect(replayServer([ask(1, 'get'), failed(1, error)]));
    await expect(client.request('get')).rejects.toMatchObject({
      rpcCode: -32003,
      message: 'not found',
      data: { id: 'x' },
    });
  });

  it('says what the recording lacks', async () => {
    const client = connect(replayServer([ask(1, 'get', { a: 1 }), told(1, 1), ask(2, 'open')]));
    await expect(client.request('nope')).rejects.toMatchObject({ rpcCode: -32601 });
    for (const [method, params] of [
      ['get', { a: 2 }],
      ['get', undefined],
      ['open', undefined],
    ] as const) {
      await expect(client.request(method, params)).rejects.toMatchObject({
        rpcCode: -32001,
        message: `the recording has no answer to \`${method}\` with these params`,
      });
    }
  });

  it('plays the notifications and the progress of an exchange before its answer', async () => {
    const client = connect(
      replayServer([
        ask(1, 'work', { _meta: { progressToken: 'old' } }),
        note('notifications/progress', { progressToken: 'old', progress: 1, total: 2 }),
        note('notifications/message', { data: 'half' }),
        told(1, 'done'),
      ]),
    );
    const seen: unknown[] = [];
    client.on('notification', (method, params) => seen.push([method, params]));
    const onProgress = (progress: Progress): void => void seen.push(progress);
    seen.push(await client.request('work', {}, { onProgress }));
    expect(seen).toEqual([
      { progress: 1, total: 2 },
      ['notifications/message', { data: 'half' }],
      'done',
    ]);
  });

  it('finds an exchange whose secrets the recording masks', async () => {
    const recorder = new Recorder();
    const set: Handler = (params) => ({ ok: params !== undefined });
    const live = connect(new Dispatcher({ set }), recorder);
    const params = { apiKey: 'hunter2', header: 'Bearer abcdefghijk' };
    const answer = await live.request('set', params);
    expect(JSON.stringify(recorder.records)).not.toContain('hunter2');
    const replayed = connect(replayServer(recorder.records));
    expect(await replayed.request('set', params)).toEqual(answer);
  });
});

describe('replayClient', () => {
  const methods: Record<string, Handler> = {
    same: (params) => params,
    fails: () => {
      throw new RpcError(5, 'no', { why: 'x' });
    },
    plain: () => {
      throw new RpcError(6, 'plain');
    },
    secret: () => ({ token: 'tok-live', text: 'fine' }),
  };

  it('finds no difference in a server that answers as recorded', async () => {
    const recorder = new Recorder();
    const live = connect(new Dispatcher(methods), recorder);
    await live.request('same', { a: 1 });
    for (const method of ['fails', 'plain', 'secret']) {
      await live.request(method).catch(() => undefined);
    }
    expect(exchangesOf(recorder.records)).toHaveLength(4);
    expect(await replayClient(recorder.records, connect(new Dispatcher(methods)))).toEqual([]);
  });

  it('returns what differs, in order: results, errors, and one for the other', async () => {
    const records = [
      ask(1, 'same', { a: 1 }),
      told(1, { a: 2 }),
      ask(2, 'fails'),
      failed(2, { code: 5, message: 'yes' }),
      ask(3, 'plain'),
      told(3, 'was fine'),
      ask(4, 'same', { a: 4 }),
      told(4, { a: 4 }),
      ask(5, 'never answered'),
    ];
    expect(await replayClient(records, connect(new Dispatcher(methods)))).toEqual([
      {
        method: 'same',
        params: { a: 1 },
        expected: { result: { a: 2 } },
        actual: { result: { a: 1 } },
      },
      {
        method: 'fails',
        params: undefined,
        expected: { error: { code: 5, message: 'yes' } },
        actual: { error: { code: 5, message: 'no', data: { why: 'x' } } },
      },
      {
        method: 'plain',
        params: undefined,
        expected: { result: 'was fine' },
        actual: { error: { code: 6, message: 'plain' } },
      },
    ]);
  });

  it('sends one request after the other, with the given options', async () => {
    const calls: string[] = [];
    const request = vi.fn(async (method: string) => {
      calls.push(`${method} begins`);
      await turn();
      calls.push(`${method} ends`);
      return 1;
    });
    const records = [ask(1, 'a'), told(1, 1), ask(2, 'b'), told(2, 1)];
    const options = { timeoutMs: 5 };
    expect(await replayClient(records, { request }, options)).toEqual([]);
    expect(calls).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(request).toHaveBeenCalledWith('a', undefined, options);
  });

  it('rejects when the connection fails, which is no answer', async () => {
    const broken = new WireError('IO', 'gone');
    const request = (): Promise<unknown> => Promise.reject(broken);
    await expect(replayClient([ask(1, 'a'), told(1, 1)], { request })).rejects.toBe(broken);
  });
});
