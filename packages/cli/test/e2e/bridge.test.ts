import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { OFFICIAL, OURS, PROGRAM, tincan } from './run-tincan.ts';

const TOKEN = 'token-of-the-tests';
const SEND = ['--header', `Authorization: Bearer ${TOKEN}`];
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  }
});

async function bridge(
  options: readonly string[],
  server: readonly string[],
  env = {},
): Promise<string> {
  const child = spawn(
    process.execPath,
    [PROGRAM, 'bridge', '--port', '0', ...options, '--', ...server],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TINCAN_TOKEN: TOKEN, ...env },
    },
  );
  running.push(child);
  let text = '';
  while (!text.includes('/mcp')) text += String((await once(child.stderr, 'data'))[0]);
  child.stderr.resume();
  return /http:\S+/.exec(text)?.[0] ?? '';
}

describe('tincan bridge --port', () => {
  it.each(['legacy', 'modern'])('puts HTTP in front of a stdio server, %s era', async (era) => {
    const url = await bridge([], OURS);
    const { stdout, code } = await tincan([
      'call',
      '--era',
      era,
      '--tool',
      'test_simple_text',
      ...SEND,
      '--url',
      url,
    ]);
    expect([code, JSON.parse(stdout).content.length]).toEqual([0, 1]);
  });

  it('says at once, where it runs, why a server could not be started', async () => {
    const url = await bridge([], ['no-such-program-here']);
    const heard = once(running.at(-1)?.stderr ?? process.stderr, 'data');
    const { stderr, code } = await tincan(['call', '--list', '--url', url, ...SEND]);
    expect([stderr, code]).toEqual(['tincan: the server could not be started\n', 3]);
    expect(String((await heard)[0])).toContain('could not start `no-such-program-here`');
  });

  it('puts HTTP in front of a server from npm', async () => {
    const url = await bridge(['-q'], OFFICIAL('everything'));
    const { stdout } = await tincan([
      'call',
      '-q',
      '--tool',
      'get-sum',
      'a=2',
      'b=3',
      ...SEND,
      '--url',
      url,
    ]);
    expect(stdout).toContain('The sum of 2 and 3 is 5.');
  });

  it('wants the token, and keeps it from the server', async () => {
    const script =
      "process.stdin.on('data',d=>{for(const l of String(d).trim().split('\\n')){const {id,method}=JSON.parse(l);if(id!==undefined)console.log(JSON.stringify({jsonrpc:'2.0',id,...(method==='initialize'?{result:{protocolVersion:'2025-11-25',capabilities:{},serverInfo:{name:'env',version:String(process.env.TINCAN_TOKEN)}}}:{error:{code:-32601,message:'no'}})}))}})";
    const url = await bridge([], [process.execPath, '-e', script], { TINCAN_TOKEN: 'open-sesame' });
    const without = await tincan(['call', '--list', '--url', url]);
    expect(without.code).not.toBe(0);
    expect(without.stderr).toContain('To get the token: it is what `TINCAN_TOKEN` was');
    expect(without.stderr).toContain('Send it with `--token-file <path>`');
    const header = ['--header', 'Authorization: Bearer open-sesame'];
    const { stdout, code } = await tincan(['call', '--list', '--url', url, ...header]);
    expect([code, JSON.parse(stdout).server.version]).toEqual([0, 'undefined']);
  });

  it('makes a token where none is given, and both directions read it from its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tincan-bridge-'));
    const file = join(folder, 'tincan', 'bridge-token');
    const env = { TINCAN_TOKEN: '', XDG_STATE_HOME: folder };
    const url = await bridge([], OURS, env);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const path of ['/mcp', '/', '/x']) {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS']) {
        const { status, headers } = await fetch(new URL(path, url), { method });
        expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      }
    }
    expect(await (await fetch(new URL('/health', url))).json()).toEqual({ status: 'ok' });
    expect((await fetch(new URL('/.well-known/oauth-authorization-server', url))).status).toBe(404);
    const front = [process.execPath, PROGRAM, 'bridge', '--url', url, '--token-file', file];
    expect((await tincan(['call', '--list', '--', ...front])).code).toBe(0);
    const direct = ['call', '--list', '--url', url, '--token-file', file];
    expect((await tincan(direct)).code).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it('ends the process of a session without traffic, and refuses sessions beyond the limit', async () => {
    const url = await bridge(['--session-timeout', '200', '--max-sessions', '1'], OURS);
    const open = (): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${TOKEN}`,
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
      });
    expect([(await open()).status, (await open()).status]).toEqual([200, 503]);
    await expect.poll(async () => (await open()).status, { timeout: 10_000 }).toBe(200);
  });

  it('turns away a foreign host and origin unless allowed', async () => {
    const url = await bridge(['--allow-origin', 'https://app.example'], OURS);
    const post = async (origin: string): Promise<number> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${TOKEN}`,
          origin,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 'x', version: '1' },
          },
        }),
      });
      await response.text();
      return response.status;
    };
    expect(await post('https://evil.example')).toBe(403);
    expect(await post('https://app.example')).toBe(200);
  });

  it('says that a port is taken, in one line', async () => {
    const url = await bridge([], OURS);
    const { port } = new URL(url);
    const { code, stderr } = await tincan(['bridge', '--port', port, '--no-token', '--', ...OURS]);
    expect(code).toBe(3);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('EADDRINUSE')]);
  });
});

describe('tincan bridge --url', () => {
  it.each([
    ['legacy', 'line'],
    ['modern', 'line'],
    ['legacy', 'header'],
  ])('puts stdio in front of a URL, %s era, %s framing', async (era, framing) => {
    const url = await bridge([], OURS);
    const front = [process.execPath, PROGRAM, 'bridge', '--url', url, ...SEND];
    const { stdout, code } = await tincan([
      'call',
      '--era',
      era,
      '--framing',
      framing,
      '--tool',
      'test_simple_text',
      '--',
      ...front,
    ]);
    expect([code, JSON.parse(stdout).content.length]).toEqual([0, 1]);
  });

  it('answers what was asked before the end of input, and bad JSON itself', async () => {
    const url = await bridge([], OURS);
    const init = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      },
    };
    const input = `{"bad\n${JSON.stringify(init)}\n`;
    const { stdout, code } = await tincan(['bridge', '--url', url, ...SEND], { input });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [1, undefined],
    ]);
    expect(code).toBe(0);
  });

  it('answers with an error when nobody is there', async () => {
    const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const { stdout } = await tincan(['bridge', '--url', 'http://127.0.0.1:9/mcp'], { input });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, error: { code: -32603 } });
  });
});
