import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { WireError } from '../../src/errors.ts';
import type { CallContext, Handler } from '../../src/jsonrpc/call.ts';
import { lspDialect } from '../../src/jsonrpc/dialect.ts';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import { Peer } from '../../src/jsonrpc/peer.ts';
import { FRAMINGS, gate, Line, serveTexts } from '../support/lines.ts';

const request = (id: unknown, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
const progressNote = (progressToken: unknown, progress: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress },
});

/** A server whose `wait` waits until it is aborted, or for ever. */
function waitingServer(
  framing: 'line' | 'header',
  options: object = {},
): { line: Line; started: unknown[]; aborted: unknown[] } {
  const started: unknown[] = [];
  const aborted: unknown[] = [];
  const wait: Handler = (_params, { id, signal }) => {
    started.push(id);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted.push([id, (signal.reason as WireError).code]);
        reject(signal.reason);
      });
    });
  };
  const methods = new Dispatcher({ wait, initialize: wait, ping: () => 'pong' });
  return { line: new Line({ role: 'server', methods, ...options }, framing), started, aborted };
}

describe.each(FRAMINGS)('progress, %s framing', (framing) => {
  it('row 77: calls back before the promise resolves, in the order of arrival', async () => {
    const line = new Line({}, framing);
    const order: unknown[] = [];
    const answer = line.peer
      .request('x', {}, { onProgress: ({ progress }) => order.push(progress) })
      .then((result) => order.push(result));
    const { id } = await line.hear();
    line.say(progressNote(id, 1), progressNote(id, 2), { jsonrpc: '2.0', id, result: 'done' });
    await answer;
    expect(order).toEqual([1, 2, 'done']);
  });

  it('row 77: leaves the server in front of its answer', async () => {
    const methods = new Dispatcher({
      work: (_params, context: CallContext) => {
        context.progress({ progress: 1, total: 2, message: 'half' });
        return 'done';
      },
    });
    const line = new Line({ role: 'server', methods }, framing);
    line.say(request(1, 'work', { _meta: { progressToken: 'tok' } }));
    expect(await line.hear()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'tok', progress: 1, total: 2, message: 'half' },
    });
    expect(await line.hear()).toMatchObject({ id: 1, result: 'done' });
  });

  it('row 78: hands on progress that belongs to no request as an ordinary notification', async () => {
    const line = new Line({}, framing);
    const onProgress = vi.fn();
    const answer = line.peer.request('x', {}, { onProgress });
    const { id } = await line.hear();
    line.say({ jsonrpc: '2.0', id, result: 1 }, progressNote(id, 1), progressNote('str', 1));
    line.say(progressNote(4711, 1), { jsonrpc: '2.0', method: '$/progress', params: { token: 9 } });
    await answer;
    await line.settled();
    expect(onProgress).not.toHaveBeenCalled();
    expect(line.peer.stats.late).toBe(0);
    expect(line.notifications).toEqual([
      ['notifications/progress', { progressToken: id, progress: 1 }],
      ['notifications/progress', { progressToken: 'str', progress: 1 }],
      ['notifications/progress', { progressToken: 4711, progress: 1 }],
      ['$/progress', { token: 9 }],
    ]);
  });

  it.each(['server', 'client'] as const)(
    'gives progress of no request to the method of that name, %s end',
    async (role) => {
      const taken: unknown[] = [];
      const take = (params: unknown): void => {
        taken.push(params);
      };
      const methods = new Dispatcher({ 'notifications/progress': take, '$/progress': take });
      const line = new Line({ role, methods }, framing);
      line.say(progressNote('own', 1), [progressNote(2, 2)]);
      line.say({ jsonrpc: '2.0', method: '$/progress', params: { token: 'own' } });
      await line.settled();
      expect(taken).toEqual([
        { progressToken: 'own', progress: 1 },
        { progressToken: 2, progress: 2 },
        { token: 'own' },
      ]);
    },
  );

  it('gives a caller the progress for a token of its own, though another request has that number', async () => {
    const line = new Line({}, framing);
    void line.peer.request('first').catch(() => undefined);
    const { id } = await line.hear();
    line.say(progressNote(id, 1));
    await line.settled();
    expect(line.notifications).toEqual([
      ['notifications/progress', { progressToken: id, progress: 1 }],
    ]);
    line.peer.stop(new WireError('SHUTDOWN', 'over'));
  });

  it.each([0, 'string', 5])('row 78: reports to token %j of the other end', async (token) => {
    const methods = new Dispatcher({
      work: (_params, context: CallContext) => {
        context.progress({ progress: 1 });
        return context.wantsProgress;
      },
    });
    const line = new Line({ role: 'server', methods }, framing);
    line.say(request(1, 'work', { _meta: { progressToken: token } }));
    expect(await line.hear()).toMatchObject({ params: { progressToken: token, progress: 1 } });
    expect(await line.hear()).toMatchObject({ result: true });
  });

  it('row 78: does not report where no token was given, nor after the answer', async () => {
    let context: CallContext | undefined;
    const methods = new Dispatcher({
      work: (_params, given: CallContext) => {
        context = given;
        given.progress({ progress: 1 });
        return given.wantsProgress;
      },
    });
    const line = new Line({ role: 'server', methods }, framing);
    line.say(request(1, 'work'), request(2, 'work', { _meta: { progressToken: true } }));
    line.say({ jsonrpc: '2.0', method: 'work', params: { _meta: { progressToken: 1 } } });
    expect(await line.hear()).toMatchObject({ id: 1, result: false });
    expect(await line.hear()).toMatchObject({ id: 2, result: false });
    line.say(request(3, 'work', { _meta: { progressToken: 3 } }));
    expect(await line.hear()).toMatchObject({ method: 'notifications/progress' });
    expect(await line.hear()).toMatchObject({ id: 3, result: true });
    context?.progress({ progress: 2 });
    expect(await line.rest()).toEqual([]);
  });

  it('lives on when a progress callback throws', async () => {
    const line = new Line({}, framing);
    const cause = new Error('bad callback');
    const answer = line.peer.request(
      'x',
      {},
      {
        onProgress: () => {
          throw cause;
        },
      },
    );
    const { id } = await line.hear();
    line.say(progressNote(id, 1), { jsonrpc: '2.0', id, result: 'ok' });
    expect(await answer).toBe('ok');
    expect(line.remarks).toEqual([
      { code: 'listener-failed', message: 'a progress callback threw', cause },
    ]);
  });

  it('hands on a progress notification that carries no params', async () => {
    const line = new Line({}, framing);
    line.say({ jsonrpc: '2.0', method: 'notifications/progress' });
    await line.settled();
    expect(line.notifications).toEqual([['notifications/progress', undefined]]);
  });
});

describe.each(FRAMINGS)('row 79: a cancellation, %s framing', (framing) => {
  it.each([
    ['notifications/cancelled', 'requestId'],
    ['$/cancelRequest', 'id'],
  ])('by `%s` aborts a running call, which is not answered', async (method, member) => {
    const { line, aborted } = waitingServer(framing);
    line.say(request('w', 'wait'));
    await line.settled();
    line.say({ jsonrpc: '2.0', method, params: { [member]: 'w' } }, request(2, 'ping'));
    expect(await line.hear()).toMatchObject({ id: 2 });
    expect(aborted).toEqual([['w', 'CANCELLED']]);
    expect(await line.rest()).toEqual([]);
    expect(line.peer.active).toBe(0);
  });

  const raw = (id: string, method: string, params = '{}'): string =>
    `{"jsonrpc":"2.0",${id === '' ? '' : `"id":${id},`}"method":"${method}","params":${params}}`;

  it.each([
    ['1e21', '1', raw('', '$/cancelRequest', '{"id":1e21}')],
    [
      '9007199254740993',
      '1',
      raw('', '$/cancelRequest', '{"_meta":{"id":1},"id":9007199254740993}'),
    ],
    [
      '9007199254740993',
      '9007199254740992',
      `[${raw('', 'notifications/cancelled', '{"requestId":9007199254740993}')}]`,
    ],
    [
      '9007199254740992',
      '9007199254740993',
      `[${raw('', '$/cancelRequest', '{"id":9007199254740992}')}]`,
    ],
  ])('of %s aborts that call, and not call %s', async (named, other, cancellation) => {
    const started: string[] = [];
    const aborted: string[] = [];
    const methods = new Dispatcher({
      wait: (params, { signal }) => {
        const name = String(Reflect.get(Object(params), 'name'));
        started.push(name);
        signal.addEventListener('abort', () => aborted.push(name));
        return new Promise(() => undefined);
      },
    });
    const line = new Line({ role: 'server', methods }, framing);
    line.say(raw(other, 'wait', '{"name":"other"}'), raw(named, 'wait', '{"name":"named"}'));
    line.say(cancellation);
    await line.settled();
    expect([started, aborted]).toEqual([['other', 'named'], ['named']]);
    line.peer.stop(new WireError('SHUTDOWN', 'over'));
  });

  it('is answered with -32800 in the dialect of LSP', async () => {
    const { line, aborted } = waitingServer(framing, { dialect: lspDialect });
    line.say(request(1, 'wait'));
    await line.settled();
    line.say({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } });
    expect(await line.hear()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32800, message: 'Request cancelled' },
    });
    expect(aborted).toHaveLength(1);
    expect(await line.rest()).toEqual([]);
  });

  it('removes a call that waits for its turn: its handler never runs', async () => {
    const { line, started } = waitingServer(framing, { maxConcurrency: 1 });
    line.say(request(1, 'wait'), request(2, 'wait'), request(3, 'ping'));
    await line.settled();
    line.say(cancel(2), cancel(1));
    expect(await line.hear()).toMatchObject({ id: 3 });
    expect(started).toEqual([1]);
    expect(await line.rest()).toEqual([]);
    expect(line.peer.active).toBe(0);
  });

  it('in the same chunk as the request works', async () => {
    const { line, aborted } = waitingServer(framing);
    line.say(request(1, 'wait'), cancel(1), request(2, 'ping'));
    expect(await line.hear()).toMatchObject({ id: 2 });
    expect(aborted).toEqual([[1, 'CANCELLED']]);
  });

  it.each([
    ['unknown', 99],
    ['no id at all', true],
    ['of the wrong type', '1'],
  ])('for something %s is ignored', async (_what, id) => {
    const { line, aborted } = waitingServer(framing);
    line.say(request(1, 'wait'), cancel(id), request(2, 'ping'));
    expect(await line.hear()).toMatchObject({ id: 2, result: 'pong' });
    expect(aborted).toEqual([]);
    expect(line.peer.active).toBe(1);
  });

  it('of a finished or a cancelled request is ignored', async () => {
    const { line, aborted } = waitingServer(framing);
    line.say(request(1, 'ping'), cancel(1), request(2, 'wait'), cancel(2), cancel(2));
    expect(await line.hear()).toMatchObject({ id: 1, result: 'pong' });
    expect(aborted).toEqual([[2, 'CANCELLED']]);
    expect(await line.rest()).toEqual([]);
  });

  it('of `initialize` is ignored', async () => {
    const { line, aborted } = waitingServer(framing);
    line.say(request(1, 'initialize'), cancel(1), request(2, 'ping'));
    expect(await line.hear()).toMatchObject({ id: 2 });
    expect(aborted).toEqual([]);
  });

  it('reaches a request with id null', async () => {
    const { line, aborted } = waitingServer(framing);
    line.say(request(null, 'wait'), cancel(null));
    await line.settled();
    expect(aborted).toEqual([[null, 'CANCELLED']]);
  });

  it('lets the id be used again while the old call still winds down', async () => {
    const held = gate<string>();
    const methods = new Dispatcher({ slow: () => held.promise, ping: () => 'pong' });
    const line = new Line({ role: 'server', methods }, framing);
    line.say(request(1, 'slow'), cancel(1), request(1, 'ping'));
    expect(await line.hear()).toMatchObject({ id: 1, result: 'pong' });
    held.open('too late');
    expect(await line.rest()).toEqual([]);
  });

  it('shows an aborted signal to a handler that looks only afterwards', async () => {
    const held = gate();
    const seen = gate<boolean>();
    const methods = new Dispatcher({
      late: async (_params, context: CallContext) => {
        await held.promise;
        const { signal } = context;
        seen.open(signal.aborted && context.signal === signal);
        context.progress({ progress: 1 });
      },
    });
    const line = new Line({ role: 'server', methods }, framing);
    line.say(request(1, 'late', { _meta: { progressToken: 1 } }), cancel(1));
    await line.settled();
    held.open();
    expect(await seen.promise).toBe(true);
    expect(await line.rest()).toEqual([]);
  });

  it('without an id goes to whoever listens for notifications', async () => {
    const { line } = waitingServer(framing);
    line.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} });
    await line.settled();
    expect(line.notifications).toEqual([['notifications/cancelled', {}]]);
  });
});

describe.each(FRAMINGS)('calls in both directions, %s framing', (framing) => {
  it('row 80: an abort in the same turn sends the cancellation behind the request', async () => {
    const line = new Line({}, framing);
    const controller = new AbortController();
    const asked = line.peer.request('x', {}, { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
    const { id } = await line.hear();
    expect(await line.hear()).toMatchObject({ params: { requestId: id } });
  });

  it('row 84: a handler that never ends is given up after the drain, and named', async () => {
    const remarks: unknown[] = [];
    const aborted = vi.fn();
    const answers = await serveTexts(
      {
        stuck: (_params, { signal }) => {
          signal.addEventListener('abort', () => aborted(signal.reason));
          return new Promise(() => undefined);
        },
        note: () => new Promise(() => undefined),
        ping: () => 'pong',
      },
      [
        ...[request(1, 'stuck'), request(2, 'stuck'), request(3, 'ping')],
        { jsonrpc: '2.0', method: 'note' },
      ].map((it) => JSON.stringify(it)),
      framing,
      { drainMs: 20, onRemark: (remark) => remarks.push(remark) },
    );
    expect(answers).toEqual([{ jsonrpc: '2.0', id: 3, result: 'pong' }]);
    expect(remarks).toEqual([
      { code: 'unfinished', message: '3 calls did not end: `stuck`, `note`' },
    ]);
    expect(aborted.mock.calls[0]?.[0]).toMatchObject({
      code: 'SHUTDOWN',
      message: 'the server is shutting down',
    });
  });

  it('row 85: a handler may ask back at concurrency 1', async () => {
    const methods = new Dispatcher({
      ask: async (_params, context) => `you said ${await context.request('sample', { n: 1 })}`,
      ping: () => 'pong',
    });
    const line = new Line({ role: 'server', methods, maxConcurrency: 1 }, framing);
    line.say(request(1, 'ask'), request(2, 'ping'));
    const asked = await line.hear();
    expect(asked).toMatchObject({ method: 'sample', params: { n: 1 } });
    line.say({ jsonrpc: '2.0', id: asked.id, result: 'yes' });
    expect(await line.hear()).toMatchObject({ id: 1, result: 'you said yes' });
    expect(await line.hear()).toMatchObject({ id: 2, result: 'pong' });
  });

  it('row 85: the answer is read though waiting calls have paused the reading', async () => {
    const methods = new Dispatcher({
      ask: (_params, context) => context.request('sample'),
      ping: () => 'pong',
    });
    const line = new Line(
      { role: 'server', methods, maxConcurrency: 1, maxQueuedBytes: 10 },
      framing,
    );
    line.say(request(1, 'ask'), request(2, 'ping'));
    const asked = await line.hear();
    for (let id = 3; id < 50; id++) line.say(request(id, 'ping'));
    line.say({ jsonrpc: '2.0', id: asked.id, result: 'yes' });
    expect(await line.hear()).toMatchObject({ id: 1, result: 'yes' });
    for (let id = 2; id < 50; id++) expect(await line.hear()).toMatchObject({ id });
  });

  it('row 85: both ends call each other at once', async () => {
    const serverSide = new Dispatcher({
      up: async (_params, context) => `${await context.request('down')}, up`,
    });
    const clientSide = new Dispatcher({ down: () => 'down' });
    const a = new Line({ role: 'server', methods: serverSide, maxConcurrency: 1 }, framing);
    const b = new Line({ methods: clientSide, maxConcurrency: 1 }, framing);
    a.fromPeer.pipe(b.toPeer);
    b.fromPeer.pipe(a.toPeer);
    const answers = await Promise.all(Array.from({ length: 100 }, () => b.peer.request('up')));
    expect(new Set(answers)).toEqual(new Set(['down, up']));
  });
});

describe('row 86: an end that is busy', () => {
  const socketPair = async (): Promise<[Socket, Socket, () => void]> => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const near = connectTo(port, '127.0.0.1');
    const [far] = (await once(server, 'connection')) as [Socket];
    return [
      near,
      far,
      () => {
        near.destroy();
        far.destroy();
        server.close();
      },
    ];
  };

  it('takes the answer that came in time, though its own loop was blocked past the deadline', async () => {
    const [near, far, close] = await socketPair();
    const peer = new Peer({ role: 'client', input: near, output: near });
    const answer = peer.request('ping', {}, { timeoutMs: 50 });
    const [data] = await once(far, 'data');
    const { id } = JSON.parse(String(data));
    far.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: 'pong' })}\n`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
    await expect(answer).resolves.toBe('pong');
    peer.stop(new WireError('SHUTDOWN', 'over'));
    close();
  });
});
