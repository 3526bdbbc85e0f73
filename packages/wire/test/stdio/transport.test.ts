import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StdioClientTransport, StdioServerTransport } from '../../src/index.ts';
import { until } from '../e2e/until.ts';

interface Ends {
  readonly transport: StdioServerTransport;
  readonly input: PassThrough;
  readonly messages: unknown[];
  readonly errors: Error[];
  /** What was written so far. */
  readonly written: () => string;
  readonly closes: () => number;
}

async function open(
  options: ConstructorParameters<typeof StdioServerTransport>[0] = {},
): Promise<Ends> {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new StdioServerTransport({ ...options, input, output });
  const messages: unknown[] = [];
  const errors: Error[] = [];
  let text = '';
  let closes = 0;
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = (error) => errors.push(error);
  transport.onclose = () => closes++;
  await transport.start();
  return { transport, input, messages, errors, written: () => text, closes: () => closes };
}

describe('StdioServerTransport whose answers nobody reads', () => {
  it('delivers no further message until they have left, and loses none', async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1000 });
    const transport = new StdioServerTransport({ input, output, maxQueuedBytes: 50_000 });
    const ids: unknown[] = [];
    transport.onmessage = ({ id }) => {
      ids.push(id);
      void transport.send({ jsonrpc: '2.0', id, result: 'x'.repeat(10_000) });
    };
    await transport.start();
    const calls = Array.from({ length: 100 }, (_, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'give' }),
    );
    input.write(`${calls.join('\n')}\n`);
    for (let i = 0; i < 20; i++) await turn();
    expect(ids.length).toBeLessThanOrEqual(6);
    expect(input.isPaused()).toBe(true);
    const refused = transport.send({ jsonrpc: '2.0', method: 'note' });
    await expect(refused).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    output.resume();
    await until(() => ids.length === 100);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, id) => id));
    await transport.close();
  });

  it.each([0, -1, 1.5])('refuses `maxQueuedBytes` of %d', (maxQueuedBytes) => {
    expect(() => new StdioServerTransport({ maxQueuedBytes })).toThrow('`maxQueuedBytes`');
    expect(() => new StdioClientTransport({ command: 'x', maxQueuedBytes })).toThrow(
      '`maxQueuedBytes`',
    );
  });
});

describe('StdioServerTransport on streams of its own', () => {
  it('delivers messages in order and writes answers as lines', async () => {
    const { transport, input, messages, written } = await open();
    input.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","method":"b"}\n');
    await until(() => messages.length === 2);
    expect(messages).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a' },
      { jsonrpc: '2.0', method: 'b' },
    ]);
    await transport.send({ jsonrpc: '2.0', id: 1, result: 'line\nbreak' });
    await until(() => written() !== '');
    expect(written()).toBe('{"jsonrpc":"2.0","id":1,"result":"line\\nbreak"}\n');
  });

  it('answers in Content-Length frames when it is spoken to in them', async () => {
    const { transport, input, messages, written } = await open();
    const text = '{"jsonrpc":"2.0","id":1,"method":"é"}';
    input.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    await until(() => messages.length === 1);
    await transport.send({ id: 1 });
    await until(() => written() !== '');
    expect(written()).toBe('Content-Length: 8\r\n\r\n{"id":1}');
  });

  it('answers in lines all the same when told so', async () => {
    const { transport, input, messages, written } = await open({ framing: 'line' });
    input.write('Content-Length: 8\r\n\r\n{"id":1}');
    await until(() => messages.length === 1);
    await transport.send({ id: 1 });
    await until(() => written() !== '');
    expect(written()).toBe('{"id":1}\n');
  });

  it('takes a batch apart, which the SDKs do not know', async () => {
    const { input, messages } = await open();
    input.write('[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]\n');
    await until(() => messages.length === 2);
    expect(messages).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it('refuses a message over the limit by its id and goes on', async () => {
    const { input, messages, errors, written } = await open({ maxMessageBytes: 100 });
    input.write(`{"jsonrpc":"2.0","id":"big","method":"${'x'.repeat(200)}"}\n`);
    input.write('{"jsonrpc":"2.0","id":2,"method":"b"}\n');
    await until(() => messages.length === 1 && written() !== '');
    expect(JSON.parse(written())).toMatchObject({
      id: 'big',
      error: { code: -32600, data: { limit: 100, size: 240 } },
    });
    expect(errors).toMatchObject([{ code: 'TOO_LARGE' }]);
  });

  it('does not answer junk for ever', async () => {
    const { input, errors, written } = await open();
    input.write('junk\n'.repeat(500));
    await until(() => errors.length === 500);
    await turn();
    const answers = written().trimEnd().split('\n');
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.length).toBeLessThan(200);
  });

  it('goes on when a listener throws', async () => {
    const { transport, input, errors } = await open();
    const seen: unknown[] = [];
    transport.onmessage = (message) => {
      seen.push(message);
      throw new Error('a bug in the listener');
    };
    input.write('{"id":1}\n{"id":2}\n');
    await until(() => seen.length === 2);
    expect(errors).toMatchObject([{ message: 'a bug in the listener' }, {}]);
  });

  it('closes at the end of input once every call has its answer', async () => {
    const { transport, input, messages, written, closes } = await open();
    input.end('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":1.5,"method":"b"}');
    await until(() => messages.length === 2);
    await transport.send({ jsonrpc: '2.0', id: 1, result: 1 });
    await turn();
    expect(closes()).toBe(0);
    await transport.send({ jsonrpc: '2.0', id: 1.5, error: { code: 1, message: 'no' } });
    await until(() => closes() === 1);
    expect(written().trimEnd().split('\n')).toHaveLength(2);
  });

  it('does not wait for the answer to a call that was cancelled', async () => {
    const { input, closes } = await open();
    input.write('{"jsonrpc":"2.0","id":"c","method":"a"}\n');
    input.end('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}\n');
    await until(() => closes() === 1, { ms: 1500, what: 'the close' });
  });

  it('closes with an error when its output breaks', async () => {
    const { transport, errors, closes } = await open();
    const output = new PassThrough();
    output.destroy(new Error('EPIPE'));
    const broken = new StdioServerTransport({ input: new PassThrough(), output });
    broken.onerror = (error) => errors.push(error);
    await broken.start();
    await until(() => errors.length > 0);
    expect(errors[0]).toMatchObject({ code: 'IO' });
    await expect(broken.send({})).rejects.toMatchObject({ name: 'WireError' });
    await transport.close();
    expect(closes()).toBe(1);
  });

  it('refuses a second start', async () => {
    const { transport } = await open();
    await expect(transport.start()).rejects.toMatchObject({ code: 'BAD_STATE' });
  });
});

describe('StdioClientTransport', () => {
  it('leaves no process when it is closed while it starts', async () => {
    const transport = new StdioClientTransport({ command: 'cat' });
    const starting = transport.start().catch((error: unknown) => error);
    await transport.close();
    expect(await starting).toMatchObject({ code: 'SHUTDOWN' });
  });
});
