import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { TapRecord } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { BAD, OFFICIAL, OURS, PROGRAM, run, scratchFolder, tincan } from './run-tincan.ts';

const folder = scratchFolder();
let count = 0;
const recording = (): string => join(folder, `${count++}.ndjson`);

function recordsIn(file: string): TapRecord[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TapRecord);
}

function node(script: string): string[] {
  return [process.execPath, '-e', script];
}

/** Every byte there is, in an order that is no message. */
const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256));

describe('tincan tap', () => {
  it('passes any bytes unchanged, whatever they are', async () => {
    const out = join(folder, 'bytes');
    const child = spawn(process.execPath, [PROGRAM, 'tap', '--out', recording(), '--', 'cat'], {
      stdio: 'pipe',
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.end(BYTES);
    await once(child, 'close');
    expect(Buffer.concat(chunks).equals(BYTES)).toBe(true);
    expect(existsSync(out)).toBe(false);
  });

  it('passes stderr unchanged, and records its lines', async () => {
    const file = recording();
    const script = "process.stderr.write('ä one\\ntwo');process.stdin.resume()";
    const { stderr } = await tincan(['tap', '--out', file, '--', ...node(script)]);
    expect(stderr).toBe('ä one\ntwo');
    expect(
      recordsIn(file).flatMap((record) => (record.type === 'stray' ? [record.text] : [])),
    ).toEqual(['ä one', 'two']);
  });

  it.each([
    ['line', (text: string) => `${text}\n`],
    ['header', (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`],
  ])('records both directions of %s framing with sizes and latencies', async (framing, encode) => {
    const file = recording();
    const ping = '{"jsonrpc":"2.0","id":"ü","method":"ping"}';
    const { stdout } = await tincan(['tap', '--out', file, '--', ...OURS], { input: encode(ping) });
    expect(stdout).toContain('"id":"ü"');
    const [request, answer, exit] = recordsIn(file);
    expect(request).toMatchObject({
      direction: 'client→server',
      framing,
      bytes: Buffer.byteLength(ping),
    });
    expect(answer).toMatchObject({
      direction: 'server→client',
      framing,
      latencyMs: expect.any(Number),
    });
    expect(exit).toMatchObject({ type: 'exit', exitCode: 0, signal: null });
  });

  it('masks secrets in the recording and nowhere else', async () => {
    const file = recording();
    const input = '{"jsonrpc":"2.0","id":1,"method":"x","params":{"apiKey":"hunter2hunter2"}}\n';
    const { stdout } = await tincan(['tap', '--out', file, '--', 'cat'], { input });
    expect(stdout).toBe(input);
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
    const open = recording();
    await tincan(['tap', '--no-redact', '--out', open, '--', 'cat'], { input });
    expect(readFileSync(open, 'utf8')).toContain('hunter2');
  });

  it.each([
    ['an exit code', 'process.exit(42)', { code: 42, signal: null }],
    ['a signal', "process.kill(process.pid,'SIGKILL')", { code: null, signal: 'SIGKILL' }],
    ['another signal', "process.kill(process.pid,'SIGTERM')", { code: null, signal: 'SIGTERM' }],
  ])('ends with %s as the server did', async (_, script, end) => {
    const file = recording();
    expect(await tincan(['tap', '--out', file, '--', ...node(script)])).toMatchObject(end);
    expect(recordsIn(file).at(-1)).toMatchObject({
      type: 'exit',
      exitCode: end.code,
      signal: end.signal,
    });
  });

  it('loses nothing a server writes right before it ends', async () => {
    const script = "process.stdout.write('x'.repeat(2_000_000),()=>process.exit(7))";
    const { stdout, code } = await tincan(['tap', '--out', recording(), '--', ...node(script)]);
    expect([stdout.length, code]).toEqual([2_000_000, 7]);
  });

  it('passes signals on', async () => {
    const script =
      "process.on('SIGTERM',()=>{process.stdout.write('bye');process.exit(5)});setInterval(()=>{},1000);process.stdout.write('up')";
    const child = spawn(
      process.execPath,
      [PROGRAM, 'tap', '--out', recording(), '--', ...node(script)],
      { stdio: 'pipe' },
    );
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [bye] = await once(child.stdout, 'data');
    const [code] = await once(child, 'close');
    expect([String(bye), code]).toEqual(['bye', 5]);
  });

  it('takes the server with it when it is killed, as killing the server would have', async () => {
    const script =
      "process.on('SIGTERM',()=>{});setInterval(()=>{},1000);process.stdout.write(String(process.pid))";
    const child = spawn(
      process.execPath,
      [PROGRAM, 'tap', '--out', recording(), '--', ...node(script)],
      { stdio: 'pipe' },
    );
    const [pid] = await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const isGone = (): boolean => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
      } catch {
        return true;
      }
    };
    while (!isGone()) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isGone()).toBe(true);
  });

  it('lets the server feel that the client is gone', async () => {
    const script =
      "setInterval(()=>process.stdout.write('tick\\n'),5);process.stdout.on('error',(e)=>process.exit(e.code==='EPIPE'?9:8))";
    const child = spawn(
      process.execPath,
      [PROGRAM, 'tap', '--out', recording(), '--', ...node(script)],
      { stdio: 'pipe' },
    );
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    expect(code).toBe(9);
  });

  it('waits where the reader is slow, instead of filling memory', async () => {
    // The server counts what it could write; nobody reads.
    const script =
      "let n=0;const w=()=>{while(process.stdout.write('x'.repeat(65536)))n++;process.stderr.write(n+'\\n');process.stdout.once('drain',w)};w()";
    const child = spawn(
      process.execPath,
      [PROGRAM, 'tap', '--out', recording(), '--', ...node(script)],
      { stdio: 'pipe' },
    );
    let last = 0;
    child.stderr.on('data', (chunk: Buffer) => {
      last = Number(chunk.toString().trim().split('\n').at(-1));
    });
    let before = -1;
    while (before !== last || last === 0) {
      before = last;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    child.kill('SIGKILL');
    expect(last).toBeLessThan(100);
  });

  it('goes on when the recording cannot be written', async () => {
    const input = '{"jsonrpc":"2.0","id":1,"method":"x"}\n';
    const { stdout, code, stderr } = await tincan(
      ['tap', '--out', '/proc/none/x.ndjson', '--', 'cat'],
      { input },
    );
    expect([stdout, code]).toEqual([input, 0]);
    expect(stderr).toContain('the recording is incomplete');
  });

  it('records stray output, and messages that are too large by their size', async () => {
    const file = recording();
    const script =
      "console.log('loading');console.log(JSON.stringify({jsonrpc:'2.0',method:'x',params:['y'.repeat(5000)]}))";
    const { stdout } = await tincan([
      'tap',
      '--max-bytes',
      '1000',
      '--out',
      file,
      '--',
      ...node(script),
    ]);
    expect(stdout.length).toBeGreaterThan(5000);
    const texts = recordsIn(file).flatMap((record) =>
      record.type === 'stray' ? [record.text] : [],
    );
    expect(texts).toEqual([
      'loading',
      expect.stringMatching(/server→client, \d+ bytes, too large/),
    ]);
  });

  it('shows the messages on stderr as they pass, where that is asked for', async () => {
    const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const { stderr } = await tincan(['tap', '--ui', '--out', recording(), '--', ...OURS], {
      input,
    });
    expect(stderr).toMatch(/→ ping …/);
    expect(stderr).toMatch(/→ ping {2}[\d.]+ m?s .*✓/);
    expect(stderr).toContain('exit code 0');
  });

  it('puts the recording into the state folder unless told otherwise, where show finds it', async () => {
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    await tincan(['tap', '--', 'cat'], {
      env,
      input: '{"jsonrpc":"2.0","id":1,"method":"remember-me"}\n',
    });
    const { stdout } = await tincan(['show'], { env });
    expect(stdout).toContain('remember-me');
  });

  it('says what could not be started', async () => {
    const { code, stderr } = await tincan(['tap', '--out', recording(), '--', 'no-such-program']);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('could not start `no-such-program`'),
    ]);
  });
});

/** What a client got and sent, as the operating system saw it: `tee` on both sides of the server command. */
async function session(
  name: string,
  server: readonly string[],
): Promise<{ sent: Buffer; got: Buffer }> {
  const [sent, got] = [join(folder, `${name}.in`), join(folder, `${name}.out`)];
  const words = server.map((word) => `'${word}'`).join(' ');
  const transport = new StdioClientTransport({
    command: 'sh',
    args: ['-c', `tee '${sent}' | ${words} | tee '${got}'`],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'byte-test', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  await client.callTool({ name: 'echo', arguments: { message: 'ünï 日本 🚲 \u2028' } });
  await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } });
  await client.listResources();
  await client.listPrompts();
  await expect(client.getPrompt({ name: 'no-such-prompt' })).rejects.toThrow();
  await client.close();
  return { sent: readFileSync(sent), got: readFileSync(got) };
}

it('a session of the official client with an official server is byte for byte the same with a tap', async () => {
  const file = recording();
  const server = OFFICIAL('everything');
  const without = await session('without', server);
  const tapped = await session('with', [
    process.execPath,
    PROGRAM,
    'tap',
    '--out',
    file,
    '--',
    ...server,
  ]);
  expect(without.got.length).toBeGreaterThan(5000);
  expect(tapped.sent.equals(without.sent)).toBe(true);
  expect(tapped.got.equals(without.got)).toBe(true);
  const methods = recordsIn(file).flatMap((record) =>
    record.type === 'frame' ? [(record.message as { method?: string }).method] : [],
  );
  expect(methods).toEqual(
    expect.arrayContaining(['initialize', 'tools/list', 'tools/call', 'prompts/get']),
  );
});

it('a defect of a server is still the same behind a tap', async () => {
  const { code } = await run(process.execPath, [
    PROGRAM,
    'tap',
    '--out',
    recording(),
    '--',
    ...BAD('exits-at-start'),
  ]);
  expect(code).toBe(1);
});
