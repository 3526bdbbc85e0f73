import { handleMessage } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { Exchange, modern, tool } from '../exchange.ts';

const echo = tool('echo', ({ text }) => String(text), {
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
});

describe('the handshake', () => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
    [42, '2025-11-25'],
  ])('answers a client that asks for %s with %s', async (asked, answered) => {
    const exchange = new Exchange({ tools: [echo], instructions: 'Use it.' });
    const params = {
      protocolVersion: asked,
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    expect(await exchange.result('initialize', params)).toEqual({
      protocolVersion: answered,
      capabilities: { tools: {} },
      serverInfo: { name: 'test', version: '1.2.3' },
      instructions: 'Use it.',
    });
    expect(exchange.session.protocolVersion).toBe(answered);
  });

  it('declares only what the server offers', async () => {
    const exchange = new Exchange({
      resources: [],
      prompts: [{ name: 'p', arguments: [{ name: 'a', complete: () => [] }], get: () => '' }],
      logging: true,
      listChanged: true,
      subscribe: true,
    });
    const { capabilities } = await exchange.result('initialize', { capabilities: {} });
    expect(capabilities).toEqual({
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    });
  });

  it('serves tools/list and ping to a client that never shook hands', async () => {
    const exchange = new Exchange({ tools: [echo] });
    expect((await exchange.result('tools/list'))['tools']).toHaveLength(1);
    expect(await exchange.result('ping')).toEqual({});
  });
});

describe('a modern request', () => {
  it('is answered with a result type, the server and how long it may be kept', async () => {
    const exchange = new Exchange({ tools: [echo], cache: { ttlMs: 5000, cacheScope: 'public' } });
    expect(await exchange.result('tools/list', modern())).toMatchObject({
      resultType: 'complete',
      ttlMs: 5000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1.2.3' } },
    });
    const called = await exchange.result('tools/call', {
      name: 'echo',
      arguments: { text: 'hi' },
      ...modern(),
    });
    expect(called).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: 'hi' }],
    });
    expect(called).not.toHaveProperty('ttlMs');
  });

  it('is told by discovery what the server speaks and offers', async () => {
    const exchange = new Exchange({ tools: [echo], instructions: 'Use it.' });
    expect(await exchange.result('server/discover', modern())).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      instructions: 'Use it.',
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it.each([
    ['no envelope', 'server/discover', {}, '_meta.io.modelcontextprotocol/protocolVersion'],
    [
      'no capabilities',
      'tools/list',
      { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
      '_meta.io.modelcontextprotocol/clientCapabilities',
    ],
    [
      'a version that is no string',
      'tools/list',
      { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } },
      '_meta.io.modelcontextprotocol/protocolVersion',
    ],
    [
      'an unknown log level',
      'tools/list',
      modern({}, { 'io.modelcontextprotocol/logLevel': 'loud' }),
      '_meta.io.modelcontextprotocol/logLevel',
    ],
  ])('with %s is refused with -32602 and the place', async (_, method, params, path) => {
    const exchange = new Exchange({ tools: [echo] });
    expect(await exchange.error(method, params)).toMatchObject({ code: -32602, data: { path } });
  });

  it('of a version not spoken here is refused with -32022 and what is', async () => {
    const exchange = new Exchange({ tools: [echo] });
    const params = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '1900-01-01',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const refusal = { code: -32022, data: { supported: ['2026-07-28'], requested: '1900-01-01' } };
    expect(await exchange.error('tools/list', params)).toMatchObject(refusal);
    await exchange.result('tools/list', modern());
    expect(await exchange.error('tools/list', params)).toMatchObject(refusal);
  });

  it.each(['ping', 'initialize', 'logging/setLevel', 'resources/subscribe'])(
    'finds no %s in its era',
    async (method) => {
      const exchange = new Exchange({ resources: [], subscribe: true, logging: true });
      expect(await exchange.error(method, modern())).toMatchObject({ code: -32601 });
    },
  );
});

describe('one connection', () => {
  it('serves each message in its own era, whatever came before', async () => {
    const exchange = new Exchange({ tools: [echo] });
    expect(await exchange.result('tools/list')).not.toHaveProperty('resultType');
    expect(await exchange.result('tools/list', modern())).toHaveProperty('resultType');
    await exchange.result('initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    expect(await exchange.result('tools/list', modern())).toHaveProperty('resultType');
    expect(await exchange.result('tools/list')).not.toHaveProperty('resultType');
  });

  it('answers a batch with one array and keeps the ids as they were sent', async () => {
    const { session } = new Exchange({ tools: [echo] });
    const batch = [
      { jsonrpc: '2.0', id: '7', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 7, method: 'tools/list', params: modern() },
    ];
    const answers = JSON.parse(
      (await handleMessage(session, JSON.stringify(batch))) ?? '',
    ) as object[];
    expect(answers).toMatchObject([
      { id: '7', result: {} },
      { id: 7, result: { resultType: 'complete' } },
    ]);
  });

  it.each([
    ['tools/list', {}],
    ['resources/list', {}],
    ['prompts/get', { name: 'x' }],
    ['completion/complete', {}],
    ['logging/setLevel', { level: 'info' }],
    ['resources/subscribe', { uri: 'x:' }],
    ['no/such/method', {}],
  ])('answers %s with -32601 when the server does not offer it', async (method, params) => {
    const exchange = new Exchange();
    expect(await exchange.error(method, params)).toMatchObject({ code: -32601 });
  });

  it('refuses params by position', async () => {
    const exchange = new Exchange({ tools: [echo] });
    expect(await exchange.error('tools/list', [1])).toMatchObject({ code: -32602 });
  });
});

describe('a definition', () => {
  it.each([
    [{ name: '' }, 'expected `name` to be a non-empty string, got ``'],
    [{ pageSize: 0 }, 'expected `pageSize` to be at least 1, got `0`'],
    [{ tools: [tool('a b', () => '')] }, 'expected a tool name of 1 to 128 letters'],
    [{ tools: [tool('a', () => ''), tool('a', () => '')] }, 'tool `a` is declared twice'],
  ])('that cannot be served is refused: %o', (definition, message) => {
    expect(() => new Exchange(definition)).toThrow(message);
  });
});
