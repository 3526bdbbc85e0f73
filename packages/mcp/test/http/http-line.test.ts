import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readAnswer, readEvents } from '../../src/http/event-parser.ts';
import { HttpEnd, openHttpStreams, serverBackend } from '../../src/http.ts';
import { connectLine, httpLine, McpServer } from '../../src/index.ts';
import { tool } from '../exchange.ts';

const open: { http: Server; end: HttpEnd }[] = [];

afterEach(async () => {
  for (const { http, end } of open.splice(0)) {
    await end.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
});

async function serve(token?: string): Promise<string> {
  const server = new McpServer({
    name: 'remote',
    version: '1',
    tools: [
      tool('echo', ({ text }) => String(text), {
        inputSchema: {
          type: 'object',
          properties: { text: { type: 'string', 'x-mcp-header': 'Text' } },
        },
      }),
      tool('count', (_, context) => {
        context.progress(1, 2);
        context.progress(2, 2);
        return 'counted';
      }),
      tool('ask', async (_, context) => {
        const { content } = await context.elicit('?', {
          type: 'object',
          properties: { a: { type: 'string' } },
        });
        return String(content?.['a']);
      }),
      tool(
        'hang',
        (_, { signal }) =>
          new Promise((resolve) => signal.addEventListener('abort', () => resolve(''))),
      ),
    ],
  });
  const end = new HttpEnd(serverBackend(server), token === undefined ? {} : { token });
  const http = createServer(end.listener);
  open.push({ http, end });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

describe.each(['legacy', 'modern'] as const)('our client over HTTP, %s', (era) => {
  it('lists, calls, follows progress, answers questions and cancels', async () => {
    const url = await serve();
    await using client = await connectLine(httpLine({ url }), {
      era,
      elicit: async () => ({ action: 'accept', content: { a: 'answered' } }),
    });
    expect(client.agreement.era).toBe(era);
    expect(await client.listTools()).toHaveLength(4);
    expect(await client.callTool('echo', { text: '世界' })).toMatchObject({
      content: [{ text: '世界' }],
    });
    const seen: number[] = [];
    await client.callTool('count', {}, { onProgress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1, 2]);
    expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'answered' }] });
    const signal = AbortSignal.timeout(50);
    await expect(client.callTool('hang', {}, { signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    await expect(client.callTool('nope')).rejects.toMatchObject({ rpcCode: -32602 });
  });
});

describe('our client over HTTP', () => {
  it('finds out the era', async () => {
    await using client = await connectLine(httpLine({ url: await serve() }));
    expect(client.agreement).toMatchObject({ era: 'modern', serverInfo: { name: 'remote' } });
  });

  it('sends the headers it was given, and says what the server answered without them', async () => {
    const url = await serve('secret');
    const headers = { authorization: 'Bearer secret' };
    await using client = await connectLine(httpLine({ url, headers }));
    await client.ping();
    await expect(connectLine(httpLine({ url }))).rejects.toThrow(
      'expected the header `Authorization: Bearer <token>`',
    );
  });

  it('says so when nobody is there', async () => {
    await expect(connectLine(httpLine({ url: 'http://127.0.0.1:9/mcp' }))).rejects.toMatchObject({
      code: 'REMOTE',
    });
  });
});

describe('readEvents', () => {
  async function* chunks(...parts: string[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) yield new TextEncoder().encode(part);
  }

  it.each([
    ['whole', ['id: 1\nretry: 20\ndata: {"a":1}\n\n']],
    ['in pieces', ['id: 1\nre', 'try: 20\nda', 'ta: {"a":1}\n', '\n']],
    ['with CRLF', ['id: 1\r\nretry: 20\r\ndata: {"a":1}\r\n\r\n']],
    ['with comments', [': hello\nid: 1\nretry: 20\ndata: {"a":1}\n\n']],
  ])('reads an event that comes %s', async (_, parts) => {
    const events = [];
    for await (const event of readEvents(chunks(...parts))) events.push(event);
    expect(events).toEqual([{ id: '1', retryMs: 20, data: '{"a":1}' }]);
  });
});

describe('a stream that ends without its answer', () => {
  async function broken(
    onGet: (lastEventId: unknown) => string | undefined,
    id = '',
  ): Promise<string> {
    const http = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const events = { 'content-type': 'text/event-stream' };
      if (request.method === 'GET') {
        const text = onGet(request.headers['last-event-id']);
        if (text === undefined) response.writeHead(405).end();
        else response.writeHead(200, events).end(text);
        return;
      }
      const message = body === '' ? {} : JSON.parse(body);
      if (message.method === 'initialize') {
        const result = {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 'x' },
        };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      } else if (message.id === undefined) response.writeHead(202).end();
      else response.writeHead(200, events).end(`${id}retry: 1\ndata: \n\n`);
    });
    const end = new HttpEnd(serverBackend(new McpServer({ name: 'x', version: '1', tools: [] })));
    open.push({ http, end });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  }

  it.each(['legacy', 'modern'] as const)('fails the request at once, %s', async (era) => {
    const url = await broken(() => undefined, era === 'modern' ? 'id: 7\n' : '');
    await using client = await connectLine(httpLine({ url }), { era, timeoutMs: 5_000 }).catch(
      (error: unknown) => {
        if (era === 'modern') return { error, [Symbol.asyncDispose]: async () => undefined };
        throw error;
      },
    );
    const failure =
      'error' in client ? Promise.reject(client.error) : client.ping({ timeoutMs: 0 });
    await expect(failure).rejects.toThrow(/ended before its answer/);
  });

  it('is taken up again where the server gave it ids', async () => {
    const asked: unknown[] = [];
    const url = await broken((lastEventId) => {
      if (lastEventId === undefined) return undefined;
      asked.push(lastEventId);
      return `data: {"jsonrpc":"2.0","id":2,"result":{}}\n\n`;
    }, 'id: 7\n');
    const streams = openHttpStreams({ url });
    streams.output.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    const [line] = await once(streams.input, 'data');
    expect([String(line), asked]).toEqual(['{"jsonrpc":"2.0","id":2,"result":{}}\n', ['7']]);
    await streams.close();
  });
});

it('sends a token, and refuses one that a header cannot carry', async () => {
  const url = await serve('open-sesame');
  await using client = await connectLine(httpLine({ url, token: 'open-sesame' }));
  expect(await client.listTools()).toHaveLength(4);
  expect(() => openHttpStreams({ url, token: 'a\r\nb' })).toThrow(/visible ASCII/);
});

describe('an answer without end', () => {
  let sent = 0;
  async function* endless(text: string): AsyncGenerator<Uint8Array> {
    for (sent = 0; ; sent++) yield Buffer.from(text);
  }

  it('is given up at the limit, as a stream and as a body', async () => {
    const events = readEvents(endless('x'.repeat(1_000)), 10_000);
    await expect(events.next()).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(sent).toBe(10);
    const body = readAnswer(endless('x'.repeat(1_000)), 10_000);
    await expect(body).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(sent).toBe(10);
  });

  it('of small events is read for as long as it goes on', async () => {
    let count = 0;
    for await (const { data } of readEvents(endless('data: abc\n\n'), 20)) {
      expect(data).toBe('abc');
      if (++count === 1_000) break;
    }
  });

  it.each(['application/json', 'text/event-stream'])('fails its request: %s', async (type) => {
    const http = createServer((_, response) => {
      response.writeHead(200, { 'content-type': type });
      const piece = Buffer.alloc(1024 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    });
    const end = new HttpEnd(serverBackend(new McpServer({ name: 'x', version: '1', tools: [] })));
    open.push({ http, end });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const streams = openHttpStreams({ url });
    streams.output.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    const [line] = await once(streams.input, 'data');
    expect(JSON.parse(String(line))).toMatchObject({
      id: 2,
      error: { message: expect.stringContaining('expected an answer of at most 67108864 bytes') },
    });
    await streams.close();
  });
});
