import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { makeTempFolder } from '../store/temp-folder.ts';
import { MemoryProgram, residentPeak } from './memory-program.ts';

const folder = makeTempFolder();
const TOKEN = 'token-of-the-tests';
const authorization = `Bearer ${TOKEN}`;
let homes = 0;

function freshHome(config: object = {}): string {
  homes++;
  const home = join(folder, String(homes));
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  return home;
}

/** The program on a port of its own; `url` is what it says it listens on. */
async function serve(
  home: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<MemoryProgram & { url: string }> {
  const program = new MemoryProgram(home, {
    args: ['serve', '--transport', 'http', '--port', '0', ...args],
    env: { TINCAN_TOKEN: TOKEN, ...env },
  });
  const url = await new Promise<string>((resolve, reject) => {
    program.child.stderr?.on('data', () => {
      const found = /http:\/\/\S+:\d+/.exec(program.stderr)?.[0];
      if (found !== undefined) resolve(found);
    });
    void program.ended.then(() => reject(new Error(`ended: ${program.stderr}`)));
  });
  return Object.assign(program, { url });
}

function post(
  url: string,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

const note = { projectId: '/p', groupId: 'g', text: 'the lantern is green' };

describe('the HTTP server', () => {
  it('serves the methods, says nothing on stdout and ends well at a signal', async () => {
    await using server = await serve(freshHome());
    const added = await (await post(server.url, 'memory.add_note', note)).json();
    expect(added).toMatchObject({ id: 1, result: { canonicalProjectId: '/p' } });
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'ok' });
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.stdout).toBe('');
  });

  it('takes a body of 1 MiB and none that is larger', async () => {
    await using server = await serve(freshHome());
    const empty = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'memory.get_config' });
    const send = async (bytes: number): Promise<number> => {
      const headers = { 'content-type': 'application/json', authorization };
      const body = empty.padEnd(bytes);
      return (await fetch(`${server.url}/rpc`, { method: 'POST', headers, body })).status;
    };
    expect(await send(1024 * 1024)).toBe(200);
    expect(await send(1024 * 1024 + 1)).toBe(413);
  });

  it('shares its store with a process on stdio', async () => {
    const home = freshHome();
    await using server = await serve(home);
    await using other = new MemoryProgram(home);
    const { id } = await other.call('memory.add_note', note);
    const got = await (await post(server.url, 'memory.get', { id: String(id) })).json();
    expect(got).toMatchObject({ result: note });
  });

  it('serves the official client at /mcp', async () => {
    await using server = await serve(freshHome());
    const client = new Client({ name: 'official', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization } },
    });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    try {
      await client.callTool({ name: 'memory_add_note', arguments: note });
      const found = await client.callTool({
        name: 'memory_search',
        arguments: { projectId: '/p', query: 'lantern' },
      });
      expect(found).toMatchObject({ structuredContent: { results: [{ text: note.text }] } });
    } finally {
      await client.close();
    }
  });

  it.each([
    [[], 8],
    [['--toolset', 'all'], 15],
  ])('serves the toolset that %j names at /mcp, and every method at /rpc', async (args, count) => {
    await using server = await serve(freshHome(), args);
    const client = new Client({ name: 'official', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization } },
    });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    try {
      expect((await client.listTools()).tools).toHaveLength(count);
      const changed = client.callTool({
        name: 'memory_set_config',
        arguments: { embedder: { provider: 'none' } },
      });
      if (count === 15) await expect(changed).resolves.toHaveProperty('structuredContent.ok', true);
      else await expect(changed).rejects.toMatchObject({ code: -32602 });
      const groups = await (
        await post(server.url, 'memory.group_list', { projectId: '/p' })
      ).json();
      expect(groups).toMatchObject({ result: { groups: [] } });
    } finally {
      await client.close();
    }
  });

  it('refuses unknown parameters with the nearest name', async () => {
    await using server = await serve(freshHome());
    const params = { projectId: '/p', groupId: 'g', txt: 'x', _meta: {} };
    expect(await (await post(server.url, 'memory.add_note', params)).json()).toMatchObject({
      error: {
        code: -32602,
        message: 'unknown parameter `txt`, did you mean `text`?',
        data: { path: 'txt' },
      },
    });
  });

  it('serves 1,000 clients that keep their connections, without an error', {
    timeout: 300_000,
  }, async () => {
    await using server = await serve(freshHome());
    await post(server.url, 'memory.add_note', note);
    const statuses = new Map<string, number>();
    const rounds = 3;
    const body = (client: number, round: number): string =>
      JSON.stringify(
        round === 1
          ? {
              jsonrpc: '2.0',
              id: client,
              method: 'memory.add_note',
              params: { ...note, text: `${note.text} ${client}` },
            }
          : {
              jsonrpc: '2.0',
              id: client,
              method: 'memory.search',
              params: { projectId: '/p', query: 'lantern' },
            },
      );
    const run = async (client: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let round = 0; round < rounds; round++) {
        const outcome = await postOn(agent, server.url, body(client, round)).then(
          ({ status, answer, isReused }) =>
            `${status} ${answer.id === client && answer.result !== undefined} ${isReused === round > 0}`,
          (error: Error) => error.message,
        );
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: 1_000 }, (_, client) => run(client)));
    expect(Object.fromEntries(statuses)).toEqual({ '200 true true': 1_000 * rounds });
    const list = { projectId: '/p', limit: 1_000 };
    const { result } = (await (await post(server.url, 'memory.list_recent', list)).json()) as {
      result: { items: unknown[] };
    };
    expect(result.items).toHaveLength(1_000);
  });
});

/** One request on a connection that is kept. */
function postOn(
  agent: Agent,
  url: string,
  body: string,
): Promise<{ status: number; isReused: boolean; answer: { id?: unknown; result?: unknown } }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization };
    const request = httpRequest(`${url}/rpc`, { agent, method: 'POST', headers }, (response) => {
      let text = '';
      response
        .on('data', (chunk) => {
          text += String(chunk);
        })
        .on('end', () => {
          const status = response.statusCode ?? 0;
          resolve({ status, isReused: request.reusedSocket, answer: JSON.parse(text) });
        });
    });
    request.on('error', reject).end(body);
  });
}

describe('without the token', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const OPEN = ['/health', '/health?x=1', '/.well-known/oauth-protected-resource/mcp'];
  const CLOSED = [
    ...[
      '/',
      '/rpc',
      '/mcp',
      '/rpc/',
      '/mcp/x',
      '/health/',
      '/HEALTH',
      '//health',
      '/health/../rpc',
    ],
    ...[
      '/.well-known',
      '/x/.well-known/y',
      '/%2ewell-known/x',
      '/register',
      '/token',
      '/?x=/health',
    ],
  ];

  it.each(['no token', 'a wrong one'])(
    'every path and method is refused but two: %s',
    async (kind) => {
      await using server = await serve(freshHome());
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (kind === 'a wrong one') headers['authorization'] = 'Bearer wrong';
      for (const path of [...OPEN, ...CLOSED]) {
        for (const method of METHODS) {
          const reply = await bare(server.url, path, { method, headers });
          const isHealth = path.startsWith('/health') && OPEN.includes(path);
          const open = isHealth ? (/^(?:GET|HEAD)$/.test(method) ? 200 : 405) : 404;
          expect([method, path, reply.status]).toEqual([
            method,
            path,
            OPEN.includes(path) ? open : 401,
          ]);
          expect(reply.challenge).toBe(reply.status === 401 ? 'Bearer' : undefined);
          if (reply.status === 401 && method !== 'HEAD') {
            expect(reply.text).toContain('To get the token: ');
          }
          expect(reply.text).not.toContain('0.1.0');
          expect(reply.text).not.toContain(folder);
        }
      }
    },
  );

  it('the server makes one, keeps it for its owner alone, and takes a new one while it runs', async () => {
    const home = freshHome();
    await using server = await serve(home, [], { TINCAN_TOKEN: undefined });
    const path = join(home, 'data', 'token');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const command = async (...args: string[]): Promise<string> => {
      await using program = new MemoryProgram(home, { args: ['token', ...args] });
      expect(await program.end()).toEqual({ code: 0, signal: null });
      return program.stdout.trim();
    };
    const statusWith = async (token: string): Promise<number> =>
      (await post(server.url, 'memory.get_config', {}, { authorization: `Bearer ${token}` }))
        .status;
    const first = await command();
    expect(first).toBe(readFileSync(path, 'utf8').trim());
    expect(await statusWith(first)).toBe(200);
    const second = await command('--rotate');
    expect(second).not.toBe(first);
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
    expect(server.stderr).toMatch(/`node \S+tincan-memory\.js token`/);
    expect(server.stderr).toMatch(/^MCP clients connect to http:\S+\/mcp$/m);
    expect(server.stderr).not.toContain(first);
  });

  it('anyone on the machine is served where the owner said so', async () => {
    await using server = await serve(freshHome(), ['--no-token'], { TINCAN_TOKEN: undefined });
    const reply = await post(server.url, 'memory.get_config', {}, { authorization: '' });
    expect(reply.status).toBe(200);
  });
});

describe('a batch', () => {
  it('of thousands of large answers ends neither the server nor the others', {
    timeout: 120_000,
  }, async () => {
    await using server = await serve(freshHome());
    const text = 'all work and no play '.repeat(5_000);
    for (let n = 0; n < 20; n++) {
      await post(server.url, 'memory.add_note', { ...note, text: `${n} ${text}` });
    }
    const params = { projectId: '/p', limit: 20 };
    const calls = Array.from({ length: 3_000 }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'memory.list_recent', params },
    }));
    const response = await fetch(`${server.url}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(calls),
    });
    const answers = (await response.json()) as object[];
    expect(answers).toHaveLength(3_000);
    expect(answers[0]).toHaveProperty('result');
    expect(answers[2_999]).toMatchObject({ id: 2_999, error: { code: -32603 } });
    expect((await post(server.url, 'memory.list_recent', params)).status).toBe(200);
  });
});

describe('clients that do not read', () => {
  it.runIf(existsSync('/proc/self/status'))(
    'take a bounded amount of memory and stop nobody else',
    { timeout: 120_000 },
    async () => {
      await using server = await serve(freshHome());
      const text = 'all work and no play '.repeat(43_000);
      for (let index = 0; index < 12; index++) {
        await post(server.url, 'memory.add_note', { ...note, text: `${index} ${text}` });
      }
      const before = residentPeak(server.pid);
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'memory.list_recent',
        params: { projectId: '/p', limit: 12 },
      });
      const { port } = new URL(server.url);
      const head = `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      const deaf = Array.from({ length: 100 }, () => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(head + body));
        return socket.on('error', () => undefined);
      });
      try {
        for (let round = 0; round < 3; round++) {
          expect((await fetch(`${server.url}/health`)).status).toBe(200);
          const found = await post(server.url, 'memory.get', { id: 'none' });
          expect(found.status).toBe(200);
        }
        // All of their answers together are some 1 GB.
        expect(residentPeak(server.pid) - before).toBeLessThan(500);
      } finally {
        for (const socket of deaf) socket.destroy();
      }
    },
  );
});

/** A request whose path reaches the server as it is written. */
function bare(
  url: string,
  path: string,
  options: { readonly method: string; readonly headers: Record<string, string> },
): Promise<{ status: number; text: string; challenge: string | undefined }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({ hostname, port, path, ...options }, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      const challenge = response.headers['www-authenticate'];
      resolve({ status: response.statusCode ?? 0, text, challenge });
    });
    request.on('error', reject).end();
  });
}

describe('beyond this machine', () => {
  it('it does not start without a token', async () => {
    await using program = new MemoryProgram(freshHome(), {
      args: ['serve', '--transport', 'http', '--host', '0.0.0.0', '--port', '0', '--no-token'],
    });
    expect(await program.ended).toEqual({ code: 3, signal: null });
    expect(program.stderr).toMatch(/expected a token for `0\.0\.0\.0`.*loopback only/);
    expect(program.stdout).toBe('');
  });

  it('it serves whoever has the token, and never shows it', async () => {
    const token = 'a-token-of-some-length';
    await using server = await serve(freshHome(), ['--host', '0.0.0.0'], { TINCAN_TOKEN: token });
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    expect((await post(url, 'memory.get_config')).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await post(url, 'memory.get_config', {}, headers);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain(token);
    server.child.kill('SIGINT');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.stderr).not.toContain(token);
  });
});

it('says so when the port is taken', async () => {
  await using first = await serve(freshHome());
  const { port } = new URL(first.url);
  await using second = new MemoryProgram(freshHome(), {
    args: ['serve', '--transport', 'http', '--port', port],
  });
  expect(await second.ended).toEqual({ code: 3, signal: null });
  expect(second.stderr).toContain(`cannot listen on \`127.0.0.1:${port}\``);
  expect(second.stderr).toContain('choose another with `--port`');
});

it('is the transport where the configuration says so', async () => {
  const home = freshHome({
    transportDefaults: { defaultTransport: 'http' },
    http: { port: 0, allowedOrigins: ['https://app.example'] },
  });
  await using program = new MemoryProgram(home, { args: ['serve'], env: { TINCAN_TOKEN: TOKEN } });
  const url = await new Promise<string>((resolve) => {
    program.child.stderr?.on('data', () => {
      const found = /http:\/\/\S+:\d+/.exec(program.stderr)?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  const origin = 'https://app.example';
  const answer = await post(url, 'memory.get_config', {}, { origin });
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
});
