import { EventEmitter, once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpEnd, type HttpEndOptions, serverBackend } from '../../src/http.ts';
import { McpServer, type ServerDefinition } from '../../src/index.ts';
import { modern, tool } from '../exchange.ts';

const open: { http: Server; end: HttpEnd }[] = [];

afterEach(async () => {
  for (const { http, end } of open.splice(0)) {
    await end.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
});

const tools = [
  tool('echo', ({ text }) => String(text), {
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        region: { type: 'string', 'x-mcp-header': 'Region' },
      },
    },
  }),
  tool('talk', (_, context) => {
    context.progress(1, 2);
    return 'done';
  }),
  tool('ask', async (_, context) => {
    const { action } = await context.elicit('?', { type: 'object', properties: {} });
    return action;
  }),
];

async function serve(
  options: HttpEndOptions = {},
  definition: Partial<ServerDefinition> = {},
): Promise<string> {
  const server = new McpServer({ name: 'test', version: '1', tools, ...definition });
  const end = new HttpEnd(serverBackend(server), options);
  const http = createServer(end.listener);
  open.push({ http, end });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

const ACCEPT = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: { ...ACCEPT, ...headers }, body: text });
}

function postModern(
  url: string,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const name = (params as { name?: string }).name;
  return post(
    url,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, ...modern() } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
      ...headers,
    },
  );
}

async function initialize(url: string, capabilities: object = {}): Promise<Record<string, string>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'c', version: '1' },
  };
  const response = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
  expect(response.status).toBe(200);
  const headers = {
    'mcp-session-id': response.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  const done = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  expect(done.status).toBe(202);
  return headers;
}

/** The messages of an event stream, read to its end. */
async function eventsOf(response: Response): Promise<{ id: string; data: unknown }[]> {
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return (await response.text())
    .split('\n\n')
    .filter((block) => block.includes('data: {'))
    .map((block) => ({
      id: /^id: (.*)$/m.exec(block)?.[1] ?? '',
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '') as unknown,
    }));
}

describe('a modern POST', () => {
  it('is answered with JSON when there is nothing to say before the answer', async () => {
    const response = await postModern(await serve(), 'tools/call', {
      name: 'echo',
      arguments: { text: 'hi' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { resultType: 'complete', content: [{ text: 'hi' }] },
    });
  });

  it('is answered with a stream when there is', async () => {
    const url = await serve();
    const params = { name: 'talk', ...modern({}, { progressToken: 't' }) };
    const response = await post(
      url,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'talk' },
    );
    const events = await eventsOf(response);
    expect(events.map(({ data }) => data)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 't', progress: 1 } },
      { id: 1, result: {} },
    ]);
  });

  it.each([
    ['an unknown method', 'no/such', {}, {}, 404, -32601],
    ['a wrong method header', 'tools/list', {}, { 'mcp-method': 'prompts/list' }, 400, -32020],
    ['a wrong name header', 'tools/call', { name: 'echo' }, { 'mcp-name': 'talk' }, 400, -32020],
    [
      'a wrong version header',
      'tools/list',
      {},
      { 'mcp-protocol-version': '2025-11-25' },
      400,
      -32020,
    ],
    [
      'an unmirrored argument',
      'tools/call',
      { name: 'echo', arguments: { region: 'eu' } },
      {},
      400,
      -32020,
    ],
    ['a capability the client lacks', 'tools/call', { name: 'ask' }, {}, 400, -32021],
  ])('with %s is refused', async (_, method, params, headers, status, code) => {
    const response = await postModern(await serve(), method, params, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ id: 1, error: { code } });
  });

  it('accepts an argument that its header repeats', async () => {
    const url = await serve();
    const params = { name: 'echo', arguments: { text: 'x', region: '世界' } };
    const response = await postModern(url, 'tools/call', params, {
      'mcp-param-region': '=?base64?5LiW55WM?=',
    });
    expect(response.status).toBe(200);
  });

  it.each([
    [{}, -32602],
    [{ _meta: { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' } }, -32022],
  ])('with the envelope %o is refused with 400', async (params, code) => {
    const url = await serve();
    const version = code === -32022 ? '1900-01-01' : '2026-07-28';
    const message = { jsonrpc: '2.0', id: 'x', method: 'tools/list', params };
    const response = await post(url, message, {
      'mcp-protocol-version': version,
      'mcp-method': 'tools/list',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 'x', error: { code } });
  });

  it('is cancelled when its connection closes', async () => {
    const aborted = new Promise<void>((resolve) => {
      tools.push(
        tool('wait', (_, context) => {
          context.log('info', 'started');
          return new Promise((done) => {
            context.signal.addEventListener('abort', () => {
              resolve();
              done('');
            });
          });
        }),
      );
    });
    const url = await serve({}, { tools, logging: true });
    const abort = new AbortController();
    const response = await fetch(url, {
      method: 'POST',
      signal: abort.signal,
      headers: {
        ...ACCEPT,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'wait',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'wait', ...modern({}, { 'io.modelcontextprotocol/logLevel': 'info' }) },
      }),
    });
    expect(response.status).toBe(200);
    abort.abort();
    await aborted;
    tools.pop();
  });
});

describe('a legacy session', () => {
  it('begins with initialize and ends with DELETE', async () => {
    const url = await serve();
    const headers = await initialize(url);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await post(url, list, headers)).status).toBe(200);
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
    expect((await post(url, list, headers)).status).toBe(404);
  });

  it.each([
    ['no session', {}, 400],
    ['an unknown session', { 'mcp-session-id': 'x' }, 404],
    ['an unknown version', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['an accept header without streams', { accept: 'application/json' }, 406],
    ['another content type', { 'content-type': 'text/plain' }, 415],
  ])('refuses a request with %s', async (_, headers, status) => {
    const url = await serve();
    const session =
      status === 400 && 'mcp-protocol-version' in headers ? await initialize(url) : {};
    const response = await post(
      url,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { ...session, ...headers },
    );
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty('error');
  });

  /** Makes a call, id 5, that has got as far as its question. */
  async function ask(url: string): Promise<{
    headers: Record<string, string>;
    id: number;
    rest: () => Promise<string>;
  }> {
    const headers = await initialize(url, { elicitation: {} });
    const call = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'ask' } };
    const response = await post(url, call, headers);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('elicitation/create')) text += (await reader?.read())?.value ?? '';
    const { id } = JSON.parse(/^data: (.*elicitation.*)$/m.exec(text)?.[1] ?? '') as { id: number };
    const rest = async (): Promise<string> => {
      let said = '';
      for (;;) {
        const { done, value = '' } = (await reader?.read()) ?? { done: true };
        said += value;
        if (done) return said;
      }
    };
    return { headers, id, rest };
  }

  it.each([
    ['a result', { result: { action: 'decline' } }, '"text":"decline"'],
    ['an error', { error: { code: 7, message: 'nobody is there' } }, '"text":"nobody is there"'],
    ['an empty error', { error: {} }, '"text":"the client failed"'],
  ])('carries questions on the stream of the call, and %s in a POST', async (_, answer, said) => {
    const url = await serve();
    const { headers, id, rest } = await ask(url);
    expect((await post(url, { jsonrpc: '2.0', id, ...answer }, headers)).status).toBe(202);
    const text = await rest();
    expect(text).toContain('"id":5');
    expect(text).toContain(said);
  });

  it.each([
    [
      'the client cancels',
      (url: string, headers: Record<string, string>) =>
        post(
          url,
          { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } },
          headers,
        ),
    ],
    [
      'the session ends',
      (url: string, headers: Record<string, string>) => fetch(url, { method: 'DELETE', headers }),
    ],
  ])('ends a question without an answer when %s', async (_, end) => {
    const url = await serve();
    const { headers, rest } = await ask(url);
    await end(url, headers);
    expect(await rest()).not.toContain('"id":5');
  });

  it('gives the rest of a stream to a client that lost it', async () => {
    const url = await serve();
    const headers = await initialize(url);
    const params = { name: 'talk', _meta: { progressToken: 1 } };
    const response = await post(
      url,
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params },
      headers,
    );
    const events = await eventsOf(response);
    expect(events).toHaveLength(2);
    const resumed = await fetch(url, {
      headers: { ...headers, accept: 'text/event-stream', 'last-event-id': events[0]?.id ?? '' },
    });
    const reader = resumed.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? '';
    expect(text).toContain('"id":5');
    await reader?.cancel();
  });

  it('answers batches', async () => {
    const url = await serve();
    const headers = await initialize(url);
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'nope' },
    ];
    expect(await (await post(url, batch, headers)).json()).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32601 } },
    ]);
  });

  it('hears of changed lists on its own stream', async () => {
    const server = new McpServer({ name: 'test', version: '1', tools: [], listChanged: true });
    const end = new HttpEnd(serverBackend(server));
    const http = createServer(end.listener);
    open.push({ http, end });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const headers = await initialize(url);
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
    server.listChanged('tools');
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('notifications/tools/list_changed');
    await reader?.cancel();
  });
});

describe('access', () => {
  /** A request with headers that `fetch` does not let through. */
  function statusOf(
    url: string,
    headers: Record<string, string>,
    method = 'POST',
  ): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method, headers: { ...ACCEPT, ...headers } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : undefined);
    });
  }

  it.each([
    ['a foreign host', { host: 'evil.example.com' }, 403],
    ['a foreign origin', { origin: 'http://evil.example.com' }, 403],
    ['an origin that only starts like ours', { origin: 'http://localhost.evil.com' }, 403],
    ['the null origin', { origin: 'null' }, 403],
    ['a local origin', { origin: 'http://localhost:3000' }, 400],
    ['a local host', { host: 'localhost:1' }, 400],
    ['the IPv6 host', { host: '[::1]:1' }, 400],
  ])('for %s is decided by name', async (_, headers, status) => {
    expect(await statusOf(await serve(), headers)).toBe(status);
  });

  it('can be widened by name and closed by a token', async () => {
    const url = await serve({
      allowedHosts: ['memory.example.com'],
      allowedOrigins: ['https://app.example.com'],
      token: 'secret',
    });
    const host = 'memory.example.com';
    const authorization = 'Bearer secret';
    expect(await statusOf(url, { host })).toBe(401);
    expect(await statusOf(url, { host, authorization: 'Bearer secreT' })).toBe(401);
    expect(await statusOf(url, { host, authorization })).toBe(400);
    expect(await statusOf(url, { host, authorization, origin: 'https://app.example.com' })).toBe(
      400,
    );
  });

  it.each([
    ['PUT', 405],
    ['GET', 405],
    ['DELETE', 405],
  ])('by %s without a session is %d', async (method, status) => {
    expect(await statusOf(await serve(), {}, method)).toBe(status);
  });

  it.each([
    ['{', 400, -32700],
    ['[]', 400, -32600],
    ['7', 400, -32600],
    [`{"x":"${'y'.repeat(200)}"}`, 413, -32600],
  ])('with the body %s is refused', async (body, status, code) => {
    const response = await post(await serve({ maxBodyBytes: 100 }), body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it('with a body that grows too large as it comes is refused', async () => {
    const url = await serve({ maxBodyBytes: 100 });
    const body = new ReadableStream({
      start: (controller) => {
        for (let n = 0; n < 5; n++) controller.enqueue(new TextEncoder().encode(' '.repeat(50)));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: ACCEPT, body, duplex: 'half' };
    expect((await fetch(url, init as RequestInit)).status).toBe(413);
  });

  it('whose back end fails is 500 and tells nothing about it', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('secret path'));
    const end = new HttpEnd({ modern: fail, open: fail, close: async () => undefined });
    const http = createServer(end.listener);
    open.push({ http, end });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const response = await postModern(
      `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
      'tools/list',
    );
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
  });

  it('refuses sessions beyond the limit and keeps those there are', async () => {
    const url = await serve({ maxSessions: 1 });
    const first = await initialize(url);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const second = await post(url, { ...ping, method: 'initialize', params: {} });
    expect([second.status, await second.text()]).toEqual([
      503,
      expect.stringContaining('at most 1 sessions'),
    ]);
    expect((await post(url, ping, first)).status).toBe(200);
  });

  it('ends a session without traffic, but none with a call or a stream', async () => {
    const release = new EventEmitter();
    const released = once(release, 'done').then(() => 'done');
    const url = await serve({ sessionTimeoutMs: 40 }, { tools: [tool('wait', () => released)] });
    const [idle, calling, listening] = [
      await initialize(url),
      await initialize(url),
      await initialize(url),
    ];
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait' } };
    const answer = post(url, call, calling);
    const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...listening } });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    await expect
      .poll(async () => (await post(url, ping, idle)).status, { interval: 100, timeout: 10_000 })
      .toBe(404);
    release.emit('done');
    expect(await (await answer).text()).toContain('done');
    expect((await post(url, ping, listening)).status).toBe(200);
    await stream.body?.cancel();
  });

  it.each(['application/json-patch+json', 'application/jsonp', 'text/plain'])(
    'takes no body of type %s',
    async (type) => {
      expect((await post(await serve(), '{}', { 'content-type': type })).status).toBe(415);
    },
  );

  it.each(['', 'two words', 'line\nbreak'])(
    'takes no token that a header cannot carry',
    (token) => {
      const server = new McpServer({ name: 'test', version: '1', tools });
      expect(() => new HttpEnd(serverBackend(server), { token })).toThrow(/visible ASCII/);
    },
  );

  it('challenges who comes without the token, in whichever case the scheme is', async () => {
    const url = await serve({ token: 'open-sesame', tokenHint: 'look under the mat' });
    const refused = await postModern(url, 'tools/list');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await refused.text()).toContain('To get the token: look under the mat');
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const authorization = `${scheme} open-sesame`;
      expect((await postModern(url, 'tools/list', {}, { authorization })).status).toBe(200);
    }
  });

  it.each(['Host: 127.0.0.1', 'Authorization: Bearer x'])(
    'refuses a request with two of a header: %s',
    async (header) => {
      const { port } = new URL(await serve());
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer x\r\n${header}\r\n\r\n`,
      );
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
      socket.destroy();
    },
  );
});
