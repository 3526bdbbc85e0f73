import { once } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WireError } from '../../src/errors.ts';
import { encodeFrame } from '../../src/framing/framing.ts';
import type { Handler } from '../../src/jsonrpc/call.ts';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import { Peer, type PeerOptions } from '../../src/jsonrpc/peer.ts';
import { FRAMINGS, gate, Line, until } from '../support/lines.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const request = (id: unknown, method = 'ping', params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const over = new WireError('SHUTDOWN', 'over');

describe('options', () => {
  const make = (options: object): Peer =>
    new Peer({
      role: 'server',
      input: new PassThrough(),
      output: new PassThrough(),
      ...options,
    } as PeerOptions);

  const atLeast = (min: number, infinite: boolean): string =>
    `to be an integer of at least ${min}${infinite ? ' or Infinity' : ''}`;

  it.each<[object, string]>([
    [{ framing: 'lines' }, 'expected `framing` to be one of `auto`, `line`, `header`, got `lines`'],
    [
      { defaultFraming: 'auto' },
      'expected `defaultFraming` to be one of `line`, `header`, got `auto`',
    ],
    [{ oversize: 'skip' }, 'expected `oversize` to be one of `reject`, `fail`, got `skip`'],
    [{ maxMessageBytes: 0 }, `expected \`maxMessageBytes\` ${atLeast(1, false)}, got \`0\``],
    [
      { maxMessageBytes: Number.POSITIVE_INFINITY },
      `expected \`maxMessageBytes\` ${atLeast(1, false)}, got \`Infinity\``,
    ],
    [{ maxConcurrency: 0 }, `expected \`maxConcurrency\` ${atLeast(1, true)}, got \`0\``],
    [{ maxConcurrency: 1.5 }, `expected \`maxConcurrency\` ${atLeast(1, true)}, got \`1.5\``],
    [{ timeoutMs: -1 }, `expected \`timeoutMs\` ${atLeast(0, true)}, got \`-1\``],
    [{ maxQueuedBytes: 0 }, `expected \`maxQueuedBytes\` ${atLeast(1, true)}, got \`0\``],
    [{ partialMs: Number.NaN }, `expected \`partialMs\` ${atLeast(0, true)}, got \`NaN\``],
  ])('refuses %j', (options, message) => {
    expect(() => make(options)).toThrow(expect.objectContaining({ code: 'BAD_OPTION', message }));
  });

  it.each<object>([
    { maxConcurrency: Number.POSITIVE_INFINITY },
    { maxQueuedBytes: Number.POSITIVE_INFINITY },
    { timeoutMs: 0 },
    { partialMs: Number.POSITIVE_INFINITY },
  ])('takes %j', (options) => {
    expect(() => make(options)).not.toThrow();
  });
});

describe.each(FRAMINGS)('a pair of peers, %s framing', (framing) => {
  const pair = (
    serverMethods: Record<string, Handler>,
    options: Partial<PeerOptions> = {},
  ): { client: Peer; server: Peer } => {
    const up = new PassThrough();
    const down = new PassThrough();
    const client = new Peer({ role: 'client', input: down, output: up, framing });
    const methods = new Dispatcher(serverMethods);
    const server = new Peer({ role: 'server', input: up, output: down, methods, ...options });
    return { client, server };
  };

  it('answers a thousand requests in flight, each with its own result', async () => {
    const { client } = pair({ double: async (n) => (n as number[])[0] ?? 0 });
    const numbers = Array.from({ length: 1000 }, (_, i) => i);
    expect(await Promise.all(numbers.map((n) => client.request('double', [n])))).toEqual(numbers);
    expect(client.stats).toEqual({ received: 1000, strays: 0, late: 0 });
  });

  it('answers in the order of completion', async () => {
    const gates = new Map([1, 2, 3].map((n) => [n, gate<number>()]));
    const { client } = pair({ wait: (n) => gates.get((n as number[])[0] ?? 0)?.promise });
    const order: unknown[] = [];
    const all = [1, 2, 3].map((n) => client.request('wait', [n]).then((it) => order.push(it)));
    for (const n of [2, 3, 1]) {
      gates.get(n)?.open(n);
      await turn();
    }
    await Promise.all(all);
    expect(order).toEqual([2, 3, 1]);
  });

  it('runs no more than `maxConcurrency` handlers, in order of arrival', async () => {
    let running = 0;
    let most = 0;
    const started: number[] = [];
    const { client } = pair(
      {
        work: async (params) => {
          started.push((params as number[])[0] ?? -1);
          most = Math.max(most, ++running);
          await turn();
          running--;
        },
      },
      { maxConcurrency: 3 },
    );
    const numbers = Array.from({ length: 20 }, (_, i) => i);
    await Promise.all(numbers.map((n) => client.request('work', [n])));
    expect(most).toBe(3);
    expect(started).toEqual(numbers);
  });

  it('gives strict order at concurrency 1, with handlers of any speed', async () => {
    const order: unknown[] = [];
    const { client } = pair(
      {
        slow: async () => {
          await turn();
          await turn();
          order.push('slow');
        },
        fast: () => order.push('fast'),
      },
      { maxConcurrency: 1 },
    );
    await Promise.all(['slow', 'fast', 'slow', 'fast'].map((method) => client.request(method)));
    expect(order).toEqual(['slow', 'fast', 'slow', 'fast']);
  });

  it('works off 20,000 queued calls that are done at once, without a deep stack', async () => {
    const held = gate();
    let served = 0;
    const { client, server } = pair(
      { wait: () => held.promise, count: () => ++served },
      { maxConcurrency: 1, maxQueuedBytes: Number.POSITIVE_INFINITY },
    );
    const answers = [
      client.request('wait'),
      ...Array.from({ length: 20_000 }, () => client.request('count')),
    ];
    await until(() => server.active >= 20_001);
    held.open();
    await Promise.all(answers);
    expect(served).toBe(20_000);
    expect(server.active).toBe(0);
  }, 30_000);

  it('sends notifications both ways, to handlers and to listeners', async () => {
    const { client, server } = pair({ log: (params) => heard.open(params) });
    const heard = gate<unknown>();
    await client.notify('log', { level: 'info' });
    expect(await heard.promise).toEqual({ level: 'info' });
    const told = once(client, 'notification');
    await server.notify('changed');
    expect(await told).toEqual(['changed', undefined]);
  });

  it('rejects a notification that is no JSON', async () => {
    const { client } = pair({});
    await expect(client.notify('x', { n: 1n })).rejects.toMatchObject({ code: 'SERIALIZE' });
  });

  it('reports what a notification handler throws, at once or later', async () => {
    const now = new Error('now');
    const later = new Error('later');
    const { client, server } = pair({
      now: () => {
        throw now;
      },
      later: () => Promise.reject(later),
    });
    const remarks: unknown[] = [];
    server.on('remark', (remark) => remarks.push(remark));
    await client.notify('now');
    await client.notify('later');
    await until(() => remarks.length >= 2);
    expect(remarks).toEqual([
      { code: 'handler-failed', message: 'the handler of `now` failed', cause: now },
      { code: 'handler-failed', message: 'the handler of `later` failed', cause: later },
    ]);
    server.removeAllListeners('remark');
    await client.notify('now');
    expect(server.active).toBe(0);
  });
});

describe('framing of the answers', () => {
  const ping = new Dispatcher({ ping: () => 'pong' });
  const answerTo = async (options: Partial<PeerOptions>, ...inputs: string[]): Promise<string> => {
    const input = new PassThrough();
    const output = new PassThrough();
    const peer = new Peer({ role: 'server', input, output, methods: ping, ...options });
    const ended = once(peer, 'end');
    for (const it of inputs) input.write(it);
    input.end();
    await ended;
    await peer.drain(100);
    peer.stop(over);
    return String(output.read(output.readableLength));
  };
  const line = encodeFrame(JSON.stringify(request(1)), 'line');
  const header = encodeFrame(JSON.stringify(request(2)), 'header');
  const lineOf = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":"pong"}\n`;
  const headerOf = (id: number): string =>
    `Content-Length: 40\r\n\r\n{"jsonrpc":"2.0","id":${id},"result":"pong"}`;

  it.each<[string, Partial<PeerOptions>, string[], string]>([
    ['follows a first line', {}, [line, header], lineOf(1) + lineOf(2)],
    ['follows a first header', {}, [header, line], headerOf(2) + headerOf(1)],
    ['is fixed by `framing: line`', { framing: 'line' }, [header], lineOf(2)],
    ['is fixed by `framing: header`', { framing: 'header' }, [line], headerOf(1)],
    ['follows what comes, not the default', { defaultFraming: 'header' }, [line], lineOf(1)],
  ])('%s', async (_title, options, inputs, expected) => {
    expect(await answerTo(options, ...inputs)).toBe(expected);
  });

  it('follows junk before anything else came', async () => {
    expect(await answerTo({}, 'Content-Length: 3\r\n\r\n{"x')).toMatch(/^Content-Length: /);
    expect(await answerTo({ defaultFraming: 'header' }, '{"x\n')).toMatch(/^\{/);
  });

  it('follows a message over the limit before anything else came', async () => {
    const options = { maxMessageBytes: 10 };
    expect(await answerTo(options, header)).toMatch(/^Content-Length: /);
    expect(await answerTo({ ...options, defaultFraming: 'header' }, line)).toMatch(/^\{/);
  });

  it('of a client is the default until the server has spoken, then the server’s', async () => {
    const client = new Line({ defaultFraming: 'line' }, 'header');
    void client.peer.request('a').catch(() => undefined);
    expect(await client.hear()).toMatchObject({ method: 'a' });
    client.say({ jsonrpc: '2.0', method: 'hello' });
    await client.settled();
    const raw = once(client.fromPeer, 'data');
    await client.peer.notify('b');
    expect(String(await raw)).toMatch(/^Content-Length: /);
    client.peer.stop(over);
  });
});

describe('framing of a client after the first message', () => {
  const second = async (first: (id: unknown) => object): Promise<string> => {
    const client = new Line({ defaultFraming: 'line' }, 'header');
    void client.peer.request('a').catch(() => undefined);
    const { id } = await client.hear();
    client.say(first(id));
    await client.settled();
    const raw = once(client.fromPeer, 'data');
    await client.peer.notify('b');
    client.peer.stop(over);
    return String(await raw);
  };

  it.each([
    ['an answer', (id: unknown) => ({ jsonrpc: '2.0', id, result: 1 })],
    ['an error', (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: 1, message: 'no' } })],
    ['an array of answers', (id: unknown) => [{ jsonrpc: '2.0', id, result: 1 }]],
  ])(
    'stays when that is %s in the other framing: the server reads what it got',
    async (_what, first) => {
      expect(await second(first)).toBe('{"jsonrpc":"2.0","method":"b"}\n');
    },
  );

  it('follows an error without an id, which says that the server does not read it', async () => {
    const error = { code: -32700, message: 'Parse error' };
    expect(await second(() => ({ jsonrpc: '2.0', id: null, error }))).toMatch(/^Content-Length: /);
  });
});

describe.each(FRAMINGS)('messages over the limit, %s framing', (framing) => {
  const big = 'x'.repeat(2000);
  const limit = { maxMessageBytes: 1000 };

  it('are refused alone by a server, with their id and both sizes', async () => {
    const methods = new Dispatcher({ ping: () => 'pong' });
    const line = new Line({ role: 'server', methods, ...limit }, framing);
    const large = JSON.stringify(request('big', 'ping', { big }));
    line.say(large, request(2));
    const message = `a message of ${large.length} bytes is over the limit of 1000`;
    expect(await line.hear()).toEqual({
      jsonrpc: '2.0',
      id: 'big',
      error: { code: -32600, message, data: { limit: 1000, size: large.length } },
    });
    expect(await line.hear()).toMatchObject({ id: 2, result: 'pong' });
    expect(line.remarks).toEqual([{ code: 'oversize', message }]);
  });

  it('are refused with id null by a server when no id is near their beginning', async () => {
    const line = new Line({ role: 'server', maxMessageBytes: 10_000 }, framing);
    const params = JSON.stringify({ text: big.repeat(10) });
    line.say(`{"jsonrpc":"2.0","method":"ping","params":${params},"id":5}`);
    expect(await line.hear()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it.each(['1-2', '01', '"\\q"', '1.', 'nul'])(
    'do no harm with an id that only looks like one: %s',
    async (id) => {
      for (const role of ['server', 'client'] as const) {
        const line = new Line({ role, ...limit }, framing);
        const asked = line.peer.request('x');
        await line.hear();
        line.say(`{"jsonrpc":"2.0","id":${id},"result":"${big}"}`);
        await expect(asked).rejects.toMatchObject({ code: 'TOO_LARGE' });
        line.say(`{"jsonrpc":"2.0","id":${id},"method":"x","params":["${big}"]}`);
        if (role === 'server') expect(await line.hear()).toMatchObject({ id: null });
        expect(await line.rest()).toEqual([]);
      }
    },
  );

  it('reject the request they answer, at the client end', async () => {
    const line = new Line(limit, framing);
    const asked = [line.peer.request('a'), line.peer.request('b')];
    const [a, b] = [await line.hear(), await line.hear()];
    line.say({ jsonrpc: '2.0', id: b.id, result: big });
    await expect(asked[1]).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringMatching(/^a message of \d+ bytes is over the limit of 1000$/),
    });
    line.say({ jsonrpc: '2.0', id: a.id, result: 'small' });
    expect(await asked[0]).toBe('small');
    expect(await line.rest()).toEqual([]);
  });

  it('are answered by a client when they are requests, and only reported otherwise', async () => {
    const line = new Line(limit, framing);
    line.say({ jsonrpc: '2.0', method: 'note', params: { big } });
    line.say({ jsonrpc: '2.0', id: 9, result: big });
    expect(await line.rest()).toEqual([]);
    line.say(request('s', 'sample', { big }));
    expect(await line.hear()).toMatchObject({ id: 's', error: { code: -32600 } });
    expect(line.remarks.map(({ code }) => code)).toEqual(Array(3).fill('oversize'));
  });

  const onLines = it.runIf(framing === 'line');
  onLines('that are no messages are stray text to a client, blamed on no request', async () => {
    const line = new Line(limit, framing);
    const asked = line.peer.request('x');
    const { id } = await line.hear();
    line.say(`progress: ${big}`, { jsonrpc: '2.0', id, result: 'fine' });
    expect(await asked).toBe('fine');
    expect(line.strays).toHaveLength(1);
  });

  it('end the connection with `oversize: fail`', async () => {
    const line = new Line({ role: 'server', oversize: 'fail', ...limit }, framing);
    const failed = once(line.peer, 'failure');
    line.say(request(1, 'ping', { big }), request(2));
    expect(await failed).toMatchObject([{ code: 'TOO_LARGE' }]);
  });
});

describe('back-pressure', () => {
  const frame = (message: object): string => `${JSON.stringify(message)}\n`;

  it('row 76: pauses reading while too many bytes of calls wait, keeps order, loses nothing', async () => {
    const served: number[] = [];
    const gates: (() => void)[] = [];
    const methods = new Dispatcher({
      work: (params) =>
        new Promise<void>((resolve) => {
          served.push((params as number[])[0] ?? -1);
          gates.push(resolve);
        }),
    });
    const line = new Line({ role: 'server', methods, maxConcurrency: 1, maxQueuedBytes: 1000 });
    for (let n = 0; n < 500; n++) line.toPeer.write(frame(request(n, 'work', [n])));
    await line.settled();
    expect(line.toPeer.isPaused()).toBe(true);
    expect(line.peer.active).toBeLessThan(100);
    for (let n = 0; n < 500; n++) {
      await until(() => gates.length > 0);
      gates.shift()?.();
      expect(await line.hear()).toMatchObject({ id: n });
    }
    expect(served).toEqual(Array.from({ length: 500 }, (_, n) => n));
    expect(line.toPeer.isPaused()).toBe(false);
  });

  it('row 76: counts the calls of a batch as well', async () => {
    const held = gate();
    const methods = new Dispatcher({ wait: () => held.promise });
    const line = new Line({ role: 'server', methods, maxConcurrency: 1, maxQueuedBytes: 1000 });
    const batch = (from: number): object[] =>
      Array.from({ length: 20 }, (_, n) => request(from + n, 'wait'));
    for (let n = 0; n < 200; n += 20) line.toPeer.write(frame(batch(n)));
    await line.settled();
    expect(line.toPeer.isPaused()).toBe(true);
    expect(line.peer.active).toBeLessThan(60);
    held.open();
    for (let n = 0; n < 10; n++) expect(await line.hear()).toHaveLength(20);
  });

  it('row 76: a fast producer of notifications is taken in order', async () => {
    let next = 0;
    let isOrdered = true;
    const methods = new Dispatcher({
      tick: async (params) => {
        isOrdered &&= (params as number[])[0] === next++;
        await undefined;
      },
      count: () => next,
    });
    const line = new Line({ role: 'server', methods, maxConcurrency: 1, maxQueuedBytes: 2000 });
    for (let block = 0; block < 100; block++) {
      const notes = Array.from({ length: 1000 }, (_, n) =>
        frame({ jsonrpc: '2.0', method: 'tick', params: [block * 1000 + n] }),
      );
      if (!line.toPeer.write(notes.join(''))) await once(line.toPeer, 'drain');
    }
    line.say(request('end', 'count'));
    expect(await line.hear()).toMatchObject({ id: 'end', result: 100_000 });
    expect(isOrdered).toBe(true);
  }, 30_000);

  /** An output that takes nothing until it is told to. */
  const slowOutput = (): { output: Writable; release: () => void; written: () => number } => {
    const waiting: (() => void)[] = [];
    let isOpen = false;
    let written = 0;
    const output = new Writable({
      highWaterMark: 1024,
      write: (chunk: Buffer, _encoding, done) => {
        written += chunk.length;
        if (isOpen) done();
        else waiting.push(done);
      },
    });
    const release = (): void => {
      isOpen = true;
      for (const done of waiting.splice(0)) done();
    };
    return { output, release, written: () => written };
  };

  it.each(['at once', 'later'])(
    'row 75: stops reading while nobody takes the answers, given %s, and goes on afterwards',
    async (when) => {
      const { output, release, written } = slowOutput();
      let served = 0;
      const answer = 'x'.repeat(10_000);
      const give = (): string => {
        served++;
        return answer;
      };
      const methods = new Dispatcher({ give: when === 'later' ? async () => give() : give });
      const input = new PassThrough();
      const peer = new Peer({ role: 'server', input, output, methods, maxQueuedBytes: 50_000 });
      for (let n = 0; n < 200; n++) {
        input.write(frame(request(n, 'give')));
        await turn();
      }
      expect(input.isPaused()).toBe(true);
      expect(served).toBeLessThan(20);
      release();
      await until(() => served >= 200);
      await peer.drain(1000);
      expect(written()).toBeGreaterThan(200 * 10_000);
      peer.stop(over);
    },
  );

  it('row 75: goes on after one answer larger than the whole budget', async () => {
    const { output, release } = slowOutput();
    let served = 0;
    const methods = new Dispatcher({ give: () => 'x'.repeat(100_000), count: () => ++served });
    const input = new PassThrough();
    const peer = new Peer({ role: 'server', input, output, methods, maxQueuedBytes: 1000 });
    input.write(frame(request(1, 'give')));
    await turn();
    input.write(frame(request(2, 'count')));
    for (let i = 0; i < 5; i++) await turn();
    input.write(frame(request(3, 'count')));
    expect(input.isPaused()).toBe(true);
    release();
    for (let i = 0; i < 50 && served < 2; i++) await turn();
    expect(served).toBe(2);
    peer.stop(over);
  });

  it('row 75: `notify` of a handler waits for the output', async () => {
    const { output, release } = slowOutput();
    const peer = new Peer({ role: 'server', input: new PassThrough(), output });
    let isSent = false;
    const sent = peer.notify('big', { text: 'x'.repeat(5000) }).then(() => {
      isSent = true;
    });
    for (let i = 0; i < 5; i++) await turn();
    expect(isSent).toBe(false);
    release();
    await sent;
    expect(isSent).toBe(true);
    peer.stop(over);
  });

  it.each([
    ['at once', 5],
    ['later', 5 + 3],
  ])(
    'starts no call of a chunk while too many bytes of answers, given %s, wait',
    async (when, most) => {
      const { output, release, written } = slowOutput();
      let started = 0;
      const answer = 'x'.repeat(10_000);
      const give = (): string => {
        started++;
        return answer;
      };
      const methods = new Dispatcher({
        give: when === 'later' ? () => Promise.resolve().then(give) : give,
      });
      const input = new PassThrough();
      const limits = { maxQueuedBytes: 50_000, maxConcurrency: 4 };
      const peer = new Peer({ role: 'server', input, output, methods, ...limits });
      input.write(Array.from({ length: 200 }, (_, n) => frame(request(n, 'give'))).join(''));
      for (let i = 0; i < 20; i++) await turn();
      expect(started).toBeGreaterThanOrEqual(5);
      expect(started).toBeLessThanOrEqual(most);
      release();
      await until(() => started === 200);
      await peer.drain(1000);
      expect(written()).toBeGreaterThan(200 * 10_000);
      peer.stop(over);
    },
  );

  it('keeps the order of calls that wait for room and calls that come later', async () => {
    const { output, release } = slowOutput();
    const order: unknown[] = [];
    const methods = new Dispatcher({
      give: (params) => {
        order.push(Reflect.get(Object(params), 'n'));
        return 'x'.repeat(2000);
      },
    });
    const input = new PassThrough();
    const peer = new Peer({ role: 'server', input, output, methods, maxQueuedBytes: 1000 });
    for (let n = 0; n < 10; n++) input.write(frame(request(n, 'give', { n })));
    for (let i = 0; i < 5; i++) await turn();
    expect(order).toEqual([0]);
    release();
    await until(() => order.length === 10);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    peer.stop(over);
  });

  it('a cancelled call that waits for room never starts', async () => {
    const { output, release } = slowOutput();
    const order: unknown[] = [];
    const methods = new Dispatcher({
      give: (_params, { id }) => {
        order.push(id);
        return 'x'.repeat(2000);
      },
    });
    const input = new PassThrough();
    const peer = new Peer({ role: 'server', input, output, methods, maxQueuedBytes: 1000 });
    const cancel = { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 2 } };
    input.write(
      [request(1, 'give'), request(2, 'give'), request(3, 'give'), cancel].map(frame).join(''),
    );
    await turn();
    release();
    await until(() => peer.active === 0);
    expect(order).toEqual([1, 3]);
    peer.stop(over);
  });

  it.each(['server', 'client'] as const)(
    'refuses requests and notifications of the %s while too many bytes wait, and takes them afterwards',
    async (role) => {
      const { output, release } = slowOutput();
      const input = new PassThrough();
      const peer = new Peer({ role, input, output, maxQueuedBytes: 1000 });
      const first = peer.notify('big', { text: 'x'.repeat(5000) });
      const full = {
        code: 'QUEUE_FULL',
        message: expect.stringMatching(
          /^the other end does not read: \d+ characters wait to be written, over the limit of 1000; wait for answers before sending more, or raise `maxQueuedBytes`$/,
        ),
      };
      await expect(peer.notify('more')).rejects.toMatchObject(full);
      await expect(peer.request('more')).rejects.toMatchObject(full);
      expect(await peer.requestMany([{ method: 'more' }])).toMatchObject([{ reason: full }]);
      expect(peer.pending).toBe(0);
      release();
      await first;
      await peer.notify('again');
      peer.stop(over);
    },
  );

  it.each([
    ['once they have left', (release: () => void) => release()],
    ['when the line ends', (_release: () => void, peer: Peer) => peer.stop(over)],
  ])('gives a handler room again %s', async (_when, happen) => {
    const { output, release } = slowOutput();
    const peer = new Peer({
      role: 'server',
      input: new PassThrough(),
      output,
      maxQueuedBytes: 1000,
    });
    await peer.room();
    void peer.notify('big', { text: 'x'.repeat(5000) }).catch(() => undefined);
    let hasRoom = false;
    const room = peer.room().then(() => {
      hasRoom = true;
    });
    for (let i = 0; i < 5; i++) await turn();
    expect(hasRoom).toBe(false);
    happen(release, peer);
    await room;
    release();
    peer.stop(over);
  });

  it('cancels a request though too many bytes wait', async () => {
    const { output, release, written } = slowOutput();
    const peer = new Peer({
      role: 'client',
      input: new PassThrough(),
      output,
      maxQueuedBytes: 100,
    });
    const abort = new AbortController();
    const big = { text: 'x'.repeat(5000) };
    const asked = peer.request('big', big, { signal: abort.signal });
    await turn();
    const before = written();
    abort.abort();
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
    release();
    await peer.flushed(1000);
    expect(written()).toBeGreaterThan(before);
    peer.stop(over);
  });

  it('a client answers its server though too many bytes wait', async () => {
    const { output, release, written } = slowOutput();
    const input = new PassThrough();
    const methods = new Dispatcher({ ping: () => 'pong' });
    const peer = new Peer({ role: 'client', input, output, methods, maxQueuedBytes: 100 });
    void peer.notify('big', { text: 'x'.repeat(5000) });
    await turn();
    input.write(frame(request(1, 'ping')));
    for (let i = 0; i < 5; i++) await turn();
    expect(peer.active).toBe(0);
    const before = written();
    release();
    await peer.flushed(1000);
    expect(written()).toBeGreaterThan(before);
    peer.stop(over);
  });

  it('a client goes on reading though nobody reads what it writes', async () => {
    const { output } = slowOutput();
    const input = new PassThrough();
    const peer = new Peer({ role: 'client', input, output, maxQueuedBytes: 100 });
    const heard = vi.fn();
    peer.on('notification', heard);
    void peer.notify('big', { text: 'x'.repeat(5000) });
    await turn();
    for (let n = 0; n < 10; n++) {
      input.write(frame({ jsonrpc: '2.0', method: 'note' }));
      await turn();
    }
    expect(heard).toHaveBeenCalledTimes(10);
    peer.stop(over);
  });
});

describe('junk at the server end', () => {
  it('is answered, reported and counted', async () => {
    const line = new Line({ role: 'server' });
    line.say('hello there');
    expect(await line.hear()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error', data: { reason: 'not-json' } },
    });
    expect(line.remarks).toEqual([{ code: 'junk', message: 'not-json: hello there' }]);
    expect(line.peer.stats.strays).toBe(1);
  });

  it('is answered a hundred times at once, then held down to a slow rate', async () => {
    const line = new Line({ role: 'server', methods: new Dispatcher({ ping: () => 'pong' }) });
    for (let n = 0; n < 500; n++) line.say('junk');
    line.say(request('end'));
    for (let n = 0; n < 100; n++) expect(await line.hear()).toMatchObject({ id: null });
    let answer = await line.hear();
    while (answer.id === null) answer = await line.hear();
    expect(answer).toMatchObject({ id: 'end', result: 'pong' });
    expect(line.peer.stats.strays).toBe(500);
  });
});

describe('events of the client end', () => {
  it('tells of stray text, and of a message found behind it', async () => {
    const line = new Line();
    line.say('Loading…', 'ready {"jsonrpc":"2.0","method":"go"}', '42', '"text"');
    await line.settled();
    expect(line.strays).toEqual(['Loading…', 'ready', '42', '"text"']);
    expect(line.notifications).toEqual([['go', undefined]]);
    expect(line.remarks.map(({ code }) => code)).toEqual(['glued']);
    expect(line.peer.stats).toMatchObject({ strays: 4, received: 3 });
  });

  it.each([
    '{"level":"info","method":"GET"}',
    '{"level":"info","method":"notifications/odd"}',
    '{"id":1,"method":"x"}',
    '{"jsonrpc":"1.0","id":1,"method":"x"}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","method":5}',
    'null',
  ])('takes %s for stray text and answers nothing', async (text) => {
    const line = new Line({ methods: new Dispatcher({ x: () => 1 }) });
    line.say(text);
    expect(await line.rest()).toEqual([]);
    expect(line.strays).toEqual([text]);
  });

  it('answers requests of the server with -32601 when it has no methods', async () => {
    const line = new Line();
    line.say(request('s', 'sampling/createMessage'));
    expect(await line.hear()).toMatchObject({ id: 's', error: { code: -32601 } });
  });

  it('lives on when a listener throws, and reports it', async () => {
    const line = new Line();
    const cause = new Error('bad listener');
    line.peer.on('notification', () => {
      throw cause;
    });
    line.peer.on('stray', () => {
      throw cause;
    });
    line.peer.on('remark', () => {
      throw new Error('worse');
    });
    line.say({ jsonrpc: '2.0', method: 'a' }, 'stray');
    const answer = line.peer.request('x');
    const { id } = await line.hear();
    line.say({ jsonrpc: '2.0', id, result: 'alive' });
    expect(await answer).toBe('alive');
    expect(line.remarks).toEqual([
      { code: 'listener-failed', message: 'a listener of `notification` threw', cause },
      { code: 'listener-failed', message: 'a listener of `stray` threw', cause },
    ]);
  });

  it('passes on what the decoder warns of', async () => {
    const line = new Line();
    line.toPeer.write(Buffer.from('{"jsonrpc":"2.0","method":"\xff"}\n', 'latin1'));
    line.toPeer.write('\0\0{"jsonrpc":"2.0","method":"b"}\n');
    await line.settled();
    expect(line.remarks.map(({ code }) => code)).toEqual(['invalid-utf8', 'nul-bytes']);
    expect(line.notifications).toHaveLength(2);
  });
});

describe('a timeout at the client end', () => {
  const timeout = async (
    options: Partial<PeerOptions>,
    before: (line: Line) => void = () => undefined,
  ): Promise<string> => {
    const line = new Line(options);
    before(line);
    await line.settled();
    return line.peer.request('x', {}, { timeoutMs: 1 }).then(
      () => 'no',
      (error: WireError) => error.message,
    );
  };

  it.each<[string, Partial<PeerOptions>, ((line: Line) => void) | undefined, string]>([
    [
      'nothing came, and the framing is a guess',
      {},
      undefined,
      ': the other end has sent nothing so far; if it expects Content-Length frames, set `framing` to `header`',
    ],
    [
      'nothing came, and the framing is fixed',
      { framing: 'line' },
      undefined,
      ': the other end has sent nothing so far',
    ],
    [
      'only text came',
      { framing: 'header' },
      (line) => line.toPeer.write('hello\nworld\n'),
      ': the other end has sent only 2 lines of stray text so far',
    ],
    ['messages came', {}, (line) => line.say({ jsonrpc: '2.0', method: 'hi' }), ''],
  ])('says what is known: %s', async (_what, options, before, expected) => {
    expect(await timeout(options, before)).toBe(
      `\`x\` got no answer within 1 ms (idle time)${expected}`,
    );
  });
});

describe('an unfinished message', () => {
  it('is reported after `partialMs`, once', async () => {
    const line = new Line({ partialMs: 5 });
    const reported = once(line.peer, 'remark');
    line.toPeer.write('{"jsonrpc":"2.0","met');
    expect(await reported).toEqual([
      { code: 'partial-message', message: 'an unfinished message: {"jsonrpc":"2.0","met' },
    ]);
    line.toPeer.write('hod":"late"}\n');
    await line.settled();
    expect(line.notifications).toEqual([['late', undefined]]);
  });

  it('is not reported when it is finished in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const line = new Line({ partialMs: 1000 });
    line.toPeer.write('{"jsonrpc":"2.0",');
    await line.settled();
    expect(vi.getTimerCount()).toBe(1);
    line.toPeer.write('"method":"a"}\n');
    await line.settled();
    expect(vi.getTimerCount()).toBe(0);
    expect(line.remarks).toEqual([]);
  });

  it('is reported though another was finished while it was watched', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const line = new Line({ partialMs: 1000 });
    line.toPeer.write('{"jsonrpc":"2.0",');
    await line.settled();
    vi.advanceTimersByTime(900);
    line.toPeer.write('"method":"a"}\n{"half');
    await line.settled();
    vi.advanceTimersByTime(200);
    expect(line.remarks).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(line.remarks).toEqual([
      { code: 'partial-message', message: 'an unfinished message: {"half' },
    ]);
  });

  it('is never reported with `partialMs: Infinity`', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const line = new Line({ partialMs: Number.POSITIVE_INFINITY });
    line.toPeer.write('{"half');
    await line.settled();
    vi.advanceTimersByTime(1_000_000);
    expect(line.remarks).toEqual([]);
  });

  it('is given up at the end of the input', async () => {
    const line = new Line({ partialMs: 60_000 });
    line.toPeer.write('{"half');
    await line.end();
    expect(line.strays).toEqual(['{"half']);
  });
});

describe('the end of a connection', () => {
  it('tells of it once, by end or by close', async () => {
    const input = new PassThrough();
    const peer = new Peer({ role: 'client', input, output: new PassThrough() });
    const ended = vi.fn();
    peer.on('end', ended);
    input.end();
    await once(input, 'close');
    await turn();
    expect(ended).toHaveBeenCalledOnce();
    const closed = new PassThrough();
    const other = new Peer({ role: 'client', input: closed, output: new PassThrough() });
    const told = once(other, 'end');
    closed.destroy();
    await told;
  });

  it.each(['ended', 'destroyed'])('tells of it when the input had %s before', async (how) => {
    const input = new PassThrough();
    if (how === 'ended') {
      input.resume().end();
      await once(input, 'end');
    } else {
      input.destroy();
      await once(input, 'close');
    }
    const peer = new Peer({ role: 'client', input, output: new PassThrough() });
    await once(peer, 'end');
  });

  it('takes text streams as well', async () => {
    const peer = new Peer({
      role: 'client',
      input: Readable.from(['{"jsonrpc":"2.0",', '"method":"é"}\n']),
      output: new PassThrough(),
    });
    expect(await once(peer, 'notification')).toEqual(['é', undefined]);
  });

  it('reports a read error as a failure', async () => {
    const line = new Line();
    const failed = once(line.peer, 'failure');
    const cause = new Error('EIO');
    line.toPeer.destroy(cause);
    expect(await failed).toEqual([
      expect.objectContaining({ code: 'IO', message: 'could not read: EIO', cause }),
    ]);
  });

  it('rejects what a client sent into a broken output, and still reads', async () => {
    const line = new Line();
    const first = line.peer.request('first');
    const { id } = await line.hear();
    line.fromPeer.destroy(new Error('EPIPE'));
    await line.settled();
    const second = line.peer.request('second');
    await expect(second).rejects.toMatchObject({
      code: 'IO',
      message: 'could not write: EPIPE',
    });
    await expect(line.peer.request('third')).rejects.toMatchObject({ code: 'IO' });
    await expect(line.peer.notify('n')).rejects.toMatchObject({ code: 'IO' });
    line.say({ jsonrpc: '2.0', id, result: 'before it broke' });
    expect(await first).toBe('before it broke');
    line.peer.stop(over);
  });

  it('stops: rejects what waits and what comes, aborts handlers, lets go of the streams', async () => {
    const reasons: unknown[] = [];
    const methods = new Dispatcher({
      wait: (_params, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(reasons.push(signal.reason)));
        }),
    });
    const line = new Line({ methods });
    const waiting = line.peer.request('x');
    line.say(request('s', 'wait'), { jsonrpc: '2.0', method: 'wait' });
    await line.settled();
    line.peer.stop(over);
    line.peer.stop(new WireError('IO', 'again'));
    await expect(waiting).rejects.toBe(over);
    await expect(line.peer.request('y')).rejects.toBe(over);
    await expect(line.peer.notify('y')).rejects.toBe(over);
    expect(reasons).toEqual([over, over]);
    expect(line.toPeer.listenerCount('data')).toBe(0);
    expect(line.toPeer.listenerCount('end')).toBe(0);
    line.toPeer.destroy(new Error('after'));
    line.fromPeer.destroy(new Error('after'));
    await turn();
  });

  it('takes nothing more of a chunk in the middle of which it was stopped', async () => {
    const line = new Line();
    line.peer.on('notification', () => line.peer.stop(over));
    line.say({ jsonrpc: '2.0', method: 'a' }, { jsonrpc: '2.0', method: 'b' });
    await line.settled();
    expect(line.notifications).toEqual([['a', undefined]]);
    line.toPeer.end();
    await line.settled();
  });
});

describe('the tap of a connection', () => {
  it('sees messages both ways, with direction and framing, and stray text', async () => {
    const tap = { frame: vi.fn(), stray: vi.fn() };
    const line = new Line({ tap, methods: new Dispatcher({ s: () => 1 }) }, 'header');
    await line.peer.notify('out');
    line.say(request('q', 's'));
    await line.hear();
    line.say('text');
    await line.settled();
    expect(tap.frame.mock.calls).toEqual([
      ['client→server', '{"jsonrpc":"2.0","method":"out"}', 'header'],
      ['server→client', '{"jsonrpc":"2.0","id":"q","method":"s"}', 'header'],
      ['client→server', '{"jsonrpc":"2.0","id":"q","result":1}', 'header'],
    ]);
    expect(tap.stray).toHaveBeenCalledExactlyOnceWith('stdout', 'text');
  });

  it('sees the directions from the client, also at the server end', async () => {
    const tap = { frame: vi.fn() };
    const line = new Line({ tap, role: 'server', methods: new Dispatcher({ s: () => 1 }) });
    line.say(request(1, 's'));
    await line.hear();
    expect(tap.frame.mock.calls.map(([direction]) => direction)).toEqual([
      'client→server',
      'server→client',
    ]);
  });

  it('does no harm when it throws', async () => {
    const cause = new Error('bad tap');
    const frame = (): void => {
      throw cause;
    };
    const line = new Line({ tap: { frame }, methods: new Dispatcher({ s: () => 'fine' }) });
    line.say(request(1, 's'));
    expect(await line.hear()).toMatchObject({ result: 'fine' });
    expect(line.remarks).toEqual(
      Array(2).fill({ code: 'listener-failed', message: 'the tap threw', cause }),
    );
  });
});
