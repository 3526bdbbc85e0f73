import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createAnswerer } from '../src/answer/answerer.ts';
import { readFlagLayer } from '../src/config/flag-layer.ts';
import { openBench } from './support/bench.ts';
import { configWith, load, noFile } from './support/config.ts';
import { call, openLine } from './support/line.ts';

// One test for each defect found in the reference server, in the order of that list.

const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const framed = (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
const source = fileURLToPath(new URL('../src/', import.meta.url));

async function idsAfter(bytes: string): Promise<unknown[]> {
  await using bench = await openBench();
  await using line = openLine(bench);
  line.write(bytes);
  return (await line.end()).map(({ id }) => id);
}

describe('unlike the reference, this server', () => {
  it.each([
    [`${ping(1)}\n\n${ping(2)}\n`],
    [`${ping(1)}\n${framed(ping(2))}`],
    [`${framed(ping(1))}${ping(2)}\n`],
  ])('1: loses no message when framings and blank lines mix (%#)', async (bytes) => {
    expect(await idsAfter(bytes)).toEqual([1, 2]);
  });

  it.each([
    ['garbage\n', [null, 1, 2]],
    ['\n', [1, 2]],
    ['{"half":\n', [null, 1, 2]],
  ])('2: is not wedged by a bad line (%j)', async (bad, ids) => {
    expect(await idsAfter(`${bad}${ping(1)}\n${ping(2)}\n`)).toEqual(ids);
  });

  it('3: sends four requests for a failing call at three retries, not twelve', async () => {
    await using bench = await openBench();
    await bench.failure('[demo:broken]');
    expect(bench.upstream.requests).toHaveLength(4);
  });

  it('4: hands the package a logger of its own, without prompt or key', async () => {
    const env = { OPENAI_API_KEY: 'sk-secret-secret' };
    await using bench = await openBench({}, { env });
    await bench.ask('[demo:ok]');
    const text = bench.logged.join('\n');
    expect(text).toContain('openai: ');
    expect(text).not.toContain('secret-secret');
  });

  it('5: spends nothing on a call without a question', async () => {
    await using bench = await openBench();
    await expect(bench.answerer.ask('answer', {})).rejects.toMatchObject({ kind: 'arguments' });
    expect(bench.upstream.requests).toHaveLength(0);
  });

  it('6: refuses a message without end, and goes on', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const head = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"pad":"';
    line.write(`Content-Length: ${head.length + 70 * piece.length}\r\n\r\n${head}`);
    for (let n = 0; n < 70; n++) line.write(piece);
    line.write(framed(ping(2)));
    expect(await line.next()).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(await line.next()).toMatchObject({ id: 2, result: {} });
  });

  it.each([
    ['failed', 'failed'],
    ['incomplete', 'incomplete'],
    ['refusal', 'refusal'],
    ['empty', 'empty'],
  ])('7: does not pass off `%s` as success', async (name, kind) => {
    await using bench = await openBench();
    expect((await bench.failure(`[demo:${name}]`)).kind).toBe(kind);
    expect(bench.upstream.requests).toHaveLength(1);
  });

  it('8: tells a timeout from a cancellation', async () => {
    await using bench = await openBench({
      'request.timeout_ms': 120_000,
      'request.idle_timeout_ms': 300_000,
    });
    const late = bench.failure('1 [demo:hang]');
    await bench.upstream.arrival(1);
    bench.clock.advance(120_000);
    const controller = new AbortController();
    const { signal } = controller;
    const left = bench.answerer.ask('answer', { query: '2 [demo:hang]' }, { signal });
    await bench.upstream.arrival(2);
    controller.abort();
    expect((await late).kind).toBe('timeout');
    await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('9: says in `data` what failed, and can speak as the specification asks', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call(1, '[demo:quota]'));
    expect(await line.next()).toMatchObject({
      error: { code: -32001, data: { kind: 'quota', retryable: false, status: 429 } },
    });
    await using modern = openLine(bench, 'spec');
    modern.send(call(1, '[demo:quota]'));
    expect(await modern.next()).toMatchObject({ result: { isError: true } });
  });

  it('10: sends effort and verbosity to families it does not know, and drops what is refused', async () => {
    await using bench = await openBench({
      'model_profiles.answer.model': 'gpt-6',
      'model_profiles.answer.reasoning_effort': 'minimal',
    });
    await bench.ask('[demo:unsupported]');
    const [first, second] = bench.upstream.requests.map(({ body }) => body);
    expect(first).toMatchObject({
      reasoning: { effort: 'minimal' },
      text: { verbosity: 'medium' },
    });
    expect(second).not.toHaveProperty('reasoning');
    expect(second).toMatchObject({ text: { verbosity: 'medium' } });
  });

  it('11: does not invent publication dates', async () => {
    await using bench = await openBench({ 'policy.timezone': 'Asia/Tokyo' });
    bench.clock.advance(5 * 3_600_000);
    const { citations } = await bench.ask('[demo:sources-only]');
    expect(citations).toMatchObject([
      { published_at: '2026-10-02', accessed_at: '2026-11-17' },
      { accessed_at: '2026-11-17' },
    ]);
    expect(citations[1]).not.toHaveProperty('published_at');
  });

  it.each(['own-sources', 'own-sources-dated', 'search'])(
    '12: lists sources once for `%s`',
    async (name) => {
      await using bench = await openBench();
      const { answer } = await bench.ask(`[demo:${name}]`);
      expect(answer.match(/Sources:/g)).toHaveLength(1);
      expect(answer.match(/example\.com\/guide/g)).toHaveLength(1);
    },
  );

  it('13: keeps messages apart', async () => {
    await using bench = await openBench();
    expect((await bench.ask('[demo:multi-message]')).answer).toMatch(/^Part one\.\n\nPart two\./);
  });

  it('14: filters by domain', async () => {
    await using bench = await openBench();
    await bench.ask('[demo:ok]', { domains: ['https://Docs.example.com/x'] });
    expect(bench.upstream.requests[0]?.body['tools']).toEqual([
      { type: 'web_search', filters: { allowed_domains: ['docs.example.com'] } },
    ]);
  });

  it('15: refuses an id that is in use, and keeps the first call cancellable', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call(1, '[demo:stall]'));
    const request = await bench.upstream.arrival(1);
    line.send(call(1, '[demo:ok]'));
    expect(await line.next()).toMatchObject({ id: 1, error: { code: -32600 } });
    line.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await request.over).toBe(true);
    expect(bench.upstream.requests).toHaveLength(1);
  });

  it('16: keeps nothing of a failed call', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call(1, '[demo:bad]'));
    await line.next();
    expect(bench.answerer.inFlight).toBe(0);
    // The id is free again, which it would not be if the call were still in the table.
    line.send(call(1, '[demo:ok]'));
    expect(await line.next()).toMatchObject({ id: 1, result: {} });
  });

  it.each([
    ['null', [{ error: { code: -32600 } }]],
    ['[]', [{ error: { code: -32600 } }]],
    [`[${ping(1)},${ping(2)}]`, [[{ id: 1 }, { id: 2 }]]],
    ['{"jsonrpc":"2.0","id":9,"result":{}}', []],
  ])('17: classifies every kind of JSON: %s', async (text, expected) => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.write(`${text}\n`);
    expect(await line.end()).toMatchObject(expected);
  });

  it.each(['0', 'false', 'off', ''])(
    '18: takes DEBUG=%j for off and for no file',
    async (value) => {
      const { config } = await load({ env: { DEBUG: value } });
      expect(config.server).toMatchObject({ debug: false, debugFile: null });
    },
  );

  it.each(['hello', 'request: 5', 'request: { timeout_ms: null }', 'requets: {}', 'a: [', '- x'])(
    '19: fails at start for the file %j',
    async (yaml) => {
      await expect(load({ yaml })).rejects.toThrow(/answer\.yaml:\d+: /);
    },
  );

  it('20: repeats no key the upstream echoes', async () => {
    const env = { OPENAI_API_KEY: 'unusual/key:shape' };
    await using bench = await openBench({}, { env });
    expect((await bench.failure('1 [demo:auth]')).message).not.toContain('sk-demo');
    expect((await bench.failure('2 [demo:auth:unusual/key:shape]')).message).toBe(
      '401 Incorrect API key provided: [redacted].',
    );
  });

  it('21: streams, and reports progress', async () => {
    await using bench = await openBench();
    const messages: string[] = [];
    const onProgress = ({ message }: { message: string }) => void messages.push(message);
    await bench.answerer.ask('answer_detailed', { query: '[demo:ok]' }, { onProgress });
    expect(bench.upstream.requests[0]?.body['stream']).toBe(true);
    expect(messages).not.toEqual([]);
  });

  it('22: returns usage, the id of the request and the model that answered', async () => {
    await using bench = await openBench();
    const { model, meta } = await bench.ask('[demo:ok]');
    expect(model).toBe('gpt-5.5');
    expect(meta).toMatchObject({
      resolved_model: 'demo-model-2026-11-01',
      request_id: 'req_demo_1',
      usage: { input: 120, cached: 20, output: 45, reasoning: 12 },
    });
  });

  it('23: reads its policy once and keeps its connection', async () => {
    let reads = 0;
    const policyFiles = {
      stamp: async () => 'same',
      readFile: async () => {
        reads++;
        return 'Be kind.';
      },
    };
    const changes = { 'policy.system.source': 'file', 'policy.system.path': 'p.md' };
    await using bench = await openBench(changes, { policyFiles });
    for (const query of ['1 [demo:ok]', '2 [demo:ok]']) {
      await bench.ask(query);
      await bench.upstream.requests.at(-1)?.over;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(reads).toBe(1);
    expect(bench.upstream.connections).toBe(1);
    expect(bench.upstream.requests[1]?.body['instructions']).toMatch(/^Be kind\./);
  });

  it('24: takes `--config=a=b.yaml` whole', () => {
    expect(readFlagLayer(['--config=a=b.yaml']).configFile).toBe('a=b.yaml');
  });

  it('25: puts a frame out in one piece', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, 'header');
    await line.next();
    expect(line.bytes()).toBe(framed('{"jsonrpc":"2.0","id":1,"result":{}}'));
    expect(line.writes()).toBe(1);
  });

  it('26: loads neither SDK nor YAML parser nor engine before it needs them', async () => {
    const seen = new Set<string>();
    const visit = async (file: string): Promise<void> => {
      if (seen.has(file)) return;
      seen.add(file);
      if (!file.startsWith('/')) return;
      const text = await readFile(file, 'utf8');
      for (const [, target = ''] of text.matchAll(
        /^(?:import|export) (?!type )[^;]*?'([^']+)';$/gms,
      )) {
        await visit(target.startsWith('.') ? join(dirname(file), target) : target);
      }
    };
    await visit(join(source, 'main.ts'));
    await visit(join(source, 'faces/serve.ts'));
    const names = [...seen].map((file) => file.replace(source, ''));
    expect(names).toContain('faces/mcp.ts');
    expect(
      names.filter((name) => /^(openai|yaml|provider\/|cassette\/|demo\/)/.test(name)),
    ).toEqual([]);
    expect(names).not.toContain('answer/answerer.ts');
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '27: speaks revision %s when asked to',
    async (protocolVersion) => {
      await using bench = await openBench();
      await using line = openLine(bench);
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } };
      line.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      expect(await line.next()).toMatchObject({ result: { protocolVersion } });
    },
  );

  it('28: has no `any`, and no failure swallowed without a reason', async () => {
    const files = (await readdir(source, { recursive: true })).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(40);
    for (const name of files) {
      const code = (await readFile(join(source, name), 'utf8')).replace(/\/\*.*?\*\//gs, '');
      const loose = code.match(/[:<|&]\s*any\b|\bas any\b|catch\s*(\([^)]*\))?\s*\{\s*\}/g);
      expect(loose, name).toBeNull();
    }
  });

  it('starts without a key and says so per call', async () => {
    const answerer = createAnswerer(await configWith(), {
      env: {},
      policyFiles: { stamp: noFile, readFile: noFile },
    });
    for (let n = 0; n < 2; n++) {
      await expect(answerer.ask('answer', { query: 'q' })).rejects.toMatchObject({
        kind: 'missing_key',
      });
    }
  });
});
