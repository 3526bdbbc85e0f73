import { type MethodTable, ProcessExitedError, RpcError, TimeoutError } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, connectLine, type Line, type McpClient } from '../../src/index.ts';

type Request = { readonly method: string; readonly params: Record<string, unknown> };

/** A server played by a function; records what it was asked. */
class FakeServer {
  readonly requests: Request[] = [];
  readonly notifications: string[] = [];
  opened = 0;
  closed = 0;
  methods: MethodTable | undefined;
  tell: (method: string, params: unknown) => void = () => undefined;
  readonly #answer: (request: Request, server: FakeServer) => unknown;

  constructor(answer: (request: Request, server: FakeServer) => unknown) {
    this.#answer = answer;
  }

  readonly open = async (methods: MethodTable): Promise<Line> => {
    this.opened++;
    this.methods = methods;
    return {
      request: async (method, params) => {
        const request = { method, params: (params ?? {}) as Record<string, unknown> };
        this.requests.push(request);
        return this.#answer(request, this);
      },
      notify: async (method) => void this.notifications.push(method),
      close: async () => void this.closed++,
      onNotification: (listener) => {
        this.tell = listener;
      },
    };
  };

  connect(options: ClientOptions = {}): Promise<McpClient> {
    return connectLine(this.open, options);
  }
}

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
  instructions: 'old',
};
const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  instructions: 'new',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '2' } },
};

function legacy(answer: (request: Request) => unknown = () => ({})): FakeServer {
  return new FakeServer((request) => {
    if (request.method === 'server/discover') throw new RpcError(-32601, 'Method not found');
    return request.method === 'initialize' ? INITIALIZED : answer(request);
  });
}

function modern(answer: (request: Request) => unknown = () => ({})): FakeServer {
  return new FakeServer((request) =>
    request.method === 'server/discover' ? DISCOVERED : answer(request),
  );
}

describe('connecting', () => {
  it('to a modern server takes one question', async () => {
    const server = modern();
    const client = await server.connect();
    expect(client.agreement).toEqual({
      era: 'modern',
      protocolVersion: '2026-07-28',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '2' },
      instructions: 'new',
    });
    expect(server.requests.map(({ method }) => method)).toEqual(['server/discover']);
  });

  it.each([
    ['does not know the question', () => new RpcError(-32601, 'Method not found')],
    ['has another code for that', () => new RpcError(-32000, 'Bad Request')],
    ['wants the handshake first', () => new RpcError(-32600, 'not initialized')],
    ['does not answer', () => new TimeoutError('late', 1, 'idle')],
  ])('to a server that %s falls back to the handshake', async (_, failure) => {
    const server = new FakeServer(({ method }) => {
      if (method === 'server/discover') throw failure();
      return INITIALIZED;
    });
    const client = await server.connect();
    expect(client.agreement).toMatchObject({ era: 'legacy', protocolVersion: '2025-06-18' });
    expect(server.notifications).toEqual(['notifications/initialized']);
    expect(server.opened).toBe(1);
  });

  it('to a server that leaves at the question starts it anew for the handshake', async () => {
    const exit = {
      phase: 'running',
      exitCode: 1,
      signal: null,
      uptimeMs: 1,
      stderrTail: '',
      strayLines: [],
    } as const;
    const server = new FakeServer(({ method }) => {
      if (method === 'server/discover') throw new ProcessExitedError('gone', exit);
      return INITIALIZED;
    });
    const client = await server.connect();
    expect(client.agreement.era).toBe('legacy');
    expect([server.opened, server.closed]).toEqual([2, 1]);
  });

  it('to a modern server of another version tries a version in common', async () => {
    let count = 0;
    const server = new FakeServer(() => {
      if (count++ > 0) return DISCOVERED;
      throw new RpcError(-32022, 'unsupported', { supported: ['2026-07-28'], requested: 'x' });
    });
    expect((await server.connect()).agreement.era).toBe('modern');
    expect(count).toBe(2);
  });

  it('to a modern server without a version in common fails and does not fall back', async () => {
    const server = new FakeServer(() => {
      throw new RpcError(-32022, 'unsupported', { supported: ['2099-01-01'] });
    });
    await expect(server.connect()).rejects.toMatchObject({ rpcCode: -32022 });
    expect(server.requests).toHaveLength(1);
    expect(server.closed).toBe(1);
  });

  it.each([
    [['2099-01-01', '2025-11-25'], 'legacy'],
    [['2099-01-01', '2026-07-28'], 'modern'],
  ])('to a server that says it speaks %o settles on the %s era', async (supportedVersions, era) => {
    const server = new FakeServer(({ method }) =>
      method === 'initialize' ? INITIALIZED : { ...DISCOVERED, supportedVersions },
    );
    expect((await server.connect()).agreement.era).toBe(era);
  });

  it('to a server that speaks nothing known fails and says what it speaks', async () => {
    const server = new FakeServer(() => ({ ...DISCOVERED, supportedVersions: ['2099-01-01'] }));
    await expect(server.connect()).rejects.toMatchObject({
      code: 'PARSE',
      message: 'no protocol version in common: the server speaks 2099-01-01',
    });
  });

  it('fails when the handshake ends in a version nobody knows', async () => {
    const server = new FakeServer(({ method }) => {
      if (method === 'server/discover') throw new RpcError(-32601, 'no');
      return { ...INITIALIZED, protocolVersion: '1999-01-01' };
    });
    await expect(server.connect()).rejects.toMatchObject({ code: 'PARSE' });
    expect(server.closed).toBe(1);
  });

  it('asks nothing where the era is given', async () => {
    const old = legacy();
    await old.connect({ era: 'legacy' });
    expect(old.requests.map(({ method }) => method)).toEqual(['initialize']);
    const silent = new FakeServer(() => ({}));
    expect((await silent.connect({ era: 'modern' })).agreement.era).toBe('modern');
  });

  it('remembers the era of a server it met before', async () => {
    const server = legacy();
    await connectLine(server.open, {}, 'a server with a name');
    await connectLine(server.open, {}, 'a server with a name');
    expect(server.requests.map(({ method }) => method)).toEqual([
      'server/discover',
      'initialize',
      'initialize',
    ]);
  });

  it('declares what it can do for the server', async () => {
    const server = legacy();
    await server.connect({
      name: 'me',
      version: '9',
      elicit: async () => ({ action: 'decline' }),
      roots: async () => [],
      capabilities: { experimental: { x: {} } },
    });
    expect(server.requests.at(-1)?.params).toEqual({
      protocolVersion: '2025-11-25',
      clientInfo: { name: 'me', version: '9' },
      capabilities: { elicitation: { form: {}, url: {} }, roots: {}, experimental: { x: {} } },
    });
  });
});

describe('a client', () => {
  it('puts the envelope of the era around its requests', async () => {
    const server = modern(() => ({ tools: [] }));
    const client = await server.connect({ name: 'me', version: '9' });
    await client.setLogLevel('warning');
    await client.listTools();
    expect(server.requests.at(-1)?.params).toEqual({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'me', version: '9' },
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/logLevel': 'warning',
      },
    });
    const old = legacy(() => ({ tools: [] }));
    const oldClient = await old.connect();
    await oldClient.setLogLevel('warning');
    await oldClient.listTools();
    expect(old.requests.slice(-2)).toEqual([
      { method: 'logging/setLevel', params: { level: 'warning' } },
      { method: 'tools/list', params: {} },
    ]);
  });

  it('lists all pages, an empty cursor among them', async () => {
    const pages: Record<string, object> = {
      start: { prompts: [{ name: 'a' }], nextCursor: '' },
      '': { prompts: [{ name: 'b' }], nextCursor: 'c2' },
      c2: { prompts: [{ name: 'c' }] },
    };
    const server = legacy(({ params }) => pages[String(params['cursor'] ?? 'start')]);
    const client = await server.connect();
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('gives up on a list without end', async () => {
    const server = legacy(() => ({ resources: [], nextCursor: 'more' }));
    const client = await server.connect();
    await expect(client.listResources()).rejects.toMatchObject({ code: 'PARSE' });
  });

  it.each([
    ['listTools', {}],
    ['listResources', { resources: 'x' }],
    ['listResourceTemplates', null],
  ] as const)('refuses an answer to %s without the list', async (method, answer) => {
    const client = await legacy(() => answer).connect();
    await expect(client[method]()).rejects.toMatchObject({ code: 'PARSE' });
  });

  it('checks structured results against the schema of the tool', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const results: Record<string, object> = {
      good: { content: [], structuredContent: { n: 1 } },
      bad: { content: [], structuredContent: { n: 'x' } },
      failed: { content: [], structuredContent: {}, isError: true },
    };
    const server = legacy(({ method, params }) =>
      method === 'tools/list'
        ? {
            tools: Object.keys(results).map((name) => ({
              name,
              inputSchema: { type: 'object' },
              outputSchema,
            })),
          }
        : results[String(params['name'])],
    );
    const client = await server.connect();
    expect((await client.callTool('good')).structuredContent).toEqual({ n: 1 });
    expect((await client.callTool('failed')).isError).toBe(true);
    await expect(client.callTool('bad')).rejects.toThrow('`n` expected number, got string');
    const lists = (): number =>
      server.requests.filter(({ method }) => method === 'tools/list').length;
    expect(lists()).toBe(1);
    server.tell('notifications/tools/list_changed', {});
    await client.callTool('good');
    expect(lists()).toBe(2);
  });

  it('refuses a tool answer without content', async () => {
    const client = await legacy(() => ({})).connect();
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'PARSE' });
  });

  it('answers the questions of a modern server and calls again with the state it was given', async () => {
    let round = 0;
    const server = modern(({ params }) => {
      if (round++ > 0)
        return { content: [{ type: 'text', text: JSON.stringify(params['inputResponses']) }] };
      return {
        resultType: 'input_required',
        requestState: 'opaque',
        inputRequests: {
          form: {
            method: 'elicitation/create',
            params: { message: 'm', requestedSchema: { properties: { a: { default: 1 }, b: {} } } },
          },
          roots: { method: 'roots/list', params: {} },
        },
      };
    });
    const client = await server.connect({
      elicit: async () => ({ action: 'accept', content: { b: 2 } }),
      roots: async () => [{ uri: 'file:///x' }],
    });
    const { content } = await client.callTool('ask');
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual({
      form: { action: 'accept', content: { a: 1, b: 2 } },
      roots: { roots: [{ uri: 'file:///x' }] },
    });
    expect(server.requests.at(-1)?.params).toMatchObject({ name: 'ask', requestState: 'opaque' });
  });

  it('gives up on a server that never stops asking, and on result types it does not know', async () => {
    const endless = await modern(() => ({
      resultType: 'input_required',
      inputRequests: {},
    })).connect();
    await expect(endless.callTool('x')).rejects.toThrow('still asks after 16 rounds');
    const odd = await modern(() => ({ resultType: 'task' })).connect();
    await expect(odd.callTool('x')).rejects.toThrow('unknown result type `task`');
  });

  it('answers the requests of a legacy server', async () => {
    const server = legacy();
    await server.connect({
      elicit: async ({ message }) => ({ action: 'accept', content: { message } }),
      sample: async () => ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }),
    });
    const call = (method: string, params: object): unknown =>
      server.methods?.find(method)?.(params, {} as never);
    expect(await call('elicitation/create', { message: 'hi' })).toEqual({
      action: 'accept',
      content: { message: 'hi' },
    });
    expect(await call('sampling/createMessage', {})).toMatchObject({ model: 'm' });
    expect(await call('ping', {})).toEqual({});
    await expect(call('roots/list', {})).rejects.toMatchObject({ rpcCode: -32601 });
  });

  it('reads, prompts, completes and pings in either era', async () => {
    const answers: Record<string, unknown> = {
      'resources/read': { contents: [{ uri: 'x:', text: 't' }] },
      'prompts/get': { messages: [] },
      'completion/complete': { completion: { values: ['v'] } },
      ping: {},
      'server/discover': DISCOVERED,
    };
    for (const server of [
      legacy(({ method }) => answers[method]),
      modern(({ method }) => answers[method]),
    ]) {
      await using client = await server.connect();
      expect(await client.readResource('x:')).toHaveLength(1);
      expect(await client.getPrompt('p')).toEqual({ messages: [] });
      const ref = { type: 'ref/prompt', name: 'p' } as const;
      expect(await client.complete(ref, { name: 'a', value: '' })).toEqual(['v']);
      await client.ping();
    }
  });
});
