import { describe, expect, it } from 'vitest';
import { Cassette, type CassetteFiles } from '../../src/cassette/cassette.ts';
import { parseRecording, requestImage } from '../../src/cassette/recording.ts';
import { openBench } from '../support/bench.ts';

class MemoryTape implements CassetteFiles {
  text: string | undefined;

  async readFile(): Promise<string> {
    if (this.text === undefined) throw Object.assign(new Error('absent'), { code: 'ENOENT' });
    return this.text;
  }

  async appendFile(_: string, text: string): Promise<void> {
    this.text = (this.text ?? '') + text;
  }

  get lines(): string[] {
    return (this.text ?? '').trimEnd().split('\n');
  }
}

const open = (replay: string, cassetteFiles: CassetteFiles, more = {}, env = {}) =>
  openBench({ replay, cassette: 'tape.jsonl', ...more }, { cassetteFiles, env });

async function record(tape: MemoryTape, ...queries: string[]): Promise<void> {
  await using bench = await open('record', tape);
  for (const query of queries) await bench.ask(query).catch(() => {});
  await bench.answerer.close();
}

describe('a cassette', () => {
  it('replays an answer without network and without key', async () => {
    const tape = new MemoryTape();
    await record(tape, '[demo:search]');
    const more = { 'openai.base_url': 'https://api.openai.com/v1' };
    await using bench = await open('replay', tape, more);
    const result = await bench.ask('[demo:search]');
    expect(result.answer).toContain('The guide has the answer.');
    expect(result.citations).toHaveLength(1);
    expect(result.meta.request_id).toBe('req_demo_1');
    expect(bench.upstream.requests).toHaveLength(0);
  });

  it('replays as a stream, so that progress comes', async () => {
    const tape = new MemoryTape();
    await record(tape, '[demo:search]');
    await using bench = await open('replay', tape);
    const messages: string[] = [];
    await bench.answerer.ask(
      'answer',
      { query: '[demo:search]' },
      { onProgress: ({ message }) => messages.push(message) },
    );
    expect(messages).toEqual(['accepted by demo-model-2026-11-01']);
    expect(parseRecording(tape.lines[0] ?? '').response.chunks.length).toBeGreaterThan(10);
  });

  it('can be cancelled in the middle of a replay', async () => {
    const tape = new MemoryTape();
    await record(tape, '[demo:search]');
    await using bench = await open('replay', tape);
    const controller = new AbortController();
    const call = bench.answerer.ask(
      'answer',
      { query: '[demo:search]' },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await expect(call).rejects.toMatchObject({ kind: 'cancelled' });
    expect(bench.answerer.inFlight).toBe(0);
  });

  it('fails loudly when nothing matches, without a retry', async () => {
    const tape = new MemoryTape();
    await record(tape, '[demo:search]');
    await using bench = await open('replay', tape);
    const error = await bench.failure('something else');
    expect(error).toMatchObject({
      kind: 'replay_miss',
      message: 'no recording matches this `POST /responses`',
      hint: expect.stringContaining('--replay record'),
    });
    expect(bench.clock.skipped).toEqual([]);
    expect(bench.upstream.requests).toHaveLength(0);
  });

  it('replays failures and retries in the order they came', async () => {
    const tape = new MemoryTape();
    await record(tape, '[demo:flaky]');
    expect(tape.lines).toHaveLength(3);
    await using bench = await open('replay', tape);
    expect((await bench.ask('[demo:flaky]')).meta.attempts).toBe(3);
    // The last recording serves from then on.
    expect((await bench.ask('[demo:flaky]', { fresh: true })).meta.attempts).toBe(1);
  });

  it('in `auto` replays what it has and records what it lacks', async () => {
    const tape = new MemoryTape();
    await record(tape, '[demo:search]');
    await using bench = await open('auto', tape);
    await bench.ask('[demo:search]');
    expect(bench.upstream.requests).toHaveLength(0);
    await bench.ask('[demo:ok]');
    await bench.answerer.close();
    expect(bench.upstream.requests).toHaveLength(1);
    expect(tape.lines).toHaveLength(2);
  });

  it('matches on another day', async () => {
    const tape = new MemoryTape();
    await record(tape, '[demo:ok]');
    expect(tape.text).not.toContain('2026-11-16');
    await using bench = await open('replay', tape);
    bench.clock.advance(40 * 86_400_000);
    expect((await bench.ask('[demo:ok]')).meta.status).toBe('completed');
  });

  it('holds no secret, whoever said it', async () => {
    const tape = new MemoryTape();
    const env = { OPENAI_API_KEY: 'my-very-own-key' };
    {
      await using bench = await open('record', tape, {}, env);
      await bench.failure('my-very-own-key [demo:auth:my-very-own-key]');
      await bench.answerer.close();
    }
    expect(tape.lines).toHaveLength(1);
    expect(tape.text).not.toContain('my-very-own-key');
    expect(tape.text?.toLowerCase()).not.toContain('authorization');
  });

  it('does not keep an answer that was cut short', async () => {
    const tape = new MemoryTape();
    await record(tape, '[demo:cut]');
    expect(tape.text).toBeUndefined();
  });

  it('is not hidden from by the memory of answers', async () => {
    const tape = new MemoryTape();
    await using bench = await open('record', tape);
    await bench.ask('[demo:ok]');
    await bench.ask('[demo:ok]');
    await bench.answerer.close();
    expect(tape.lines).toHaveLength(2);
  });

  it('says when it cannot be written, and answers all the same', async () => {
    const tape = new MemoryTape();
    tape.appendFile = async () => {
      throw new Error('read-only');
    };
    await using bench = await open('record', tape);
    expect((await bench.ask('[demo:ok]')).meta.status).toBe('completed');
    await bench.answerer.close();
    expect(bench.logged.join()).toContain('the cassette cannot be written: Error: read-only');
  });

  it.each(['{', 'null', '{"v":2}', '{"v":1,"key":"k","response":{"status":200,"chunks":[1]}}'])(
    'names the line that is not a recording: %j',
    async (line) => {
      const tape = new MemoryTape();
      tape.text = `\n${line}\n`;
      await expect(new Cassette('tape.jsonl', tape).next('k')).rejects.toMatchObject({
        kind: 'replay_miss',
        message: 'tape.jsonl:2: not a recording',
      });
    },
  );

  it('reports a file that cannot be read', async () => {
    const files = new MemoryTape();
    files.readFile = async () => {
      throw Object.assign(new Error('denied'), { code: 'EACCES' });
    };
    await expect(new Cassette('t', files).next('k')).rejects.toThrow('denied');
  });
});

describe('requestImage', () => {
  const options = { baseUrl: 'https://api.example/v1', secrets: [], today: '2026-11-16' };
  const image = (url: string, body: string) => requestImage(url, { method: 'POST', body }, options);

  it('does not depend on the order of keys or on the host', () => {
    const here = image('https://api.example/v1/responses', '{"a":1,"b":{"c":[1],"d":2}}');
    const there = requestImage(
      'http://127.0.0.1:9/v1/responses',
      { method: 'POST', body: '{"b":{"d":2,"c":[1]},"a":1}' },
      { ...options, baseUrl: 'http://127.0.0.1:9/v1' },
    );
    expect(there.key).toBe(here.key);
  });

  it('depends on the path, the method and every value', () => {
    const keys = [
      image('https://api.example/v1/responses', '{"a":1}').key,
      image('https://api.example/v1/responses', '{"a":2}').key,
      image('https://api.example/v1/chat/completions', '{"a":1}').key,
      requestImage('https://api.example/v1/responses', {}, options).key,
    ];
    expect(new Set(keys).size).toBe(4);
  });
});
