import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimeoutError, WireError } from '../../src/errors.ts';
import { lspDialect, mcpDialect } from '../../src/jsonrpc/dialect.ts';
import { OutboundCalls, type OutboundOptions } from '../../src/jsonrpc/outbound-calls.ts';
import type { Heard } from '../support/lines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Bench {
  readonly calls: OutboundCalls;
  readonly sent: Heard[];
  readonly late: unknown[];
  /** Ids that came back as strings. */
  readonly strings: string[];
  readonly anonymous: string[];
}

function bench(options: Partial<OutboundOptions> = {}): Bench {
  const sent: Heard[] = [];
  const late: unknown[] = [];
  const strings: string[] = [];
  const anonymous: string[] = [];
  const calls = new OutboundCalls({
    dialect: mcpDialect,
    defaultTimeoutMs: 30_000,
    isLockStep: false,
    post: (text) => {
      sent.push(JSON.parse(text));
      return undefined;
    },
    posted: () => sent.length,
    describeSilence: () => '',
    onLate: (id) => late.push(id),
    onStringId: (id) => strings.push(id),
    onAnonymousError: ({ message }) => anonymous.push(message),
    ...options,
  });
  return { calls, sent, late, strings, anonymous };
}

const failureOf = (promise: Promise<unknown>): Promise<WireError> =>
  promise.then(
    () => {
      throw new Error('expected a rejection');
    },
    (error) => error,
  );

describe('requests', () => {
  it('number themselves, carry params as they are, and resolve by id in any order', async () => {
    const { calls, sent } = bench();
    const answers = [calls.request('a'), calls.request('b', { x: 1 }), calls.request('c', [1, 2])];
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a' },
      { jsonrpc: '2.0', id: 2, method: 'b', params: { x: 1 } },
      { jsonrpc: '2.0', id: 3, method: 'c', params: [1, 2] },
    ]);
    for (const id of [3, 1, 2]) calls.accept({ id, result: `r${id}` });
    expect(await Promise.all(answers)).toEqual(['r1', 'r2', 'r3']);
    expect(calls.pending).toBe(0);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  it('row 83: never uses an id again while it is pending, in 100,000 requests', async () => {
    const ids = new Set<string>();
    const post = (text: string): undefined => {
      ids.add(text.slice(0, text.indexOf(',"method"')));
    };
    const { calls } = bench({ post });
    const options = { notifyCancel: false };
    const answers = Array.from({ length: 100_000 }, () => calls.request('x', undefined, options));
    expect(ids.size).toBe(100_000);
    expect(vi.getTimerCount()).toBe(1);
    const settled = Promise.allSettled(answers);
    vi.advanceTimersByTime(31_000);
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
    expect(calls.pending).toBe(0);
  }, 30_000);

  it('reject with SERIALIZE what is no JSON, and leave nothing pending', async () => {
    const { calls, sent } = bench();
    const error = await failureOf(calls.request('a', { n: 1n }));
    expect(error).toMatchObject({ code: 'SERIALIZE', cause: expect.any(TypeError) });
    expect(calls.pending).toBe(0);
    expect(sent).toEqual([]);
  });

  it('reject with the reason why nothing can be written', async () => {
    const broken = new WireError('IO', 'could not write: EPIPE');
    const { calls } = bench({ post: () => broken });
    expect(await failureOf(calls.request('a'))).toBe(broken);
    expect(await calls.requestMany([{ method: 'a' }])).toMatchObject([{ reason: broken }]);
    expect(calls.pending).toBe(0);
  });

  it('reject what is unsent and keep what was sent when the line breaks', async () => {
    const { calls, sent } = bench();
    const first = calls.request('first');
    const second = calls.requestMany([{ method: 'second' }]);
    const broken = new WireError('IO', 'broken');
    calls.failUnsent(sent.length - 1, broken);
    expect(await second).toMatchObject([{ reason: broken }]);
    calls.accept({ id: 1, result: 'came' });
    expect(await first).toBe('came');
  });

  it('end all at once, and refuse later ones with the first reason', async () => {
    const { calls, sent } = bench();
    const pending = failureOf(calls.request('a'));
    const over = new WireError('SHUTDOWN', 'over');
    calls.failAll(over);
    calls.failAll(new WireError('IO', 'second reason'));
    expect(await pending).toBe(over);
    expect(await failureOf(calls.request('b'))).toBe(over);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('time', () => {
  it('row 81: rejects with TIMEOUT, names method, time and clock, and tells the other end', async () => {
    const { calls, sent } = bench({ describeSilence: () => ': nothing so far' });
    const failed = failureOf(calls.request('slow', {}, { timeoutMs: 1000 }));
    vi.advanceTimersByTime(999);
    expect(calls.pending).toBe(1);
    vi.advanceTimersByTime(20);
    const error = await failed;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: 'TIMEOUT',
      message: '`slow` got no answer within 1000 ms (idle time): nothing so far',
      timeoutMs: 1000,
      clock: 'idle',
    });
    expect(sent[1]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'timed out' },
    });
  });

  it('uses the default time of the connection', async () => {
    const { calls } = bench({ defaultTimeoutMs: 50 });
    const failed = failureOf(calls.request('slow'));
    vi.advanceTimersByTime(70);
    expect(await failed).toMatchObject({ code: 'TIMEOUT', timeoutMs: 50 });
  });

  it.each([0, Number.POSITIVE_INFINITY])('row 81: waits for ever with timeoutMs %d', async (ms) => {
    const { calls } = bench();
    const answer = calls.request('slow', {}, { timeoutMs: ms, maxTotalMs: ms });
    vi.advanceTimersByTime(2 ** 32);
    calls.accept({ id: 1, result: 'at last' });
    expect(await answer).toBe('at last');
  });

  it.each([
    [{ timeoutMs: Number.NaN }, '`timeoutMs`', 'NaN'],
    [{ timeoutMs: -1 }, '`timeoutMs`', '-1'],
    [{ timeoutMs: 1.5 }, '`timeoutMs`', '1.5'],
    [{ maxTotalMs: Number.NaN }, '`maxTotalMs`', 'NaN'],
    [{ timeoutMs: '5' as unknown as number }, '`timeoutMs`', '5'],
  ])('row 81: refuses %j with an exact message', async (options, name, got) => {
    const { calls, sent } = bench();
    expect(await failureOf(calls.request('x', {}, options))).toMatchObject({
      code: 'BAD_OPTION',
      message: `expected ${name} to be an integer of at least 0 or Infinity, got \`${got}\``,
    });
    expect(sent).toEqual([]);
    expect(calls.pending).toBe(0);
  });

  it('row 82: restarts the idle clock with each progress and stops at the total', async () => {
    const { calls, sent } = bench();
    const onProgress = vi.fn();
    const options = { timeoutMs: 60_000, maxTotalMs: 300_000, onProgress };
    const failed = failureOf(calls.request('long', {}, options));
    for (let second = 1; second <= 299; second++) {
      vi.advanceTimersByTime(1000);
      expect(calls.progress(1, { progress: second })).toBe(true);
    }
    expect(calls.pending).toBe(1);
    vi.advanceTimersByTime(1020);
    expect(await failed).toMatchObject({
      code: 'TIMEOUT',
      clock: 'total',
      timeoutMs: 300_000,
      message: '`long` got no answer within 300000 ms (total time)',
    });
    expect(onProgress).toHaveBeenCalledTimes(299);
    expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  it('does not restart the clock with `resetOnProgress: false`', async () => {
    const { calls } = bench();
    const options = { timeoutMs: 100, resetOnProgress: false, onProgress: () => undefined };
    const failed = failureOf(calls.request('x', {}, options));
    vi.advanceTimersByTime(90);
    calls.progress(1, { progress: 1 });
    vi.advanceTimersByTime(30);
    expect(await failed).toMatchObject({ clock: 'idle' });
  });

  it('tells nobody with `notifyCancel: false`, nor when `initialize` times out', async () => {
    const { calls, sent } = bench();
    const failed = [
      failureOf(calls.request('x', {}, { timeoutMs: 10, notifyCancel: false })),
      failureOf(calls.request('initialize', {}, { timeoutMs: 10 })),
    ];
    vi.advanceTimersByTime(50);
    for (const failure of failed) expect(await failure).toMatchObject({ code: 'TIMEOUT' });
    expect(sent.map(({ method }) => method)).toEqual(['x', 'initialize']);
  });

  it('clears both clocks with the answer', async () => {
    const { calls, sent } = bench();
    const answer = calls.request('x', {}, { timeoutMs: 100, maxTotalMs: 200 });
    calls.accept({ id: 1, result: 'in time' });
    expect(await answer).toBe('in time');
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(1);
  });
});

describe('progress', () => {
  it.each([
    [{ onProgress: () => undefined }, { a: 1, _meta: { progressToken: 1 } }],
    [{ resetOnProgress: true }, { a: 1, _meta: { progressToken: 1 } }],
    [{ resetOnProgress: false }, { a: 1 }],
    [{}, { a: 1 }],
  ])('asks for it with %j', (options, params) => {
    const { calls, sent } = bench();
    void calls.request('x', { a: 1 }, options).catch(() => undefined);
    expect(sent[0]?.params).toEqual(params);
    calls.failAll(new WireError('SHUTDOWN', 'over'));
  });

  it('keeps what `_meta` holds already, and makes params where there are none', () => {
    const { calls, sent } = bench();
    const options = { onProgress: () => undefined };
    for (const params of [{ _meta: { trace: 't' } }, undefined, { _meta: 'odd' }]) {
      void calls.request('x', params, options).catch(() => undefined);
    }
    expect(sent.map(({ params }) => params)).toEqual([
      { _meta: { trace: 't', progressToken: 1 } },
      { _meta: { progressToken: 2 } },
      { _meta: { progressToken: 3 } },
    ]);
    calls.failAll(new WireError('SHUTDOWN', 'over'));
  });

  it('uses the spelling of the dialect', () => {
    const { calls, sent } = bench({ dialect: lspDialect });
    const controller = new AbortController();
    const { signal } = controller;
    void calls.request('x', {}, { onProgress: () => undefined, signal }).catch(() => undefined);
    controller.abort();
    expect(sent).toMatchObject([
      { params: { workDoneToken: 1 } },
      { method: '$/cancelRequest', params: { id: 1 } },
    ]);
  });

  it('refuses params by position, where a token has no place', async () => {
    const { calls } = bench();
    const failed = failureOf(calls.request('x', [1], { onProgress: () => undefined }));
    expect(await failed).toMatchObject({
      code: 'BAD_OPTION',
      message: 'progress needs `params` by name: a token has no place in an array',
    });
  });

  it('row 78: knows no string tokens, unknown tokens and tokens of answered requests', async () => {
    const { calls } = bench();
    const onProgress = vi.fn();
    const answer = calls.request('x', {}, { onProgress });
    expect(calls.progress('1', { progress: 1 })).toBe(false);
    expect(calls.progress(0, { progress: 1 })).toBe(false);
    expect(calls.progress(undefined, { progress: 1 })).toBe(false);
    calls.accept({ id: 1, result: 0 });
    await answer;
    expect(calls.progress(1, { progress: 1 })).toBe(false);
    expect(onProgress).not.toHaveBeenCalled();
  });

  it('is quietly taken for a request that only wants its clock restarted', () => {
    const { calls } = bench();
    void calls.request('x', {}, { resetOnProgress: true }).catch(() => undefined);
    expect(calls.progress(1, { progress: 1 })).toBe(true);
    calls.failAll(new WireError('SHUTDOWN', 'over'));
  });

  it('is not taken for a request that sent no token, whose number another token may be', () => {
    const { calls } = bench();
    void calls.request('x', { _meta: { progressToken: 7 } }).catch(() => undefined);
    expect(calls.progress(1, { progress: 1 })).toBe(false);
    expect(calls.progress(7, { progress: 1 })).toBe(false);
    calls.failAll(new WireError('SHUTDOWN', 'over'));
  });
});

describe('abort', () => {
  it('row 80: before sending rejects with CANCELLED and sends nothing', async () => {
    const { calls, sent } = bench();
    const reason = new Error('never mind');
    const error = await failureOf(calls.request('x', {}, { signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({ code: 'CANCELLED', message: 'the request was cancelled' });
    expect(error.cause).toBe(reason);
    expect(sent).toEqual([]);
  });

  it('row 80: while waiting rejects and sends the cancellation behind the request', async () => {
    const { calls, sent } = bench();
    const controller = new AbortController();
    const failed = failureOf(calls.request('x', {}, { signal: controller.signal }));
    controller.abort();
    expect(await failed).toMatchObject({ code: 'CANCELLED' });
    expect(sent).toMatchObject([
      { id: 1, method: 'x' },
      {
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'cancelled by the caller' },
      },
    ]);
    expect(calls.pending).toBe(0);
  });

  it('row 80: after the answer does nothing and holds no listener', async () => {
    const { calls, sent } = bench();
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    const answer = calls.request('x', {}, { signal: controller.signal });
    calls.accept({ id: 1, result: 'done' });
    expect(await answer).toBe('done');
    controller.abort();
    expect(sent).toHaveLength(1);
    expect(remove).toHaveBeenCalledOnce();
  });

  it('by one signal ends every call of a batch', async () => {
    const { calls, sent } = bench();
    const controller = new AbortController();
    const { signal } = controller;
    const answers = calls.requestMany([{ method: 'a' }, { method: 'b' }], { signal });
    controller.abort();
    expect(await answers).toMatchObject([
      { reason: { code: 'CANCELLED' } },
      { reason: { code: 'CANCELLED' } },
    ]);
    expect(sent).toHaveLength(3);
  });

  it('shares one signal among hundreds of requests without a warning', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const { calls } = bench();
    const controller = new AbortController();
    const { signal } = controller;
    const failed = Array.from({ length: 300 }, () => failureOf(calls.request('x', {}, { signal })));
    controller.abort();
    await Promise.all(failed);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });
});

describe('answers', () => {
  it.each<[string, unknown]>([
    ['unknown', 99],
    ['a string', 'x'],
    ['another spelling of a number', '01'],
    ['a string of a number with more digits than an id', '1'.padStart(10_000, '0')],
    ['null without an error', null],
    ['missing', undefined],
  ])('row 15: reports an answer whose id is %s as late', (_what, id) => {
    const { calls, late } = bench();
    void calls.request('x').catch(() => undefined);
    calls.accept({ id, result: 1 });
    expect(late).toEqual([id]);
    expect(calls.pending).toBe(1);
    calls.failAll(new WireError('SHUTDOWN', 'over'));
  });

  it('takes an answer whose id is the string of a pending number, and reports it', async () => {
    const { calls, late, strings } = bench();
    const answer = calls.request('x');
    calls.accept({ id: '1', result: 'taken' });
    expect(await answer).toBe('taken');
    calls.accept({ id: 1, result: 'again' });
    expect([strings, late]).toEqual([['1'], [1]]);
  });

  it('takes no string for a number in lock-step', async () => {
    const { calls, strings } = bench({ isLockStep: true });
    const failure = failureOf(calls.request('x'));
    await vi.advanceTimersByTimeAsync(0);
    calls.accept({ id: '1', result: 'taken' });
    expect(await failure).toMatchObject({
      code: 'ID_MISMATCH',
      message: 'expected an answer with id `1`, got id `"1"`',
    });
    expect(strings).toEqual([]);
  });

  it('shows an id that is nested too deep for JSON', async () => {
    const { calls } = bench({ isLockStep: true });
    const failure = failureOf(calls.request('x'));
    await vi.advanceTimersByTimeAsync(0);
    const id: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    calls.accept({ id, result: 1 });
    expect(await failure).toMatchObject({
      message: 'expected an answer with id `1`, got id `[…]`',
    });
  });

  it('row 19: an error without an id rejects nothing while a request may still be answered', async () => {
    const { calls, anonymous } = bench();
    const answer = calls.request('x');
    calls.accept({ id: null, error: { code: -32700, message: 'Parse error' } });
    expect([calls.pending, anonymous]).toEqual([1, ['Parse error']]);
    calls.accept({ id: 1, result: 'fine' });
    expect(await answer).toBe('fine');
  });

  it('row 19: names an error without an id when the request then times out, and only then', async () => {
    const { calls } = bench();
    const first = failureOf(calls.request('x', {}, { timeoutMs: 100 }));
    calls.accept({ id: null, error: { code: -32700, message: 'Parse error' } });
    await vi.advanceTimersByTimeAsync(200);
    expect(await first).toMatchObject({
      code: 'TIMEOUT',
      message:
        '`x` got no answer within 100 ms (idle time); the other end sent an error without an id: -32700 Parse error',
    });
    const second = failureOf(calls.request('x', {}, { timeoutMs: 100 }));
    await vi.advanceTimersByTimeAsync(200);
    expect((await second).message).toBe('`x` got no answer within 100 ms (idle time)');
  });

  it('row 19: an error without an id rejects the request of lock-step', async () => {
    const { calls } = bench({ isLockStep: true });
    const failure = failureOf(calls.request('x'));
    await vi.advanceTimersByTimeAsync(0);
    calls.accept({ id: null, error: { code: -32700, message: 'Parse error' } });
    expect(await failure).toMatchObject({ code: 'REMOTE', rpcCode: -32700 });
  });

  it('row 19: reports an anonymous error as late when nothing is under way', () => {
    const { calls, late } = bench();
    calls.accept({ id: null, error: { code: -32700, message: 'Parse error' } });
    expect(late).toEqual([null]);
  });

  it('rejects the request whose answer was too large: by id, or the only one', async () => {
    const { calls } = bench();
    const large = new WireError('TOO_LARGE', 'too large');
    const [a, b, c] = ['a', 'b', 'c'].map((method) => failureOf(calls.request(method)));
    expect(calls.tooLarge(2, large)).toBe(true);
    expect(await b).toBe(large);
    expect(calls.tooLarge(2, large)).toBe(false);
    expect(calls.tooLarge(undefined, large)).toBe(false);
    calls.failAll(new WireError('SHUTDOWN', 'over'));
    await Promise.all([a, c]);
    const only = bench();
    const failed = failureOf(only.calls.request('x'));
    expect(only.calls.tooLarge(undefined, large)).toBe(true);
    expect(await failed).toBe(large);
  });
});

describe('lock-step', () => {
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };

  it('sends one request at a time, in order, also after a failure', async () => {
    const { calls, sent } = bench({ isLockStep: true });
    const first = failureOf(calls.request('first'));
    const second = calls.request('second');
    await settle();
    expect(sent.map(({ method }) => method)).toEqual(['first']);
    calls.accept({ id: 1, error: { code: 1, message: 'no' } });
    expect(await first).toMatchObject({ code: 'REMOTE' });
    await settle();
    expect(sent.map(({ method }) => method)).toEqual(['first', 'second']);
    calls.accept({ id: 2, result: 'yes' });
    expect(await second).toBe('yes');
  });

  it.each<[unknown, string]>([
    [7, '7'],
    ['1', '"1"'],
    [undefined, 'none'],
  ])('rejects with ID_MISMATCH on an answer with id %j', async (id, shown) => {
    const { calls, late } = bench({ isLockStep: true });
    const failed = failureOf(calls.request('x'));
    await settle();
    calls.accept({ id, result: 1 });
    expect(await failed).toMatchObject({
      code: 'ID_MISMATCH',
      message: `expected an answer with id \`1\`, got id \`${shown}\``,
    });
    expect(late).toEqual([]);
  });

  it('reports an answer as late when nothing is under way', () => {
    const { calls, late } = bench({ isLockStep: true });
    calls.accept({ id: 1, result: 1 });
    expect(late).toEqual([1]);
  });

  it('lets a batch take its turn', async () => {
    const { calls, sent } = bench({ isLockStep: true });
    const first = calls.request('first');
    const many = calls.requestMany([{ method: 'a' }, { method: 'b' }]);
    await settle();
    expect(sent).toHaveLength(1);
    calls.accept({ id: 1, result: 1 });
    await first;
    await settle();
    expect(sent[1]).toMatchObject([{ id: 2 }, { id: 3 }]);
    calls.acceptBatch([
      { id: 2, result: 'A' },
      { id: 3, result: 'B' },
    ]);
    expect(await many).toMatchObject([{ value: 'A' }, { value: 'B' }]);
  });

  it('ends the wait for a turn by the signal, and never sends that request', async () => {
    const { calls, sent } = bench({ isLockStep: true });
    const first = calls.request('first');
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = failureOf(calls.request('waiting', {}, { signal }));
    controller.abort();
    expect(await waiting).toMatchObject({ code: 'CANCELLED' });
    const refused = failureOf(calls.request('refused', {}, { signal }));
    expect(await refused).toMatchObject({ code: 'CANCELLED' });
    calls.accept({ id: 1, result: 1 });
    await first;
    const third = calls.request('third', {}, { signal: new AbortController().signal });
    await settle();
    expect(sent.map(({ method }) => method)).toEqual(['first', 'third']);
    calls.accept({ id: 2, result: 3 });
    expect(await third).toBe(3);
  });

  it('rejects what waits for its turn when everything ends', async () => {
    const { calls } = bench({ isLockStep: true });
    const failed = [failureOf(calls.request('a')), failureOf(calls.request('b'))];
    await settle();
    calls.failAll(new WireError('SHUTDOWN', 'over'));
    for (const failure of failed) expect(await failure).toMatchObject({ code: 'SHUTDOWN' });
  });
});
