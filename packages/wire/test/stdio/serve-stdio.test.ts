import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WireError } from '../../src/errors.ts';
import type { Handler } from '../../src/jsonrpc/call.ts';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import type { Peer } from '../../src/jsonrpc/peer.ts';
import { framingFromEnv, type ServeOptions, serveStdio } from '../../src/stdio/serve-stdio.ts';
import { FRAMINGS, gate, messagesIn, serveBytes } from '../support/lines.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const ping: Handler = () => 'pong';
const call = (id: unknown, method: string): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`;

interface Served {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly outcome: Promise<unknown>;
  readonly written: () => ReturnType<typeof messagesIn>;
}

/** Serves over streams of the test; `outcome` is 'resolved' or what it rejected with. */
function serve(methods: Record<string, Handler>, options: ServeOptions = {}): Served {
  const input = new PassThrough();
  const output = new PassThrough();
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  const outcome = serveStdio(new Dispatcher(methods), { input, output, ...options }).then(
    () => 'resolved',
    (error: unknown) => error,
  );
  return { input, output, outcome, written: () => messagesIn(Buffer.concat(chunks)) };
}

describe('end of input', () => {
  it('resolves', async () => {
    const { input, outcome } = serve({});
    input.end();
    expect(await outcome).toBe('resolved');
  });

  it('answers and flushes requests in flight first', async () => {
    const held = gate<string>();
    const { input, outcome, written } = serve({ wait: () => held.promise });
    input.end(call(1, 'wait'));
    await once(input, 'end');
    await turn();
    held.open('done');
    expect(await outcome).toBe('resolved');
    expect(written()).toEqual([{ jsonrpc: '2.0', id: 1, result: 'done' }]);
  });

  it('answers requests that wait for their turn as well', async () => {
    const work = async (): Promise<string> => {
      await turn();
      return 'done';
    };
    const { input, outcome, written } = serve({ work }, { maxConcurrency: 1 });
    input.end(Array.from({ length: 20 }, (_, id) => call(id, 'work')).join(''));
    expect(await outcome).toBe('resolved');
    expect(written().map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, id) => id));
  });

  it('waits no longer than `drainMs`, then aborts the handlers, whose answers still leave', async () => {
    const stopping: Handler = (_params, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(`stopped: ${signal.reason.code}`));
      });
    const { input, outcome, written } = serve({ stopping }, { drainMs: 5 });
    input.end(call(1, 'stopping'));
    expect(await outcome).toBe('resolved');
    expect(written()).toEqual([{ jsonrpc: '2.0', id: 1, result: 'stopped: SHUTDOWN' }]);
  });

  it('resolves though a handler never ends, also with `drainMs: 0`', async () => {
    const { input, outcome } = serve({ stuck: () => new Promise(() => undefined) }, { drainMs: 0 });
    input.end(call(1, 'stuck'));
    expect(await outcome).toBe('resolved');
  });

  it('tells handlers that wait for a sign that it drains', async () => {
    const held = gate<string>();
    let peer: Peer | undefined;
    const { input, outcome, written } = serve(
      { listen: () => held.promise },
      {
        onPeer: (given) => {
          peer = given;
          given.on('draining', () => held.open('nothing more'));
        },
      },
    );
    input.end(call(1, 'listen'));
    expect(await outcome).toBe('resolved');
    expect(written()).toMatchObject([{ result: 'nothing more' }]);
    expect(peer).toBeDefined();
  });

  it('takes a last message without a newline', async () => {
    const { input, outcome, written } = serve({ ping });
    input.end(PING);
    expect(await outcome).toBe('resolved');
    expect(written()).toHaveLength(1);
  });

  it('resolves when the input had ended before', async () => {
    const input = new PassThrough();
    input.resume().end();
    await once(input, 'end');
    await serveStdio(new Dispatcher(), { input, output: new PassThrough() });
  });

  it('waits for a reader that is slow to take the last answer', async () => {
    const taken: string[] = [];
    const output = new Writable({
      highWaterMark: 10,
      write: (chunk: Buffer, _encoding, done) => {
        taken.push(String(chunk));
        setImmediate(() => setImmediate(done));
      },
    });
    const { input, outcome } = serve({ big: () => 'x'.repeat(100_000) }, { output });
    input.end(call(1, 'big') + call(2, 'big'));
    expect(await outcome).toBe('resolved');
    expect(messagesIn(Buffer.from(taken.join('')))).toHaveLength(2);
  });
});

describe('signal', () => {
  it('rejects with its reason after the answers under way were written', async () => {
    const held = gate<string>();
    const controller = new AbortController();
    const { input, outcome, written } = serve(
      { wait: () => held.promise },
      { signal: controller.signal },
    );
    input.write(call(1, 'wait'));
    await turn();
    const reason = new Error('enough');
    controller.abort(reason);
    input.write(call(2, 'wait'));
    await turn();
    held.open('answered');
    expect(await outcome).toBe(reason);
    expect(written()).toEqual([{ jsonrpc: '2.0', id: 1, result: 'answered' }]);
  });

  it('rejects with an AbortError when no reason was given', async () => {
    const controller = new AbortController();
    const { outcome } = serve({}, { signal: controller.signal });
    controller.abort();
    expect(await outcome).toMatchObject({ name: 'AbortError' });
  });

  it('is bounded by `drainMs` too', async () => {
    const controller = new AbortController();
    const { input, outcome } = serve(
      { stuck: () => new Promise(() => undefined) },
      { signal: controller.signal, drainMs: 1 },
    );
    input.write(call(1, 'stuck'));
    await turn();
    controller.abort('reason of any kind');
    expect(await outcome).toBe('reason of any kind');
  });

  it('that is aborted before rejects at once, reading nothing', async () => {
    const input = new PassThrough();
    const reason = new Error('before');
    const served = serveStdio(new Dispatcher(), { input, signal: AbortSignal.abort(reason) });
    await expect(served).rejects.toBe(reason);
    expect(input.listenerCount('data')).toBe(0);
  });

  it('holds no listener afterwards', async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    const { input, outcome } = serve({}, { signal });
    input.end();
    await outcome;
    expect(remove.mock.calls.map(([, listener]) => listener)).toContain(add.mock.calls[0]?.[1]);
  });
});

describe('read errors', () => {
  it('reject with that error', async () => {
    const { input, outcome } = serve({ ping });
    const cause = new Error('EIO: i/o error');
    input.destroy(cause);
    expect(await outcome).toMatchObject({
      code: 'IO',
      message: 'could not read: EIO: i/o error',
      cause,
    });
  });

  it('abort the handlers under way', async () => {
    const aborted = vi.fn();
    const { input, outcome } = serve({
      wait: (_params, { signal }) =>
        new Promise(() => signal.addEventListener('abort', () => aborted())),
    });
    input.write(call(1, 'wait'));
    await turn();
    input.destroy(new Error('EIO'));
    expect(await outcome).toMatchObject({ code: 'IO' });
    expect(aborted).toHaveBeenCalledOnce();
  });
});

describe.each(FRAMINGS)('messages over the limit, %s framing', (framing) => {
  const large = JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'ping',
    params: ['x'.repeat(200)],
  });
  const frame = (text: string): string =>
    framing === 'line' ? `${text}\n` : `Content-Length: ${text.length}\r\n\r\n${text}`;

  it('reject with `oversize: fail`, after the answers under way', async () => {
    const { input, outcome, written } = serve({ ping }, { maxMessageBytes: 100, oversize: 'fail' });
    input.write(frame(PING) + frame(large) + frame(PING));
    expect(await outcome).toMatchObject({
      code: 'TOO_LARGE',
      message: `a message of ${large.length} bytes is over the limit of 100`,
    });
    expect(written()).toEqual([{ jsonrpc: '2.0', id: 1, result: 'pong' }]);
  });

  it('are answered and skipped by default', async () => {
    const { input, outcome, written } = serve({ ping }, { maxMessageBytes: 100 });
    input.end(frame(large) + frame(PING));
    expect(await outcome).toBe('resolved');
    expect(written()).toMatchObject([
      { id: 7, error: { code: -32600, data: { limit: 100, size: large.length } } },
      { id: 1, result: 'pong' },
    ]);
  });
});

describe('write errors', () => {
  const broken = (code: string): Writable =>
    new Writable({
      write: (_chunk, _encoding, done) => {
        done(Object.assign(new Error(`write ${code}`), { code }));
      },
    });

  it('end the server at once: nobody could read the answers of calls under way', async () => {
    const { input, outcome } = serve(
      { ping, wait: () => new Promise(() => undefined) },
      { output: broken('EPIPE'), drainMs: Number.POSITIVE_INFINITY },
    );
    input.write(call(1, 'wait') + call(2, 'ping'));
    expect(await outcome).toMatchObject({ code: 'IO' });
  });

  it.each(['EPIPE', 'ENOSPC', 'EIO'])('of code %s reject with that error', async (code) => {
    const { input, outcome } = serve({ ping }, { output: broken(code) });
    input.write(call(1, 'ping'));
    expect(await outcome).toMatchObject({
      code: 'IO',
      message: `could not write: write ${code}`,
      cause: { code },
    });
  });

  it('reject though the error comes while a large answer waits', async () => {
    const output = new Writable({
      highWaterMark: 10,
      write: () => setImmediate(() => output.destroy(new Error('EPIPE'))),
    });
    const { input, outcome } = serve({ big: () => 'x'.repeat(1_000_000) }, { output });
    input.write(call(1, 'big') + call(2, 'big'));
    expect(await outcome).toMatchObject({ code: 'IO', message: 'could not write: EPIPE' });
  });

  it('reject when the reader closes without an error', async () => {
    const { output, outcome } = serve({ ping });
    output.destroy();
    expect(await outcome).toMatchObject({
      code: 'IO',
      message: 'could not write: the stream was closed',
    });
  });

  it('reject when the output was destroyed before', async () => {
    const output = new PassThrough();
    output.destroy();
    await once(output, 'close');
    const { input, outcome } = serve({ ping }, { output });
    input.write(call(1, 'ping'));
    expect(await outcome).toMatchObject({ code: 'IO' });
  });

  it('after the end are caught', async () => {
    const { input, output, outcome } = serve({ ping });
    input.end();
    expect(await outcome).toBe('resolved');
    const closed = new Promise((resolve) => output.once('close', resolve));
    output.destroy(new Error('late EPIPE'));
    await closed;
  });
});

describe('bad JSON', () => {
  it('is answered, and the server goes on', async () => {
    const remarks: unknown[] = [];
    const { input, outcome, written } = serve(
      { ping },
      { onRemark: (remark) => remarks.push(remark) },
    );
    input.end(`{invalid json}\n${PING}\n`);
    expect(await outcome).toBe('resolved');
    expect(written()).toMatchObject([{ id: null, error: { code: -32700 } }, { id: 1 }]);
    expect(remarks).toEqual([{ code: 'junk', message: 'not-json: {invalid json}' }]);
  });
});

describe('framing', () => {
  const line = `${PING}\n`;
  const header = `Content-Length: ${PING.length}\r\n\r\n${PING}`;
  const isHeader = (bytes: Buffer): boolean => bytes.toString().startsWith('Content-Length');

  it('sticks to that of the first message', async () => {
    for (const [inputs, expected] of [
      [[line, header, header], false],
      [[header, line, line], true],
    ] as const) {
      const bytes = await serveBytes({ ping }, inputs);
      expect(messagesIn(bytes)).toHaveLength(3);
      expect(isHeader(bytes)).toBe(expected);
      expect(bytes.toString().split('Content-Length').length - 1).toBe(expected ? 3 : 0);
    }
  });

  it('is lines with MCP_LINE_MODE=1, whatever arrives', async () => {
    vi.stubEnv('MCP_LINE_MODE', '1');
    expect(isHeader(await serveBytes({ ping }, [header]))).toBe(false);
    vi.stubEnv('MCP_LINE_MODE', '0');
    expect(isHeader(await serveBytes({ ping }, [header]))).toBe(true);
  });

  it('is that of the option before that of the environment', async () => {
    vi.stubEnv('MCP_LINE_MODE', '1');
    expect(isHeader(await serveBytes({ ping }, [line], { framing: 'header' }))).toBe(true);
    expect(isHeader(await serveBytes({ ping }, [header], { framing: 'auto' }))).toBe(true);
    vi.unstubAllEnvs();
    expect(isHeader(await serveBytes({ ping }, [header], { framing: 'line' }))).toBe(false);
  });

  it('starts with the default until something arrives', async () => {
    for (const defaultFraming of FRAMINGS) {
      const { input, output, outcome } = serve(
        {},
        { defaultFraming, onPeer: (peer) => void peer.notify('hello') },
      );
      const [bytes] = await once(output, 'data');
      expect(isHeader(bytes)).toBe(defaultFraming === 'header');
      input.end();
      await outcome;
    }
  });

  it.each([
    ['1', 'line'],
    ['0', 'auto'],
    ['true', 'auto'],
    [undefined, 'auto'],
  ])('of the environment: MCP_LINE_MODE=%s gives %s', (value, framing) => {
    expect(framingFromEnv(value === undefined ? {} : { MCP_LINE_MODE: value })).toBe(framing);
  });
});

describe('bad options', () => {
  const refuse = (options: object, methods: unknown = new Dispatcher()): Promise<unknown> =>
    serveStdio(methods as Dispatcher, { input: new PassThrough(), ...options }).catch(
      (error: unknown) => error,
    );

  it.each<[object, string]>([
    [{ drainMs: -1 }, 'expected `drainMs` to be an integer of at least 0 or Infinity, got `-1`'],
    [
      { maxMessageByte: 5 },
      'unknown option `maxMessageByte` of serveStdio; did you mean `maxMessageBytes`?',
    ],
    [{ Framing: 'line' }, 'unknown option `Framing` of serveStdio; did you mean `framing`?'],
    [{ role: 'client' }, 'unknown option `role` of serveStdio'],
    [
      { framing: 'newline' },
      'expected `framing` to be one of `auto`, `line`, `header`, got `newline`',
    ],
    [{ oversize: 'drop' }, 'expected `oversize` to be one of `reject`, `fail`, got `drop`'],
  ])('%j is refused', async (options, message) => {
    expect(await refuse(options)).toMatchObject({ name: 'WireError', code: 'BAD_OPTION', message });
  });

  it.each([undefined, null, {}, { find: 1 }])('%j is no dispatcher', async (methods) => {
    expect(
      await serveStdio(methods as unknown as Dispatcher).catch((error: unknown) => error),
    ).toMatchObject({
      code: 'BAD_OPTION',
      message: 'expected a dispatcher: an object with `find(method)`',
    });
  });

  it('leave the input free for another try', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const bad = serveStdio(new Dispatcher(), { input, output, maxConcurrency: 0 });
    await expect(bad).rejects.toMatchObject({ code: 'BAD_OPTION' });
    input.end();
    await serveStdio(new Dispatcher(), { input, output });
  });
});

describe('one input', () => {
  it('is served once at a time, and again afterwards', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const controller = new AbortController();
    const first = serveStdio(new Dispatcher({ ping }), {
      input,
      output,
      signal: controller.signal,
    });
    await expect(serveStdio(new Dispatcher(), { input, output })).rejects.toMatchObject({
      code: 'BAD_STATE',
      message: 'this input is being served already',
    });
    controller.abort(new Error('next'));
    await expect(first).rejects.toThrow('next');
    const second = serveStdio(new Dispatcher({ ping }), { input, output });
    input.end(`${PING}\n`);
    await second;
    expect(messagesIn(output.read(output.readableLength))).toHaveLength(1);
  });

  it('is let go of when `onPeer` throws, which rejects', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const failure = new Error('not today');
    const failed = serveStdio(new Dispatcher(), {
      input,
      output,
      onPeer: () => {
        throw failure;
      },
    });
    await expect(failed).rejects.toBe(failure);
    expect(input.listenerCount('data')).toBe(0);
    input.end();
    await serveStdio(new Dispatcher(), { input, output });
  });
});

describe('calls of the server’s own', () => {
  it('go through the peer that `onPeer` gives, and end with the server', async () => {
    let peer: Peer | undefined;
    const { input, output, outcome } = serve(
      {},
      {
        onPeer: (given) => {
          peer = given;
        },
      },
    );
    const asked = peer?.request('roots/list');
    const [bytes] = await once(output, 'data');
    const [{ id } = {}] = messagesIn(bytes);
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: ['a'] })}\n`);
    expect(await asked).toEqual(['a']);
    const unanswered = peer?.request('roots/list').catch((error: unknown) => error);
    input.end();
    expect(await outcome).toBe('resolved');
    expect(await unanswered).toMatchObject({ code: 'SHUTDOWN', message: 'the server has ended' });
    expect(await unanswered).toBeInstanceOf(WireError);
  });

  it('uses the streams of the process unless others are given', async () => {
    const controller = new AbortController();
    const listeners = process.stdin.listenerCount('data');
    const served = serveStdio(new Dispatcher(), { signal: controller.signal });
    expect(process.stdin.listenerCount('data')).toBe(listeners + 1);
    controller.abort(new Error('over'));
    await expect(served).rejects.toThrow('over');
    expect(process.stdin.listenerCount('data')).toBe(listeners);
  });
});
