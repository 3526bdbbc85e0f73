import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { bridgeBackend, HttpEnd } from '../../src/http.ts';
import { connectLine, httpLine } from '../../src/index.ts';

const program = fileURLToPath(new URL('../conformance/server.mjs', import.meta.url));
const open: { http: Server; end: HttpEnd }[] = [];
const pids: number[] = [];

afterEach(async () => {
  for (const { http, end } of open.splice(0)) {
    await end.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
  for (const pid of pids.splice(0)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

async function bridge(command: string = process.execPath): Promise<string> {
  const backend = bridgeBackend({
    command,
    args: [program],
    onConnection: ({ pid }) => void pids.push(pid),
  });
  const end = new HttpEnd(backend);
  const http = createServer(end.listener);
  open.push({ http, end });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

describe.each(['legacy', 'modern'] as const)('a stdio server behind the bridge, %s', (era) => {
  it('is used as if it spoke HTTP itself, and leaves no process behind', async () => {
    const url = await bridge();
    await using client = await connectLine(httpLine({ url }), {
      era,
      elicit: async () => ({ action: 'accept', content: { name: 'ann' } }),
    });
    expect(client.agreement).toMatchObject({ era, serverInfo: { name: 'tincan-conformance' } });
    const logs: unknown[] = [];
    client.onNotification((method, params) => void logs.push([method, params]));
    await client.setLogLevel('info');
    await client.callTool('test_tool_with_logging');
    expect(logs).toHaveLength(3);
    const seen: number[] = [];
    await client.callTool(
      'test_tool_with_progress',
      {},
      { onProgress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([0, 50, 100]);
    expect(await client.callTool('test_input_required_result_elicitation')).toMatchObject({
      content: [{ text: 'Hello, ann!' }],
    });
    await expect(client.callTool('nope')).rejects.toMatchObject({ rpcCode: -32602 });
  });
});

describe('a message without an address', () => {
  it('goes to the newest call of the session', async () => {
    const script = `
      let first;
      const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } } });
        else if (method === 'first') { first = id; console.error('first came'); }
        else if (method === 'second') {
          say({ method: 'notifications/message', params: { level: 'info', data: 'whose?' } });
          say({ id, result: {} });
          say({ id: first, result: {} });
        }
      });`;
    const stderr = new EventEmitter();
    const came = once(stderr, 'line');
    const backend = bridgeBackend({
      command: process.execPath,
      args: ['-e', script],
      onConnection: (connection) => {
        pids.push(connection.pid);
        connection.on('stderr', () => stderr.emit('line'));
      },
    });
    const end = new HttpEnd(backend);
    const http = createServer(end.listener);
    open.push({ http, end });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const post = (id: number, method: string, session = ''): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session !== '' && { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params: {} }),
      });
    const opened = await post(1, 'initialize');
    const session = opened.headers.get('mcp-session-id') ?? '';
    const first = post(2, 'first', session);
    await came;
    const second = await (await post(3, 'second', session)).text();
    expect(second).toContain('whose?');
    expect(await (await first).text()).not.toContain('whose?');
  });
});

describe('the bridge', () => {
  it('gives each legacy session a process of its own', async () => {
    const url = await bridge();
    const clients = await Promise.all(
      [1, 2, 3].map(() => connectLine(httpLine({ url }), { era: 'legacy' })),
    );
    expect(new Set(pids).size).toBe(3);
    await Promise.all(clients.map((client) => client.close()));
  });

  it.each(['legacy', 'modern'] as const)(
    'tells no more than that a server could not be started, and tries again, %s',
    async (era) => {
      const folder = mkdtempSync(join(tmpdir(), 'tincan-bridge-'));
      const command = join(folder, 'server');
      const url = await bridge(command);
      const list = async (): Promise<number> => {
        await using client = await connectLine(httpLine({ url }), { era });
        return (await client.listTools()).length;
      };
      for (let time = 0; time < 2; time++) {
        await expect(list()).rejects.toThrow(/^the server could not be started$/);
      }
      writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
      expect(await list()).toBeGreaterThan(10);
      rmSync(folder, { recursive: true });
    },
  );

  it('starts the process for modern requests anew when it died', async () => {
    const url = await bridge();
    await using client = await connectLine(httpLine({ url }), { era: 'modern' });
    const [pid] = pids;
    process.kill(pid ?? 0, 'SIGKILL');
    await expect
      .poll(async () =>
        client.ping().then(
          () => pids.length,
          () => 0,
        ),
      )
      .toBe(2);
  });
});
