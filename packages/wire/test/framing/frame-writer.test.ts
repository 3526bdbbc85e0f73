import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { WireError } from '../../src/errors.ts';
import { FrameWriter } from '../../src/framing/frame-writer.ts';
import type { Framing } from '../../src/framing/framing.ts';

type Done = (error?: Error | null) => void;

/** A stream that notes each call of the operating system and completes it when told to. */
class Sink extends Writable {
  readonly calls: string[] = [];
  readonly waiting: Done[] = [];
  isStuck = false;

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.#note([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#note(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  get text(): string {
    return this.calls.join('');
  }

  /** Takes what waits, and everything after it. */
  release(error?: Error): void {
    this.isStuck = false;
    for (const done of this.waiting.splice(0)) done(error);
  }

  #note(chunks: readonly Buffer[], done: Done): void {
    this.calls.push(Buffer.concat(chunks).toString());
    if (this.isStuck) this.waiting.push(done);
    else setImmediate(done);
  }
}

interface Setup {
  readonly sink: Sink;
  readonly writer: FrameWriter;
  readonly errors: WireError[];
  readonly drains: () => number;
}

function setUp(options: { framing?: Framing; highWaterMark?: number } = {}): Setup {
  const { framing = 'line', highWaterMark = 16 * 1024 } = options;
  const sink = new Sink({ highWaterMark });
  const errors: WireError[] = [];
  let drains = 0;
  const writer = new FrameWriter(sink, {
    framing,
    onError: (error) => errors.push(error),
    onDrain: () => drains++,
  });
  return { sink, writer, errors, drains: () => drains };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'sent',
    (error: WireError) => error.code,
  );
}

describe('joined writes', () => {
  it('writes nothing within the turn, then all of it in one call', async () => {
    const { sink, writer } = setUp();
    for (let id = 0; id < 100; id++) writer.post(`{"id":${id}}`);
    expect(sink.calls).toEqual([]);
    await writer.send('{"last":1}');
    expect(sink.calls).toHaveLength(1);
    expect(sink.text.split('\n')).toHaveLength(102);
    expect(sink.text.startsWith('{"id":0}\n{"id":1}\n')).toBe(true);
  });

  it('makes one call per turn', async () => {
    const { sink, writer } = setUp();
    for (let round = 0; round < 3; round++) {
      writer.post('1');
      writer.post('2');
      await writer.send('3');
    }
    expect(sink.calls).toEqual(['1\n2\n3\n', '1\n2\n3\n', '1\n2\n3\n']);
  });

  it('gives all sends of a turn the same promise', () => {
    const { writer } = setUp();
    expect(writer.send('1')).toBe(writer.send('2'));
  });

  it('writes at once when flushed, and nothing a second time', async () => {
    const { sink, writer } = setUp();
    writer.post('1');
    writer.flush();
    expect(sink.calls).toEqual(['1\n']);
    writer.flush();
    await turn();
    await turn();
    expect(sink.calls).toEqual(['1\n']);
  });

  it('keeps the order of large and small messages, still in one call', async () => {
    const { sink, writer } = setUp({ highWaterMark: 1 << 30 });
    const large = 'x'.repeat(300_000);
    const texts = ['1', large, '2', large, large, '3', '4'];
    for (const text of texts.slice(0, -1)) writer.post(text);
    await writer.send('4');
    expect(sink.text).toBe(texts.map((text) => `${text}\n`).join(''));
    expect(sink.calls).toHaveLength(1);
  });

  it('never joins a small message to more than 64 K characters before it', async () => {
    const written: number[] = [];
    const output = new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        written.push(chunk.length);
        done();
      },
    });
    const writer = new FrameWriter(output, { framing: 'line', onError: () => undefined });
    for (let i = 0; i < 10_000; i++) writer.post('x'.repeat(99));
    await writer.drained();
    expect(written.reduce((sum, length) => sum + length, 0)).toBe(1_000_000);
    expect(Math.max(...written)).toBeLessThanOrEqual(65_536 + 100);
    expect(written.length).toBeLessThan(20);
  });
});

describe('header framing', () => {
  it.each([
    ['{"a":"x"}', 9],
    ['{"a":"é"}', 10],
    ['{"a":"€"}', 11],
    ['{"a":"🦜"}', 12],
  ])('announces the bytes, not the characters, of %s', async (text, bytes) => {
    const { sink, writer } = setUp({ framing: 'header' });
    await writer.send(text);
    expect(sink.calls).toEqual([`Content-Length: ${bytes}\r\n\r\n${text}`]);
  });

  it('joins header and body, and messages, into one call with nothing between', async () => {
    const { sink, writer } = setUp({ framing: 'header' });
    writer.post('{}');
    await writer.send('[]');
    expect(sink.calls).toEqual(['Content-Length: 2\r\n\r\n{}Content-Length: 2\r\n\r\n[]']);
  });

  it('can change between two messages of a turn', async () => {
    const { sink, writer } = setUp();
    writer.post('1');
    writer.framing = 'header';
    await writer.send('2');
    expect(sink.text).toBe('1\nContent-Length: 1\r\n\r\n2');
  });
});

describe('a full pipe', () => {
  it('waits once, keeps what comes meanwhile, and then sends it in one call', async () => {
    const { sink, writer, drains } = setUp({ highWaterMark: 10 });
    sink.isStuck = true;
    const first = writer.send('0123456789');
    writer.flush();
    const later = Array.from({ length: 5 }, (_, id) => writer.send(`{"id":${id}}`));
    await turn();
    writer.flush();
    expect(sink.calls).toHaveLength(1);
    expect(writer.queued).toBe(11 + 5 * 9);
    expect(drains()).toBe(0);
    sink.release();
    await Promise.all([first, ...later]);
    expect(sink.calls).toHaveLength(2);
    expect(writer.queued).toBe(0);
    expect(drains()).toBeGreaterThan(0);
  });

  it('counts what was posted and what the operating system has', async () => {
    const { sink, writer } = setUp();
    sink.isStuck = true;
    writer.post('1');
    const sent = writer.send('2');
    writer.flush();
    expect([writer.posted, writer.written]).toEqual([2, 0]);
    sink.release();
    await sent;
    expect([writer.posted, writer.written]).toEqual([2, 2]);
  });

  it('does not count as written what was posted while an earlier write was under way', async () => {
    const { sink, writer } = setUp({ highWaterMark: 1 });
    sink.isStuck = true;
    const first = writer.send('first');
    writer.flush();
    writer.post('second');
    writer.post('third');
    expect([writer.posted, writer.written]).toEqual([3, 0]);
    for (const done of sink.waiting.splice(0)) done();
    await first;
    expect([writer.posted, writer.written]).toEqual([3, 1]);
    sink.release();
    await writer.drained();
    expect([writer.posted, writer.written]).toEqual([3, 3]);
  });

  it.each(['line', 'header'] as const)(
    'row 75: loses nothing to a slow reader (%s)',
    async (framing) => {
      const output = new PassThrough({ highWaterMark: 1024 });
      const writer = new FrameWriter(output, { framing, onError: () => undefined });
      const text = JSON.stringify({ text: 'é'.repeat(500) });
      const sends: Promise<void>[] = [];
      for (let i = 0; i < 200; i++) {
        sends.push(writer.send(text));
        if (i % 10 === 0) await turn();
      }
      const budget = 200 * (text.length + 30);
      expect(writer.queued).toBeGreaterThan(0);
      expect(writer.queued).toBeLessThanOrEqual(budget);
      const read: Buffer[] = [];
      output.on('data', (chunk: Buffer) => read.push(chunk));
      await Promise.all(sends);
      expect(writer.queued).toBe(0);
      expect(Buffer.concat(read).toString().split(text)).toHaveLength(201);
    },
  );
});

describe('drained', () => {
  it('resolves at once when nothing waits', async () => {
    const { sink, writer } = setUp();
    await writer.drained();
    expect(sink.calls).toEqual([]);
  });

  it('writes what is queued without waiting for the end of the turn', async () => {
    const { sink, writer } = setUp();
    writer.post('1');
    const drained = writer.drained();
    expect(sink.calls).toEqual(['1\n']);
    await drained;
    expect(writer.queued).toBe(0);
  });

  it('waits for what is on its way', async () => {
    const { sink, writer } = setUp();
    sink.isStuck = true;
    writer.post('1');
    writer.flush();
    let isDrained = false;
    const drained = writer.drained().then(() => {
      isDrained = true;
    });
    await turn();
    expect(isDrained).toBe(false);
    sink.release();
    await drained;
    expect(sink.text).toBe('1\n');
  });

  it.each([
    ['queued behind a full pipe', true],
    ['on its way', false],
  ])('rejects when the writer is stopped while bytes are %s', async (_name, isQueued) => {
    const { sink, writer } = setUp({ highWaterMark: 1 });
    sink.isStuck = true;
    writer.post('1');
    writer.flush();
    if (isQueued) writer.post('2');
    const drained = outcome(writer.drained());
    writer.stop(new WireError('SHUTDOWN', 'over'));
    expect(await drained).toBe('SHUTDOWN');
    expect(await outcome(writer.drained())).toBe('SHUTDOWN');
    sink.release();
  });
});

describe('failure', () => {
  it('rejects every send that waits, once tells of it, and refuses later ones', async () => {
    const { sink, writer, errors } = setUp({ highWaterMark: 1 });
    sink.isStuck = true;
    const flying = outcome(writer.send('1'));
    writer.flush();
    const queued = outcome(writer.send('2'));
    sink.release(new Error('write EPIPE'));
    expect(await Promise.all([flying, queued])).toEqual(['IO', 'IO']);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: 'IO', message: 'could not write: write EPIPE' });
    expect(writer.failure).toBe(errors[0]);
    expect(await outcome(writer.send('3'))).toBe('IO');
    writer.post('4');
    writer.flush();
    await turn();
    expect(sink.text).toBe('1\n');
  });

  it.each([
    ['destroyed before', (sink: Sink) => void sink.destroy()],
    ['destroyed with an error before', (sink: Sink) => void sink.destroy(new Error('gone'))],
    ['ended before', (sink: Sink) => void sink.end()],
  ])('settles every send to a stream that was %s', async (_name, spoil) => {
    const sink = new Sink();
    sink.on('error', () => undefined);
    spoil(sink);
    await turn();
    const errors: WireError[] = [];
    const writer = new FrameWriter(sink, { framing: 'line', onError: (e) => errors.push(e) });
    for (let round = 0; round < 3; round++) {
      expect(await outcome(writer.send('x'))).toBe('IO');
    }
    expect(errors).toHaveLength(1);
  });

  it('settles sends when the stream closes without an error', async () => {
    const { sink, writer, errors } = setUp();
    sink.isStuck = true;
    const sent = outcome(writer.send('1'));
    writer.flush();
    sink.destroy();
    await once(sink, 'close');
    expect(await sent).toBe('IO');
    expect(errors).toHaveLength(1);
  });

  it('refuses a text that has no room for its frame, and sends the next', async () => {
    const { constants } = await import('node:buffer');
    const { sink, writer } = setUp();
    expect(await outcome(writer.send(' '.repeat(constants.MAX_STRING_LENGTH)))).toBe('TOO_LARGE');
    expect(await outcome(writer.send('1'))).toBe('sent');
    expect(sink.text).toBe('1\n');
  });

  it('never raises an unhandled rejection for a send nobody waits for', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const { sink, writer } = setUp();
    void writer.send('1');
    const closed = new Promise((resolve) => sink.once('close', resolve));
    sink.destroy(new Error('gone'));
    await closed;
    void writer.send('2');
    await turn();
    await turn();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('stop', () => {
  it('rejects what waits with the given error and lets go of the stream', async () => {
    const { sink, writer, errors } = setUp();
    sink.isStuck = true;
    const flying = outcome(writer.send('1'));
    writer.flush();
    const queued = outcome(writer.send('2'));
    writer.stop(new WireError('SHUTDOWN', 'over'));
    expect(await Promise.all([flying, queued])).toEqual(['SHUTDOWN', 'SHUTDOWN']);
    expect(sink.listenerCount('drain')).toBe(0);
    sink.release(new Error('late'));
    await turn();
    expect(errors).toEqual([]);
    expect(writer.failure).toMatchObject({ code: 'SHUTDOWN' });
    expect(sink.text).toBe('1\n');
  });

  it('keeps the first reason', () => {
    const { writer } = setUp();
    writer.stop(new WireError('SHUTDOWN', 'first'));
    writer.stop(new WireError('IO', 'second'));
    expect(writer.failure).toMatchObject({ message: 'first' });
  });
});
