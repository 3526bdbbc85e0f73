import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { encodeFrame, FrameDecoder } from 'tincan-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from '../../src/demo/scenarios.ts';
import { type DemoUpstream, startDemoUpstream } from '../../src/demo/upstream.ts';
import { call } from '../support/line.ts';
import { bin, cleanEnv, Program } from './program.ts';

let upstream: DemoUpstream;
let serve: string[];
beforeAll(async () => {
  upstream = await startDemoUpstream();
  serve = ['--stdio', '--no-cache', '--base-url', upstream.baseUrl];
});
afterAll(() => upstream.close());

/** The request of a question, once it has arrived. */
async function requestFor(query: string) {
  for (let number = 1; ; number++) {
    const request = await upstream.arrival(number);
    if (request.query === query) return request;
  }
}

function messages(stdout: string): Record<string, unknown>[] {
  return new FrameDecoder().push(Buffer.from(stdout)).map((decoded) => {
    if (decoded.kind !== 'message') throw new Error(`not a message: ${JSON.stringify(decoded)}`);
    return decoded.value as Record<string, unknown>;
  });
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {} },
};
const ping = { jsonrpc: '2.0', id: 99, method: 'ping' };

describe('the program on standard input and output', () => {
  it.each(['line', 'header'] as const)(
    'speaks %s frames from the first byte to the last',
    async (framing) => {
      const program = new Program(serve);
      const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
      for (const message of [initialize, list, call(3, `${framing} [demo:ok]`), ping]) {
        program.child.stdin.write(encodeFrame(JSON.stringify(message), framing));
      }
      const { code, stdout, stderr } = await program.end();
      expect(code).toBe(0);
      expect(stderr).toBe('');
      const received = messages(stdout);
      expect(received.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 99]);
      // Put together again the messages are the very bytes that came.
      expect(
        received.map((message) => encodeFrame(JSON.stringify(message), framing)).join(''),
      ).toBe(stdout);
    },
  );

  it('answers framed questions in lines under MCP_LINE_MODE=1', async () => {
    const program = new Program(serve, cleanEnv({ MCP_LINE_MODE: '1' }));
    program.child.stdin.write(encodeFrame(JSON.stringify(ping), 'header'));
    expect((await program.end()).stdout).toBe('{"jsonrpc":"2.0","id":99,"result":{}}\n');
  });

  it('stays with the framing of the first message', async () => {
    const program = new Program(serve);
    program.child.stdin.write(encodeFrame(JSON.stringify(ping), 'header'));
    program.child.stdin.write(encodeFrame(JSON.stringify({ ...ping, id: 100 }), 'line'));
    expect((await program.end()).stdout).toBe(
      [99, 100]
        .map((id) => encodeFrame(`{"jsonrpc":"2.0","id":${id},"result":{}}`, 'header'))
        .join(''),
    );
  });

  it('answers what is under way when the input ends', async () => {
    const program = new Program(serve);
    program.send(call('last', '[demo:drip:20]'));
    const { code, stdout } = await program.end();
    expect(code).toBe(0);
    expect(messages(stdout)).toMatchObject([{ id: 'last', result: {} }]);
  });

  it('keeps everything but messages off standard output', async () => {
    const env = cleanEnv({ OPENAI_LOG: 'debug', NODE_DEBUG: 'http,net', DEBUG: '*' });
    const program = new Program([...serve, '--debug', '--set', 'request.max_retries=1'], env);
    const endless = ['hang', 'stall', 'stall-early'];
    const names = Object.keys(scenarios).filter((name) => !endless.includes(name));
    const marker = (name: string): string =>
      ['drip', 'limited'].includes(name) ? `[demo:${name}:10]` : `[demo:${name}]`;
    program.send(...names.map((name) => call(name, `pure ${marker(name)}`)));
    const { code, stdout, stderr } = await program.end();
    expect(code).toBe(0);
    expect(
      messages(stdout)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(names.toSorted());
    expect(stderr).toContain('openai: ');
  });

  it('answers nothing after a cancel and drops the connection', async () => {
    const program = new Program(serve);
    program.send(call(1, 'cancelled [demo:stall]'));
    const request = await requestFor('cancelled [demo:stall]');
    program.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await request.over).toBe(true);
    program.send(ping);
    const { stdout } = await program.end();
    expect(messages(stdout).map(({ id }) => id)).toEqual([99]);
  });

  it('ends at once on a signal, and drops the connection', async () => {
    const program = new Program(serve);
    program.send(call(1, 'signalled [demo:stall]'));
    const request = await requestFor('signalled [demo:stall]');
    program.child.kill('SIGTERM');
    expect(await request.over).toBe(true);
    expect(await program.finished).toMatchObject({ code: 0 });
  });

  it('ends on a signal that comes after the end of input', async () => {
    const program = new Program(serve);
    program.send(call(1, 'late signal [demo:stall]'));
    program.child.stdin.end();
    const request = await requestFor('late signal [demo:stall]');
    await request.begun;
    program.child.kill('SIGTERM');
    expect(await request.over).toBe(true);
    expect(await program.finished).toMatchObject({ code: 0 });
  });

  it('drops the connection when its client dies', async () => {
    const query = 'orphan [demo:stall]';
    // A client that starts the server, asks, and waits to be killed.
    const script = `
      const { spawn } = require('node:child_process');
      const args = JSON.parse(process.argv[1]);
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
      child.stdin.write(process.argv[2] + '\\n');
    `;
    const args = [JSON.stringify([bin, ...serve]), JSON.stringify(call(1, query))];
    const client = spawn(process.execPath, ['-e', script, ...args], { env: cleanEnv() });
    const request = await requestFor(query);
    await request.begun;
    client.kill('SIGKILL');
    expect(await request.over).toBe(true);
  });

  it('keeps an official client alive through an answer longer than its patience', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const args = [bin, ...serve];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: cleanEnv() }),
    );
    const reports: number[] = [];
    const result = await client.callTool(
      { name: 'answer', arguments: { query: '[demo:drip:250]' } },
      undefined,
      {
        timeout: 2_000,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress }) => void reports.push(progress),
      },
    );
    expect(result.structuredContent).toMatchObject({ used_search: true });
    expect(reports.length).toBeGreaterThan(3);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
    await client.close();
  });
});
