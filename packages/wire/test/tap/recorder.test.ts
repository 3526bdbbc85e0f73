import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import { Recorder, type TapRecord } from '../../src/tap/recorder.ts';
import { readRecording } from '../../src/tap/recording.ts';
import { Line } from '../support/lines.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tap-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

const request = (id: number, method = 'm'): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method });
const answer = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: id });
const frames = (records: readonly TapRecord[]): Extract<TapRecord, { type: 'frame' }>[] =>
  records.filter((record) => record.type === 'frame');

describe('the ring in memory', () => {
  it('holds frames with direction, framing, bytes and message', () => {
    const recorder = new Recorder();
    const text = '{"jsonrpc":"2.0","method":"é"}';
    recorder.frame('client→server', text, 'header');
    expect(recorder.records).toEqual([
      {
        type: 'frame',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        direction: 'client→server',
        framing: 'header',
        bytes: Buffer.byteLength(text),
        message: { jsonrpc: '2.0', method: 'é' },
      },
    ]);
  });

  it('holds stray text and the exit', () => {
    const recorder = new Recorder();
    recorder.stray('stderr', 'warming up');
    recorder.exit(3, null);
    recorder.exit(null, 'SIGKILL');
    expect(recorder.records).toMatchObject([
      { type: 'stray', source: 'stderr', text: 'warming up' },
      { type: 'exit', exitCode: 3, signal: null },
      { type: 'exit', exitCode: null, signal: 'SIGKILL' },
    ]);
  });

  it.each([1, 3, 10])('keeps the last %i, oldest first', (keep) => {
    const recorder = new Recorder({ keep });
    for (let n = 0; n < 50; n++) {
      recorder.stray('stdout', `${n}`);
      expect(recorder.records.length).toBe(Math.min(n + 1, keep));
    }
    const kept = recorder.records.map((record) => (record.type === 'stray' ? record.text : ''));
    expect(kept).toEqual(Array.from({ length: keep }, (_, i) => `${50 - keep + i}`));
  });

  it('keeps a thousand by default, and none with 0', () => {
    const recorder = new Recorder();
    const none = new Recorder({ keep: 0 });
    for (let n = 0; n < 2500; n++) {
      recorder.stray('stdout', 'x');
      none.stray('stdout', 'x');
    }
    expect(recorder.records).toHaveLength(1000);
    expect(none.records).toEqual([]);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses keep: %d', (keep) => {
    expect(() => new Recorder({ keep })).toThrow(
      expect.objectContaining({
        code: 'BAD_OPTION',
        message: `expected \`keep\` to be an integer of at least 0, got \`${keep}\``,
      }),
    );
  });

  it('keeps text that is no JSON as it is', () => {
    const recorder = new Recorder();
    recorder.frame('server→client', '{cut off', 'line');
    expect(recorder.records).toMatchObject([{ message: '{cut off', bytes: 8 }]);
  });
});

describe('latency', () => {
  it('is the time from a request to its answer, per direction and id', () => {
    vi.useFakeTimers();
    const recorder = new Recorder();
    recorder.frame('client→server', request(1), 'line');
    vi.advanceTimersByTime(10);
    recorder.frame('server→client', request(1, 'sample'), 'line');
    vi.advanceTimersByTime(5);
    recorder.frame('client→server', answer(1), 'line');
    recorder.frame('server→client', answer(1), 'line');
    recorder.frame('server→client', answer(1), 'line');
    expect(frames(recorder.records).map(({ latencyMs }) => latencyMs)).toEqual([
      undefined,
      undefined,
      5,
      15,
      undefined,
    ]);
  });

  it('tells ids of different types apart, and has none for notifications, null and batches', () => {
    const recorder = new Recorder();
    recorder.frame('client→server', '{"id":"1","method":"m"}', 'line');
    for (const text of [answer(1), '{"method":"n"}', '{"id":null,"error":{}}', '[]', '5', 'null']) {
      recorder.frame('server→client', text, 'line');
    }
    for (const frame of frames(recorder.records)) expect(frame).not.toHaveProperty('latencyMs');
  });

  it('forgets the oldest of very many open requests', () => {
    const recorder = new Recorder({ keep: 2 });
    for (let id = 0; id <= 10_000; id++) recorder.frame('client→server', request(id), 'line');
    recorder.frame('server→client', answer(0), 'line');
    recorder.frame('server→client', answer(1), 'line');
    const [oldest, next] = frames(recorder.records);
    expect(oldest).not.toHaveProperty('latencyMs');
    expect(next).toHaveProperty('latencyMs');
  });
});

describe('redaction', () => {
  const secret =
    '{"jsonrpc":"2.0","method":"set","params":{"apiKey":"hunter2","note":"sk-abcdefgh12345"}}';

  it('masks secrets by default, in frames and in stray text', () => {
    const recorder = new Recorder();
    recorder.frame('client→server', secret, 'line');
    recorder.stray('stderr', 'using sk-abcdefgh12345');
    const text = JSON.stringify(recorder.records);
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('sk-abcdefgh');
    expect(recorder.records[1]).toMatchObject({ text: 'using [redacted]' });
  });

  it('leaves everything as it is with `redact: false`', () => {
    const recorder = new Recorder({ redact: false });
    recorder.frame('client→server', secret, 'line');
    recorder.stray('stderr', 'using sk-abcdefgh12345');
    expect(JSON.stringify(recorder.records)).toMatch(/hunter2.*sk-abcdefgh12345/);
  });
});

describe('the file', () => {
  it('gets every record as a line, whatever is kept in memory, and is for the owner alone', async () => {
    const file = join(folder, 'tap.ndjson');
    const recorder = new Recorder({ file, keep: 1 });
    recorder.frame('client→server', request(1), 'line');
    recorder.stray('stdout', 'two\nlines');
    recorder.exit(0, null);
    await recorder.close();
    await recorder.close();
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['frame', 'stray', 'exit']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readRecording(file)).toHaveLength(3);
  });

  it('is continued, not overwritten', async () => {
    const file = join(folder, 'tap.ndjson');
    for (let n = 0; n < 2; n++) {
      const recorder = new Recorder({ file });
      recorder.stray('stdout', `${n}`);
      await recorder[Symbol.asyncDispose]();
    }
    expect(await readRecording(file)).toMatchObject([{ text: '0' }, { text: '1' }]);
  });

  it('that cannot be written lets the session go on and is told by `close`', async () => {
    const file = join(folder, 'missing', 'tap.ndjson');
    const recorder = new Recorder({ file });
    recorder.stray('stdout', 'kept in memory');
    await expect(recorder.close()).rejects.toMatchObject({
      code: 'IO',
      message: expect.stringMatching(/^the recording is incomplete: ENOENT/),
      cause: { code: 'ENOENT' },
    });
    recorder.stray('stdout', 'after');
    expect(recorder.records).toHaveLength(2);
    await expect(recorder.close()).rejects.toMatchObject({ code: 'IO' });
  });

  it('is not needed: close without one resolves', async () => {
    await new Recorder().close();
  });

  it('gets deeply nested messages without harm', async () => {
    const file = join(folder, 'deep.ndjson');
    const recorder = new Recorder({ file });
    recorder.frame('client→server', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'line');
    await recorder.close();
    expect(await readFile(file, 'utf8')).toContain('[nested too deeply]');
  });
});

describe('readRecording', () => {
  it('skips empty lines and names the place of what is no record', async () => {
    const file = join(folder, 'bad.ndjson');
    await writeFile(file, '\n{"type":"exit"}\n\n');
    expect(await readRecording(file)).toEqual([{ type: 'exit' }]);
    for (const bad of ['{cut', '{"type":"other"}', 'null', '5']) {
      await writeFile(file, `{"type":"exit"}\n${bad}\n`);
      await expect(readRecording(file)).rejects.toMatchObject({
        code: 'PARSE',
        message: `${file}:2: expected a record of a tap, got \`${bad}\``,
      });
    }
  });

  it('rejects when the file is missing', async () => {
    await expect(readRecording(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

it('records a live connection', async () => {
  const recorder = new Recorder();
  const line = new Line({ tap: recorder, methods: new Dispatcher({ s: () => 1 }) });
  const asked = line.peer.request('ask', { token: 'secret' });
  const { id } = await line.hear();
  line.say({ jsonrpc: '2.0', id, result: 'told' }, 'banner');
  await asked;
  await line.settled();
  expect(recorder.records).toMatchObject([
    { direction: 'client→server', message: { method: 'ask', params: { token: '[redacted]' } } },
    { direction: 'server→client', message: { result: 'told' }, latencyMs: expect.any(Number) },
    { type: 'stray', source: 'stdout', text: 'banner' },
  ]);
});
