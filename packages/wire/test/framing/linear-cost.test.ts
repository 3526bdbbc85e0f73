import { afterEach, describe, expect, it } from 'vitest';
import { FrameDecoder, type FrameDecoderOptions } from '../../src/framing/frame-decoder.ts';
import { bytesOf, CLIENT, cutEvery, headed, SERVER } from './decode.ts';

/** Work counted in bytes looked at or copied, and in characters parsed; no clock. */
interface Work {
  scanned: number;
  copied: number;
  decoded: number;
  parsed: number;
}

const restore: (() => void)[] = [];
afterEach(() => {
  for (const undo of restore.splice(0)) undo();
});

function replace<T extends object, K extends keyof T>(target: T, key: K, value: T[K]): void {
  const original = target[key];
  target[key] = value;
  restore.push(() => {
    target[key] = original;
  });
}

function workOf(
  chunks: readonly Buffer[],
  options: FrameDecoderOptions,
): Work & { messages: number } {
  const work: Work = { scanned: 0, copied: 0, decoded: 0, parsed: 0 };
  const proto = Buffer.prototype;
  const { indexOf, lastIndexOf, copy, toString: toText } = proto;
  const { concat } = Buffer;
  const { parse } = JSON;
  replace(proto, 'indexOf', function (this: Buffer, value: number, from = 0) {
    const found = indexOf.call(this, value, from);
    work.scanned += (found < 0 ? this.length : found + 1) - from;
    return found;
  } as typeof indexOf);
  replace(proto, 'lastIndexOf', function (this: Buffer, value: number, from = this.length) {
    const found = lastIndexOf.call(this, value, from);
    work.scanned += from - Math.max(found, 0) + 1;
    return found;
  } as typeof lastIndexOf);
  replace(proto, 'copy', function (this: Buffer, ...args: Parameters<typeof copy>) {
    const bytes = copy.apply(this, args);
    work.copied += bytes;
    return bytes;
  } as typeof copy);
  replace(proto, 'toString', function (
    this: Buffer,
    encoding: BufferEncoding,
    start = 0,
    end = this.length,
  ) {
    work.decoded += end - start;
    return toText.call(this, encoding, start, end);
  } as typeof toText);
  replace(Buffer, 'concat', ((list: readonly Buffer[], length?: number) => {
    const whole = concat(list, length);
    work.copied += whole.length;
    return whole;
  }) as typeof concat);
  replace(JSON, 'parse', ((text: string) => {
    work.parsed += text.length;
    return parse(text) as unknown;
  }) as typeof parse);
  const decoder = new FrameDecoder(options);
  let messages = 0;
  for (const chunk of chunks) {
    for (const { kind } of decoder.push(chunk)) if (kind === 'message') messages++;
  }
  for (const { kind } of decoder.end()) if (kind === 'message') messages++;
  for (const undo of restore.splice(0)) undo();
  return { ...work, messages };
}

const MB = 1 << 20;

function messageOf(bytes: number, char = 'x'): Buffer {
  const text = char.repeat(bytes / Buffer.byteLength(char));
  return bytesOf(JSON.stringify({ jsonrpc: '2.0', id: 1, result: text }));
}

describe('the cost of one large message', () => {
  it.each([
    ['line', 4 * MB, 4096, 'x'],
    ['line', 4 * MB, 4096, '€'],
    ['line', 4 * MB, 65_536, 'x'],
    ['line', MB, 1, 'x'],
    ['header', 4 * MB, 4096, 'x'],
    ['header', 4 * MB, 4096, '€'],
    ['header', MB, 1, 'x'],
  ])(
    'as a %s of %i bytes in chunks of %i is a few passes over it (%s)',
    (framing, bytes, size, char) => {
      const body = messageOf(bytes, char);
      const stream = framing === 'line' ? bytesOf(body, '\n') : headed(body);
      const work = workOf(cutEvery(stream, size), SERVER);
      expect(work.messages).toBe(1);
      const length = stream.length;
      // The first chunk is looked through once more for the fast path.
      expect(work.scanned).toBeLessThanOrEqual(length + size + 100);
      // Tiny chunks are gathered once before they are joined.
      expect(work.copied).toBeLessThanOrEqual((size < 512 ? 2 : 1) * length + 8192);
      expect(work.decoded).toBeLessThanOrEqual(length + 8192);
      expect(work.parsed).toBeLessThanOrEqual(length);
    },
  );

  it('in one chunk is not copied at all', () => {
    const work = workOf([bytesOf(messageOf(4 * MB), '\n')], SERVER);
    expect(work).toMatchObject({ messages: 1, copied: 0 });
  });

  it.each([1, 4096])(
    'skipped for its size in chunks of %i copies no more than its head',
    (size) => {
      for (const stream of [bytesOf(messageOf(MB), '\n'), headed(messageOf(MB))]) {
        const work = workOf(cutEvery(stream, size), { maxMessageBytes: 1000 });
        expect(work.messages).toBe(0);
        expect(work.copied).toBeLessThanOrEqual(8192);
        expect(work.scanned).toBeLessThanOrEqual(stream.length + 2 * size + 100);
      }
    },
  );
});

describe('the cost of hostile input grows with its length only', () => {
  const a = '{"jsonrpc":"2.0","id":1,"method":"a"}';
  const nested = (count: number): string => {
    let nest = '';
    for (let i = 0; i < count; i++) {
      nest = `x${headed('{}').toString()}Content-Length: ${nest.length}\r\n\r\n${nest}`;
    }
    return headed(nest).toString();
  };
  const overlapping = (count: number): string => {
    const header = (i: number): string =>
      `Content-Length: ${String(count * 30 + i).padStart(8, '0')}\r\n\r\n`;
    return Array.from({ length: count }, (_, i) => header(i)).join('') + 'y'.repeat(count * 40);
  };

  it.each([
    ['messages', (n: number) => `${a}\n`.repeat(n)],
    ['messages and text in turn', (n: number) => `${a}\nhello there\n`.repeat(n)],
    ['messages and broken UTF-8 in turn', (n: number) => `${a}\n{"\xff"}\n`.repeat(n)],
    ['messages and headers in turn', (n: number) => `${a}\n${headed(a).toString()}`.repeat(n)],
    ['messages glued on one line', (n: number) => `${a.repeat(n)}\n`],
    ['headers glued on one line', (n: number) => `{${'Content-Length: 1'.repeat(n)}\r\n\r\n`],
    ['blank lines', (n: number) => '\r\n \n\n'.repeat(n)],
    ['brackets', (n: number) => `${'{"['.repeat(n)}\n`],
    ['a pretty-printed message', (n: number) => `{\n${'"a": 1,\n'.repeat(n)}"jsonrpc": "2.0"}\n`],
    ['openings that never close', (n: number) => '{ "x\n'.repeat(n)],
    ['header lines without end', (n: number) => 'X-Y: z\r\n'.repeat(n)],
    ['bodies that fail inside each other', nested],
    ['bodies that fail across each other', overlapping],
  ])('%s', (_name, make) => {
    for (const options of [SERVER, CLIENT]) {
      for (const size of [61, 65_536]) {
        const small = Buffer.from(make(1000), 'latin1');
        const large = Buffer.from(make(4000), 'latin1');
        const before = workOf(cutEvery(small, size), options);
        const after = workOf(cutEvery(large, size), options);
        const growth = large.length / small.length;
        for (const key of ['scanned', 'copied', 'decoded', 'parsed'] as const) {
          const allowed = 1.5 * growth * before[key] + 200_000;
          expect(after[key], `${key}, chunks of ${size}`).toBeLessThanOrEqual(allowed);
        }
      }
    }
  });
});
