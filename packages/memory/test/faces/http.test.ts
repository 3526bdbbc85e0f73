import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { AccessOptions } from 'tincan-mcp/http';
import { afterEach, describe, expect, it } from 'vitest';
import { callsTo } from '../../src/faces/call.ts';
import { HttpFace } from '../../src/faces/http.ts';
import { accessFor } from '../../src/faces/http-access.ts';
import { createMemoryServer } from '../../src/faces/mcp.ts';
import { memoryMethods } from '../../src/faces/rpc.ts';
import { makeMemory, makeSettings } from '../service/fake-memory.ts';
import { makeTempFolder } from '../store/temp-folder.ts';

const open: HttpFace[] = [];

afterEach(async () => {
  for (const face of open.splice(0)) await face.close({ drainMs: 0 });
});

const MAX_BODY = 1024;

async function serve(access: AccessOptions = {}): Promise<HttpFace> {
  const { memory } = makeMemory();
  const call = callsTo(async () => memory);
  const face = await HttpFace.open({
    methods: memoryMethods(call),
    mcp: createMemoryServer({ call, listProjects: () => memory.listProjects() }),
    host: '127.0.0.1',
    port: 0,
    access,
    maxBodyBytes: MAX_BODY,
  });
  open.push(face);
  return face;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request with full say over its headers, which `fetch` does not leave to a program. */
function send(
  face: HttpFace,
  path: string,
  { body = '', ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${face.url}${path}`, options, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    request.on('error', reject).end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const GET_CONFIG = '{"jsonrpc":"2.0","id":1,"method":"memory.get_config"}';

function post(face: HttpFace, body: string, headers: Record<string, string> = {}): Promise<Reply> {
  return send(face, '/rpc', { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
}

describe('/rpc', () => {
  it('answers a request', async () => {
    const { status, headers, text } = await post(await serve(), GET_CONFIG);
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { embedder: {} } });
  });

  it.each([
    ['an error of a method', '{"jsonrpc":"2.0","id":1,"method":"memory.get"}', -32602],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"nope"}', -32601],
    ['a method of the other face', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', -32601],
    ['a message of the wrong shape', '{"id":1}', -32600],
    ['an empty batch', '[]', -32600],
    ['what is not JSON', '{', -32700],
    ['nothing', '', -32700],
  ])('answers %s with 200 and an error', async (_, body, code) => {
    const { status, text } = await post(await serve(), body);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it.each([
    ['a notification', '{"jsonrpc":"2.0","method":"memory.get_config"}'],
    ['a batch of them', '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]'],
  ])('acknowledges %s with 202 and no body', async (_, body) => {
    expect(await post(await serve(), body)).toMatchObject({ status: 202, text: '' });
  });

  it('carries out a notification before it acknowledges it', async () => {
    const face = await serve();
    const params = { projectId: '/p', groupId: 'g', text: 'x' };
    await post(face, JSON.stringify({ jsonrpc: '2.0', method: 'memory.add_note', params }));
    const project = { projectId: '/p' };
    const list = { jsonrpc: '2.0', id: 1, method: 'memory.list_recent', params: project };
    const { text } = await post(face, JSON.stringify(list));
    expect(JSON.parse(text).result.items).toHaveLength(1);
  });

  it('answers a batch in its order', async () => {
    const second = GET_CONFIG.replace('1,', '2,');
    const { text } = await post(await serve(), `[${GET_CONFIG},${second},{"jsonrpc":"2.0"}]`);
    expect(JSON.parse(text).map(({ id }: { id: unknown }) => id)).toEqual([1, 2, null]);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses %s with 405', async (method) => {
    const reply = await send(await serve(), '/rpc', { method });
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['', 415],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
  ])('answers the content type `%s` with %i', async (type, status) => {
    const reply = await post(await serve(), GET_CONFIG, { 'content-type': type });
    expect(reply.status).toBe(status);
  });

  it.each([
    [MAX_BODY, 200],
    [MAX_BODY + 1, 413],
  ])('answers a body of %i bytes with %i', async (bytes, status) => {
    const face = await serve();
    const body = GET_CONFIG.padEnd(bytes);
    expect((await post(face, body)).status).toBe(status);
    expect((await post(face, body, { 'transfer-encoding': 'chunked' })).status).toBe(status);
  });

  it('answers what is no HTTP with 400', async () => {
    const { hostname: host, port } = new URL((await serve()).url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), host, () => socket.write('{"jsonrpc":"2.0"}\r\n\r\n'));
      socket.once('data', (chunk) => resolve(String(chunk)));
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });

  it('survives a client that leaves in the middle of its body', async () => {
    const face = await serve();
    const { hostname: host, port } = new URL(face.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), host, () => {
        const head = `POST /rpc HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
        socket.write(`${head}Content-Length: 500\r\n\r\n{"jsonrpc"`, () => socket.destroy());
      });
      socket.on('close', () => resolve());
    });
    expect((await post(face, GET_CONFIG)).status).toBe(200);
  });
});

describe('other paths', () => {
  it('tell that the server is well', async () => {
    const { status, text } = await send(await serve(), '/health?x=1');
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'ok' }]);
    expect((await send(await serve(), '/health', { method: 'POST' })).status).toBe(405);
  });

  it.each(['/', '/rpc/', '/mcp/x', '/%72pc', '//rpc'])('are not found: %s', async (path) => {
    expect((await send(await serve(), path)).status).toBe(404);
  });

  it('serve the Model Context Protocol at /mcp, session and all', async () => {
    const face = await serve();
    const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      },
    };
    const opened = await send(face, '/mcp', {
      method: 'POST',
      headers,
      body: JSON.stringify(initialize),
    });
    expect(opened.text).toContain('tincan-memory');
    const session = String(opened.headers['mcp-session-id']);
    const listed = await send(face, '/mcp', {
      method: 'POST',
      headers: { ...headers, 'mcp-session-id': session },
      body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
    });
    expect(listed.text).toContain('memory_add_note');
  });
});

describe('access', () => {
  const paths = ['/rpc', '/mcp', '/health'];

  it.each(paths)('refuses a name that is not ours, as DNS rebinding brings: %s', async (path) => {
    const face = await serve();
    for (const host of ['evil.example', 'evil.example:8765', '127.0.0.1.evil.example']) {
      const reply = await send(face, path, { method: 'POST', headers: { ...JSON_TYPE, host } });
      expect(reply.status, host).toBe(403);
    }
  });

  it.each(paths)('refuses a foreign page: %s', async (path) => {
    const face = await serve();
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
      const reply = await send(face, path, { method: 'POST', headers: { ...JSON_TYPE, origin } });
      expect(reply.status, origin).toBe(403);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each(['127.0.0.1', 'localhost:1', '[::1]:8765', 'LOCALHOST'])(
    'takes the names of loopback: %s',
    async (host) => {
      expect((await post(await serve(), GET_CONFIG, { host })).status).toBe(200);
    },
  );

  it('wants the token everywhere but for health', async () => {
    const face = await serve({ token: 'open-sesame' });
    const tries: [string | undefined, number][] = [
      [undefined, 401],
      ['Bearer open-sesam', 401],
      ['Bearer open-sesame2', 401],
      ['Basic open-sesame', 401],
      ['Bearer open-sesame', 200],
      ['bearer open-sesame', 200],
    ];
    for (const [authorization, status] of tries) {
      const headers = authorization === undefined ? {} : { authorization };
      const reply = await post(face, GET_CONFIG, headers);
      expect(reply.status, authorization).toBe(status);
      if (status === 401) expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
    expect((await send(face, '/mcp', { method: 'POST', headers: JSON_TYPE })).status).toBe(401);
    expect((await send(face, '/health')).status).toBe(200);
  });
});

describe('pages of other origins', () => {
  const page = 'https://app.example';
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: page, 'access-control-request-method': 'POST' },
  };

  it('are kept out by default, also when the browser asks beforehand', async () => {
    const { status, headers } = await send(await serve(), '/rpc', preflight);
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('of this machine get no leave to read either', async () => {
    const headers = { ...preflight.headers, origin: 'http://localhost:3000' };
    const reply = await send(await serve(), '/rpc', { ...preflight, headers });
    expect(reply.status).toBe(405);
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(['/rpc', '/mcp'])('may call %s when the configuration names them', async (path) => {
    const face = await serve({ allowedOrigins: [page], token: 't' });
    const asked = await send(face, path, preflight);
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      vary: 'Origin',
    });
    const answered = await send(face, path, {
      method: 'POST',
      headers: { ...JSON_TYPE, origin: page, authorization: 'Bearer t', accept: '*/*' },
      body: GET_CONFIG,
    });
    expect(answered.headers['access-control-allow-origin']).toBe(page);
    const other = await send(face, path, {
      ...preflight,
      headers: { ...preflight.headers, origin: 'https://other.example' },
    });
    expect(other.status).toBe(403);
  });

  it('need the token like anyone', async () => {
    const face = await serve({ allowedOrigins: [page], token: 't' });
    expect((await post(face, GET_CONFIG, { origin: page })).status).toBe(401);
  });
});

describe('who may call a server bound to an address', () => {
  const folder = makeTempFolder();
  const settings = { ...makeSettings(), paths: { configPath: '', dataDir: folder } };
  const { http } = settings;

  it.each(['localhost', '127.0.0.1', '::1', '0.0.0.0', 'box.example'])(
    'whoever has the token, which is made when it is first needed: %s',
    (host) => {
      const { token } = accessFor(host, settings);
      expect(typeof token === 'function' && token()).toBe(
        readFileSync(join(folder, 'token'), 'utf8').trim(),
      );
      expect(accessFor(host, { ...settings, http: { ...http, token: 't' } })).toMatchObject({
        token: 't',
      });
    },
  );

  it.each(['localhost', '127.0.0.1', '127.0.0.53', '::1'])(
    'anyone on the machine where the owner said so: %s',
    (host) => {
      expect(accessFor(host, settings, { requireToken: false })).not.toHaveProperty('token');
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.7', 'box.example', '128.0.0.1', ''])(
    'nobody without a token beyond it: %s',
    (host) => {
      expect(() => accessFor(host, settings, { requireToken: false })).toThrow(
        /expected a token for/,
      );
    },
  );

  it.each(['', 'two words', 'line\nbreak', 'ключ'])(
    'not with a token no header can carry',
    (token) => {
      expect(() => accessFor('127.0.0.1', { ...settings, http: { ...http, token } })).toThrow(
        /visible ASCII/,
      );
    },
  );

  it('not with and without a token at the same time', () => {
    const both = { ...settings, http: { ...http, token: 't' } };
    expect(() => accessFor('127.0.0.1', both, { requireToken: false })).toThrow(/got both/);
  });

  it('by the name it is bound to, those of the configuration, or any of its own', () => {
    const secured = {
      ...settings,
      http: { ...http, token: 't', allowedHosts: ['Memory.Example'] },
    };
    expect(accessFor('Box.Example', secured).allowedHosts).toEqual([
      'box.example',
      'memory.example',
    ]);
    expect(accessFor('fe80::1', secured).allowedHosts).toContain('[fe80::1]');
    expect(accessFor('0.0.0.0', secured).allowedHosts).toContain(hostname().toLowerCase());
    expect(accessFor('0.0.0.0', secured).allowedHosts).toContain('127.0.0.1');
  });
});

it('tells where it listens, and fails where it cannot', async () => {
  const face = await serve();
  expect(face.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const port = Number(new URL(face.url).port);
  const { memory } = makeMemory();
  const call = callsTo(async () => memory);
  const mcp = createMemoryServer({ call, listProjects: async () => [] });
  const second = HttpFace.open({
    methods: memoryMethods(call),
    mcp,
    host: '127.0.0.1',
    port,
    access: {},
    maxBodyBytes: 1,
  });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
