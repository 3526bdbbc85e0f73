import { describe, expect, it, vi } from 'vitest';
import { WireError } from '../../src/errors.ts';
import { BatchReply } from '../../src/jsonrpc/batch-reply.ts';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import { FRAMINGS, gate, Line, serveBytes, serveTexts } from '../support/lines.ts';

const sum = (params: unknown): number =>
  (params as number[]).reduce((total, value) => total + value, 0);
const subtract = (params: unknown): number => {
  const [a = 0, b = 0] = params as number[];
  return a - b;
};
const methods = { sum, subtract, get_data: () => ['hello', 5], ping: () => 'pong' };
const request = (id: unknown, method = 'ping') => ({ jsonrpc: '2.0', id, method });
const invalid = { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32600 }) };

describe.each(FRAMINGS)('batches at the server end, %s framing', (framing) => {
  const serve = (...texts: string[]) => serveTexts(methods, texts, framing);

  it('row 27: answers a mixed batch as one array, in the order of its requests', async () => {
    const batch = `[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]`.replaceAll('\n', ' ');
    expect(await serve(batch)).toEqual([
      [
        { jsonrpc: '2.0', id: '1', result: 7 },
        { jsonrpc: '2.0', id: '2', result: 19 },
        invalid,
        { jsonrpc: '2.0', id: '5', error: expect.objectContaining({ code: -32601 }) },
        { jsonrpc: '2.0', id: '9', result: ['hello', 5] },
      ],
    ]);
  });

  it('row 27: runs the requests of a batch at the same time', async () => {
    const first = gate<string>();
    const line = new Line(
      {
        role: 'server',
        methods: new Dispatcher({
          wait: () => first.promise,
          open: () => first.open('opened by the second'),
        }),
      },
      framing,
    );
    line.say([request(1, 'wait'), request(2, 'open')]);
    expect(await line.hear()).toMatchObject([
      { id: 1, result: 'opened by the second' },
      { id: 2, result: null },
    ]);
  });

  it('row 28: answers an empty batch with one -32600', async () => {
    expect(await serve('[]')).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: 'Invalid Request',
          data: { reason: 'a batch must not be empty' },
        },
      },
    ]);
  });

  it.each([
    ['[1]', 1],
    ['[1,2,3]', 3],
    ['[null]', 1],
    ['[[],["x"]]', 2],
  ])('row 29: answers %s with an array of %i times -32600', async (batch, count) => {
    expect(await serve(batch)).toEqual([Array(count).fill(invalid)]);
  });

  it('row 30: answers `[{"foo":"boo"}]` with an array', async () => {
    expect(await serve('[{"foo":"boo"}]')).toEqual([[invalid]]);
  });

  it('row 30: answers an unterminated batch with one -32700', async () => {
    const batch =
      '[{"jsonrpc":"2.0","method":"sum","params":[1],"id":"1"},{"jsonrpc":"2.0","method"]';
    expect(await serve(batch)).toEqual([
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32700 }) },
    ]);
  });

  it('row 31: writes nothing for a batch of notifications', async () => {
    const note = { jsonrpc: '2.0', method: 'ping' };
    const text = JSON.stringify([note, { ...note, method: 'unknown' }]);
    const frame =
      framing === 'line' ? `${text}\n` : `Content-Length: ${text.length}\r\n\r\n${text}`;
    const ping = vi.fn();
    expect(await serveBytes({ ping }, [frame])).toHaveLength(0);
    expect(ping).toHaveBeenCalledOnce();
  });

  it('row 32: refuses a batch of 100,000 elements without running any of them', async () => {
    const ping = vi.fn();
    const batch = JSON.stringify(Array(100_000).fill(request(1)));
    const answers = await serveTexts({ ping, after: () => 'alive' }, [
      batch,
      JSON.stringify(request(2, 'after')),
    ]);
    expect(answers).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: 'Invalid Request',
          data: { reason: 'a batch has at most 10000 elements' },
        },
      },
      { jsonrpc: '2.0', id: 2, result: 'alive' },
    ]);
    expect(ping).not.toHaveBeenCalled();
  });

  it('row 32: answers a batch of 10,000 elements as one array', async () => {
    const batch = JSON.stringify(Array.from({ length: 10_000 }, (_, id) => request(id)));
    const answers = await serve(batch);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toHaveLength(10_000);
  });

  it('row 33: waits for the slow element, and serves others meanwhile', async () => {
    const slow = gate<string>();
    const line = new Line(
      { role: 'server', methods: new Dispatcher({ ...methods, slow: () => slow.promise }) },
      framing,
    );
    line.say([request(1), request(2, 'slow')], request(3));
    expect(await line.hear()).toMatchObject({ id: 3, result: 'pong' });
    slow.open('at last');
    expect(await line.hear()).toMatchObject([{ id: 1 }, { id: 2, result: 'at last' }]);
  });

  it('keeps the digits of large ids in a batch', async () => {
    const batch =
      '[{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"},1,{"jsonrpc":"2.0","id":1e400,"method":"ping"}]';
    const frame =
      framing === 'line' ? `${batch}\n` : `Content-Length: ${batch.length}\r\n\r\n${batch}`;
    const written = (await serveBytes(methods, [frame])).toString();
    expect(written).toContain('{"jsonrpc":"2.0","id":9007199254740993,"result":"pong"}');
    expect(written).toContain('{"jsonrpc":"2.0","id":1e400,"result":"pong"}');
  });

  it('leaves a cancelled element out and answers the rest', async () => {
    const line = new Line(
      {
        role: 'server',
        methods: new Dispatcher({ ...methods, wait: () => new Promise(() => undefined) }),
      },
      framing,
    );
    line.say([request(1, 'wait'), request(2)]);
    line.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await line.hear()).toEqual([{ jsonrpc: '2.0', id: 2, result: 'pong' }]);
  });

  it('heeds a cancellation inside a batch, also of a request before it in the same batch', async () => {
    const line = new Line(
      {
        role: 'server',
        methods: new Dispatcher({ ...methods, wait: () => new Promise(() => undefined) }),
      },
      framing,
    );
    const cancel = { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 'w' } };
    line.say([request('w', 'wait'), cancel, request(2)]);
    expect(await line.hear()).toEqual([{ jsonrpc: '2.0', id: 2, result: 'pong' }]);
    expect(line.notifications).toEqual([]);
  });

  it('takes answers and calls mixed in one array', async () => {
    const line = new Line({ role: 'server', methods: new Dispatcher(methods) }, framing);
    const asked = line.peer.request('ask');
    const { id } = await line.hear();
    line.say([{ jsonrpc: '2.0', id, result: 'told' }, request('x')]);
    expect(await asked).toBe('told');
    expect(await line.hear()).toEqual([{ jsonrpc: '2.0', id: 'x', result: 'pong' }]);
  });
});

describe.each(FRAMINGS)('batches at the client end, %s framing', (framing) => {
  const calls = [{ method: 'a' }, { method: 'b', params: { x: 1 } }, { method: 'c' }];
  const ask = async (): Promise<{
    line: Line;
    ids: unknown[];
    answers: Promise<PromiseSettledResult<unknown>[]>;
  }> => {
    const line = new Line({}, framing);
    const answers = line.peer.requestMany(calls);
    const sent = (await line.hear()) as unknown as { id: number; method: string }[];
    expect(sent.map(({ method }) => method)).toEqual(['a', 'b', 'c']);
    return { line, ids: sent.map(({ id }) => id), answers };
  };
  const ok = (id: unknown, result: unknown = id) => ({ jsonrpc: '2.0', id, result });

  it('row 34: settles each call whatever the order of the answers', async () => {
    const { line, ids, answers } = await ask();
    const [a, b, c] = ids;
    line.say([
      ok(c, 'C'),
      { jsonrpc: '2.0', id: a, error: { code: 5, message: 'no' } },
      ok(b, 'B'),
    ]);
    expect(await answers).toMatchObject([
      { status: 'rejected', reason: { rpcCode: 5 } },
      { status: 'fulfilled', value: 'B' },
      { status: 'fulfilled', value: 'C' },
    ]);
    expect(line.peer.pending).toBe(0);
  });

  it('row 34: rejects the calls that are missing when the array arrives, and no others', async () => {
    const { line, ids, answers } = await ask();
    const other = line.peer.request('other');
    const { id: otherId } = await line.hear();
    line.say([ok(ids[1])]);
    expect(await answers).toMatchObject([
      {
        status: 'rejected',
        reason: { code: 'PARSE', message: 'the answer to `a` is missing from its batch' },
      },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'PARSE' } },
    ]);
    line.say(ok(otherId, 'fine'));
    expect(await other).toBe('fine');
  });

  it('row 34: takes answers that come one by one', async () => {
    const { line, ids, answers } = await ask();
    for (const id of ids) line.say(ok(id));
    expect((await answers).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
  });

  it('row 34: rejects all with an error object that came instead of an array', async () => {
    const { line, answers } = await ask();
    line.say({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches here' } });
    for (const answer of await answers) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'no batches here' } });
    }
  });

  it('gives an anonymous error to nobody while a request beside the batch is under way', async () => {
    const { line, ids, answers } = await ask();
    const other = line.peer.request('other');
    const { id } = await line.hear();
    line.say({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'whose?' } });
    line.say(
      ids.map((it) => ok(it)),
      ok(id, 'mine'),
    );
    expect((await answers).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await other).toBe('mine');
  });

  it('answers a batch of requests from the server', async () => {
    const line = new Line({ methods: new Dispatcher(methods) }, framing);
    line.say([request('s1'), request('s2', 'nope')]);
    expect(await line.hear()).toMatchObject([
      { id: 's1', result: 'pong' },
      { id: 's2', error: { code: -32601 } },
    ]);
  });

  it('takes progress inside an array', async () => {
    const line = new Line({}, framing);
    const seen: unknown[] = [];
    const asked = line.peer.request('x', {}, { onProgress: (progress) => seen.push(progress) });
    const { id } = await line.hear();
    const note = { jsonrpc: '2.0', method: 'notifications/progress' };
    line.say([{ ...note, params: { progressToken: id, progress: 1 } }], ok(id, 'end'));
    expect(await asked).toBe('end');
    expect(seen).toEqual([{ progress: 1 }]);
  });

  it.each([
    '[]',
    '[1,2,3]',
    '[{"level":"info","method":"GET"}]',
    '[{"jsonrpc":"2.0","method":"ping","id":1},{"level":"info"}]',
  ])('never answers junk in an array: %s', async (junk) => {
    const line = new Line({ methods: new Dispatcher(methods) }, framing);
    line.say(junk);
    expect(await line.rest()).toEqual([]);
    expect(line.strays).toEqual([junk]);
  });
});

describe('requestMany', () => {
  it('resolves at once, writing nothing, for no calls', async () => {
    const line = new Line();
    expect(await line.peer.requestMany([])).toEqual([]);
    expect(await line.rest()).toEqual([]);
  });

  it('sends what can be sent and rejects what cannot', async () => {
    const line = new Line();
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const answers = line.peer.requestMany([{ method: 'bad', params: cycle }, { method: 'good' }]);
    const [sent] = (await line.hear()) as unknown as { id: number }[];
    line.say([{ jsonrpc: '2.0', id: sent?.id, result: 1 }]);
    expect(await answers).toMatchObject([
      { status: 'rejected', reason: { code: 'SERIALIZE' } },
      { status: 'fulfilled', value: 1 },
    ]);
    const none = await line.peer.requestMany([{ method: 'bad', params: cycle }]);
    expect(none).toMatchObject([{ status: 'rejected', reason: { code: 'SERIALIZE' } }]);
    expect(await line.rest()).toEqual([]);
  });

  it('rejects all of them after a stop', async () => {
    const line = new Line();
    const before = line.peer.requestMany([{ method: 'a' }]);
    line.peer.stop(new WireError('SHUTDOWN', 'over'));
    const after = line.peer.requestMany([{ method: 'b' }]);
    for (const answers of [await before, await after]) {
      expect(answers).toMatchObject([{ status: 'rejected', reason: { code: 'SHUTDOWN' } }]);
    }
  });
});

describe('BatchReply', () => {
  it('sends once, when the last place is taken, and leaves empty places out', () => {
    const send = vi.fn();
    const batch = new BatchReply(3, send);
    batch.slot(2)('3');
    batch.slot(1)(undefined);
    expect(send).not.toHaveBeenCalled();
    batch.slot(0)('1');
    expect(send).toHaveBeenCalledExactlyOnceWith('[1,3]');
  });

  it('sends nothing when no place has an answer', () => {
    const send = vi.fn();
    const batch = new BatchReply(1, send);
    batch.slot(0)(undefined);
    expect(send).not.toHaveBeenCalled();
  });
});
