import { Client as ClientV2, type Transport as TransportV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Transport as ServerTransportV2 } from '@modelcontextprotocol/server';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Peer,
  StdioClientTransport,
  StdioServerTransport,
  spawnServer,
} from '../../src/index.ts';
import { Program, requestLine } from './fixtures/program.ts';
import { FAST, fixture, raw } from './fixtures/programs.ts';
import { isAlive, processesWith } from './until.ts';

const INFO = { name: 'test', version: '1.0.0' };
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
const command = process.execPath;
let count = 0;

/** Command line of a server, with a marker to find its processes by. */
function serverArgs(kind: string): { args: string[]; marker: string } {
  const marker = `wire-interop-${process.pid}-${count++}`;
  if (kind === 'ours') return { args: [fixture('mcp-server.mjs'), marker], marker };
  return { args: [fixture('sdk-server.mjs'), kind, marker], marker };
}

async function handshake(peer: Peer): Promise<void> {
  await peer.request('initialize', INITIALIZE);
  await peer.notify('notifications/initialized');
}

/** The parts of an official client that are the same in both generations. */
interface OfficialClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

const clients: Readonly<Record<string, (args: string[]) => Promise<OfficialClient>>> = {
  'client v1': async (args) => {
    const client = new ClientV1(INFO);
    await client.connect(new StdioV1({ command, args, stderr: 'pipe' }));
    return client as OfficialClient;
  },
  'client v2': async (args) => {
    const client = new ClientV2(INFO);
    await client.connect(new StdioV2({ command, args, stderr: 'pipe' }));
    return client as OfficialClient;
  },
  'client v1 over our transport': async (args) => {
    const client = new ClientV1(INFO);
    await client.connect(new StdioClientTransport({ command, args }));
    return client as OfficialClient;
  },
  'client v2 over our transport': async (args) => {
    const client = new ClientV2(INFO);
    await client.connect(new StdioClientTransport({ command, args }));
    return client as OfficialClient;
  },
};

/** Which official clients meet which servers: every pair with a part of ours in it. */
const pairs: [client: string, server: string][] = [
  ['client v1', 'ours'],
  ['client v2', 'ours'],
  ['client v1', 'v1 on ours'],
  ['client v1', 'v2 connected to ours'],
  ['client v1', 'v2 served on ours'],
  ['client v2', 'v1 on ours'],
  ['client v2', 'v2 connected to ours'],
  ['client v2', 'v2 served on ours'],
  ['client v1 over our transport', 'v1'],
  ['client v1 over our transport', 'v2'],
  ['client v1 over our transport', 'ours'],
  ['client v2 over our transport', 'v1'],
  ['client v2 over our transport', 'v2'],
  ['client v2 over our transport', 'ours'],
  ['client v1 over our transport', 'v1 on ours'],
  ['client v2 over our transport', 'v2 served on ours'],
];

describe('our client and official servers', () => {
  it.each(['v1', 'v2', 'v1 on ours', 'v2 connected to ours', 'v2 served on ours', 'ours'])(
    'calls tools of the server %s',
    async (kind) => {
      const { args, marker } = serverArgs(kind);
      await using connection = await spawnServer({ command, args, handshake });
      const list = (await connection.request('tools/list')) as { tools: { name: string }[] };
      expect(list.tools.map(({ name }) => name)).toContain('add');
      const calls = Array.from({ length: 20 }, (_, n) =>
        connection.request('tools/call', { name: 'add', arguments: { a: n, b: 1 } }),
      );
      expect(await Promise.all(calls)).toMatchObject(
        Array.from({ length: 20 }, (_, n) => ({
          content: [{ type: 'text', text: String(n + 1) }],
        })),
      );
      await expect(connection.request('no/such/method')).rejects.toMatchObject({
        code: 'REMOTE',
        rpcCode: -32601,
      });
      await connection.close();
      expect(processesWith(marker)).toEqual([]);
    },
  );
});

describe('official clients', () => {
  it.each(pairs)('%s calls tools of the server %s', async (clientKind, serverKind) => {
    const { args, marker } = serverArgs(serverKind);
    const client = await clients[clientKind]?.(args);
    try {
      const list = await client?.listTools();
      expect(list?.tools.map(({ name }) => name)).toContain('add');
      const sum = await client?.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
      expect(sum).toMatchObject({ content: [{ type: 'text', text: '5' }] });
      const big = await client?.callTool({ name: 'big', arguments: { bytes: 1024 * 1024 } });
      expect(JSON.stringify(big).length).toBeGreaterThan(1024 * 1024);
      if (serverKind.includes('ours')) {
        const quiet = await client?.callTool({ name: 'noisy', arguments: {} });
        expect(quiet).toMatchObject({ content: [{ text: 'quiet' }] });
      }
    } finally {
      await client?.close();
    }
    expect(processesWith(marker)).toEqual([]);
  });
});

describe('StdioClientTransport', () => {
  it('tells the client that the server has ended', async () => {
    const transport = new StdioClientTransport(raw('exit-mid-request'));
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    const stderr: string[] = [];
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'x' });
    await closed;
    await expect(transport.send({ jsonrpc: '2.0', id: 2, method: 'y' })).rejects.toMatchObject({
      code: 'SHUTDOWN',
    });
    expect(stderr).toEqual([]);
  });

  it('fires `onclose` once, however often it is closed', async () => {
    let closes = 0;
    const transport = new StdioClientTransport(raw('echo'));
    transport.onclose = () => closes++;
    await transport.start();
    await Promise.all([transport.close(), transport.close()]);
    await transport.close();
    expect(closes).toBe(1);
    expect(isAlive(transport.pid ?? 0)).toBe(false);
  });

  it('has ended the process when any `close` resolves', async () => {
    const transport = new StdioClientTransport(raw('ignore-term'));
    await transport.start();
    void transport.close();
    await transport.close();
    expect(isAlive(transport.pid ?? 0)).toBe(false);
  });

  it('ends a server that never reads while megabytes wait for it', async () => {
    const transport = new StdioClientTransport(raw('never-read'));
    await transport.start();
    const sent = transport.send({
      jsonrpc: '2.0',
      method: 'x',
      params: { text: 'z'.repeat(8 * 1024 * 1024) },
    });
    const outcome = sent.catch((error: unknown) => error);
    await transport.close();
    expect(await outcome).toMatchObject({ name: 'WireError' });
    expect(isAlive(transport.pid ?? 0)).toBe(false);
  });

  it('reports stray text on stdout as an error that ends nothing', async () => {
    const transport = new StdioClientTransport(raw('banner'));
    const errors: Error[] = [];
    transport.onerror = (error) => errors.push(error);
    const answered = new Promise((resolve) => {
      transport.onmessage = resolve;
    });
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'echo', params: { n: 1 } });
    expect(await answered).toEqual({ jsonrpc: '2.0', id: 1, result: { n: 1 } });
    await transport.close();
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatchObject({ code: 'PARSE' });
    expect(String(errors[0])).toContain('Welcome to the server');
  });

  it('refuses to be started twice, to send before it started, and what cannot be JSON', async () => {
    const transport = new StdioClientTransport({ ...raw('echo'), shutdown: FAST });
    await expect(transport.send({})).rejects.toMatchObject({ code: 'SHUTDOWN' });
    await transport.start();
    await expect(transport.start()).rejects.toMatchObject({ code: 'BAD_STATE' });
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    await expect(transport.send(cycle)).rejects.toMatchObject({ code: 'SERIALIZE' });
    await transport.close();
    await expect(transport.start()).rejects.toMatchObject({ code: 'BAD_STATE' });
  });

  it('rejects its start when the server cannot be started', async () => {
    const transport = new StdioClientTransport({ command: 'no-such-command-2' });
    await expect(transport.start()).rejects.toMatchObject({ code: 'SPAWN' });
    await transport.close();
  });
});

describe('StdioServerTransport', () => {
  const kinds = ['v1 on ours', 'v2 connected to ours', 'v2 served on ours'];

  it.each(kinds)('lets a call in flight at the end of input be answered: %s', async (kind) => {
    await using server = new Program(command, serverArgs(kind).args);
    server.request(1, 'initialize', INITIALIZE);
    await server.answer(1);
    server.child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    server.child.stdin?.end(
      requestLine(2, 'tools/call', { name: 'slow', arguments: { ms: 200 } }) +
        requestLine(3, 'ping'),
    );
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.messages.map(({ id }) => id)).toEqual([1, 3, 2]);
    expect(server.messages[2]).toMatchObject({ result: { content: [{ text: 'slow' }] } });
  });

  it.each(kinds)('keeps noise off the wire and answers junk: %s', async (kind) => {
    await using server = new Program(command, serverArgs(kind).args);
    server.request(1, 'initialize', INITIALIZE);
    await server.answer(1);
    server.child.stdin?.write('this is no message\n');
    server.request(2, 'tools/call', { name: 'noisy', arguments: {} });
    expect(await server.answer(2)).toMatchObject({ result: { content: [{ text: 'quiet' }] } });
    server.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.messages).toContainEqual(
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
    );
    expect(server.stdout).not.toContain('noise');
    expect(server.stderr).toContain('noise: fs.writeSync');
  });
});

describe('types', () => {
  it('fits the `Transport` of both generations', () => {
    expectTypeOf<StdioClientTransport>().toExtend<TransportV1>();
    expectTypeOf<StdioClientTransport>().toExtend<TransportV2>();
    expectTypeOf<StdioServerTransport>().toExtend<TransportV1>();
    expectTypeOf<StdioServerTransport>().toExtend<ServerTransportV2>();
    const transport: TransportV1 & TransportV2 & ServerTransportV2 = new StdioServerTransport();
    for (const member of ['start', 'send', 'close'] as const) {
      expect(transport[member]).toBeTypeOf('function');
    }
  });
});
