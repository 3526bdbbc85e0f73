import { constants } from 'node:buffer';
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { WireError } from '../../src/errors.ts';
import { ByteQueue } from '../../src/framing/byte-queue.ts';
import type { Decoded } from '../../src/framing/decoded.ts';
import { FrameDecoder } from '../../src/framing/frame-decoder.ts';
import { FrameWriter } from '../../src/framing/frame-writer.ts';
import { encodeFrame, type Framing } from '../../src/framing/framing.ts';
import { findRawId } from '../../src/framing/json-scan.ts';
import {
  bytesOf,
  CLIENT,
  cutAt,
  cutEvery,
  decode,
  decodeChunks,
  headed,
  outline,
  SERVER,
  valuesOf,
} from './decode.ts';

const A = { jsonrpc: '2.0', id: 1, method: 'a' };
const a = JSON.stringify(A);

const FRAMINGS = ['line', 'header'] as const;

function framed(body: string | Buffer, framing: Framing): Buffer {
  return framing === 'line' ? bytesOf(body, '\n') : headed(body);
}

describe.each(FRAMINGS)('bytes, %s framing', (framing) => {
  it.each(['é', '€', '🦜'])('row 67: keeps `%s` intact, split inside its bytes', (char) => {
    const value = { jsonrpc: '2.0', id: 1, result: char };
    const bytes = framed(JSON.stringify(value), framing);
    const at = bytes.indexOf(Buffer.from(char));
    for (let offset = 1; offset < Buffer.byteLength(char); offset++) {
      const found = decodeChunks(cutAt(bytes, [at + offset]));
      expect(outline(found)).toEqual([[framing, value]]);
    }
  });

  it.each([
    ['a byte that never occurs', [0xff]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a sequence cut short', [0xe2, 0x82]],
    ['a lone continuation byte', [0x80]],
  ])('row 68: replaces %s and warns', (_name, broken) => {
    const body = bytesOf('{"jsonrpc":"2.0","id":1,"result":"', Buffer.from(broken), '"}');
    const bytes = bytesOf(framed(a, framing), framed(body, framing), framed(a, framing));
    const found = decodeChunks([bytes]);
    expect(found.map(({ kind }) => kind)).toEqual(['message', 'warning', 'message', 'message']);
    expect(found[1]).toMatchObject({ reason: 'invalid-utf8', text: body.toString() });
    expect(found[2]).toHaveProperty('value.result', expect.stringMatching(/^\uFFFD+$/));
    expect(decodeChunks(cutEvery(bytes, 1))).toEqual(found);
  });

  it('row 68: says nothing about U+FFFD that was sent', () => {
    const value = { jsonrpc: '2.0', id: 1, result: '\uFFFD' };
    expect(outline(decode(framed(JSON.stringify(value), framing)))).toEqual([[framing, value]]);
  });

  it('row 69: keeps lone surrogates in and out', () => {
    const value = { jsonrpc: '2.0', id: 1, result: ['\ud800', '\udfff x', '\ud83e\udd9c'] };
    const frame = encodeFrame(JSON.stringify(value), framing);
    expect(outline(decode(frame))).toEqual([[framing, value]]);
  });

  it.each([
    ['server', SERVER],
    ['client', CLIENT],
  ])('row 70: survives 100,000 nested arrays at the %s end', (_end, options) => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const call = `{"jsonrpc":"2.0","id":7,"method":"deep","params":${deep}}`;
    const found = decode(bytesOf(framed(call, framing), framed(a, framing)), options);
    expect(found).toHaveLength(2);
    expect(found[0]).toHaveProperty('value.id', 7);
    const hostile = [deep, '['.repeat(100_000), '[{'.repeat(50_000), `${deep}${a}`, `x ${deep}`];
    for (const text of hostile) {
      const after = decode(bytesOf(framed(text, framing), '\n', framed(a, framing)), options);
      expect(valuesOf(after).at(-1)).toEqual(A);
    }
    expect(findRawId(call)).toBe('7');
  });
});

describe.each(FRAMINGS)('the limit, %s framing', (framing) => {
  const limit = 200;
  const options = { maxMessageBytes: limit };

  function callOf(bytes: number): string {
    const empty = '{"jsonrpc":"2.0","id":9,"method":"é"}';
    return empty.replace('é', `é${'x'.repeat(bytes - Buffer.byteLength(empty))}`);
  }

  it.each([limit - 1, limit])('row 71: takes a message of %i bytes', (bytes) => {
    const found = decode(framed(callOf(bytes), framing), options);
    expect(outline(found)).toEqual([[framing, JSON.parse(callOf(bytes))]]);
  });

  it.each([limit + 1, limit + 2, 10_000])('row 71: skips a message of %i bytes alone', (bytes) => {
    const over = callOf(bytes);
    const stream = bytesOf(framed(a, framing), framed(over, framing), framed(a, framing));
    const found = decode(stream, options);
    expect(outline(found)).toEqual([
      [framing, A],
      ['oversize', framing, bytes],
      [framing, A],
    ]);
    const head = Buffer.from(over).subarray(0, 4096).toString();
    expect(found[1]).toMatchObject({ limit, head });
    expect(findRawId(head)).toBe('9');
  });

  it.each([limit - 1, limit, limit + 1, limit + 2])(
    'row 71: decides the same for %i bytes split anywhere',
    (bytes) => {
      const end = framing === 'line' ? '\r\n' : '';
      const body = callOf(bytes) + end;
      const stream = bytesOf(framing === 'line' ? body : headed(body), framed(a, framing));
      const whole = decodeChunks([stream], options);
      const first = bytes > limit ? ['oversize', framing, bytes] : [framing, JSON.parse(body)];
      expect(outline(whole)).toEqual([first, [framing, A]]);
      for (let at = 0; at <= stream.length; at++) {
        expect(decodeChunks(cutAt(stream, [at]), options), `split at ${at}`).toEqual(whole);
      }
      expect(decodeChunks(cutEvery(stream, 1), options)).toEqual(whole);
    },
  );

  it('row 71: works with a limit shorter than a header line', () => {
    const tiny = { maxMessageBytes: 8 };
    const stream = bytesOf(framed('[1]', framing), framed(a, framing), framed('[2]', framing));
    const whole = decode(stream, tiny);
    expect(outline(whole)).toEqual([
      [framing, [1]],
      ['oversize', framing, a.length],
      [framing, [2]],
    ]);
    expect(decodeChunks(cutEvery(stream, 1), tiny)).toEqual(whole);
  });

  it('row 71: reports a message over the limit that is cut off by the end', () => {
    const found = decode(framed(callOf(1000), framing).subarray(0, 500), options);
    expect(found).toMatchObject([{ kind: 'oversize', framing }]);
  });

  it('row 72: holds no more than the limit, and goes on after the message', () => {
    const decoder = new FrameDecoder(options);
    if (framing === 'header') decoder.push(bytesOf('Content-Length: 10485760\r\n\r\n'));
    const pushed = vi.spyOn(ByteQueue.prototype, 'push');
    const chunk = Buffer.alloc(64 * 1024, '{"id":5,');
    const early: Decoded[] = [];
    for (let sent = 0; sent < 10 * 1024 * 1024; sent += chunk.length) {
      early.push(...decoder.push(chunk));
      expect(decoder.partialHead.length).toBeLessThanOrEqual(2049);
    }
    const held = pushed.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
    pushed.mockRestore();
    expect(held).toBeLessThanOrEqual(limit);
    expect(early.filter(({ kind }) => kind !== 'oversize')).toEqual([]);
    const found = [...decoder.push(bytesOf('\n')), ...decoder.push(framed(a, framing))];
    expect(valuesOf(found)).toEqual([A]);
    expect(decoder.isInsideMessage).toBe(false);
  });
});

describe('lines that are no messages and over the limit', () => {
  const options = { maxMessageBytes: 100 };

  it('row 72: skips endless text in the same way, whatever its length', () => {
    for (const length of [101, 5000, 9000]) {
      const stream = bytesOf('y'.repeat(length), '\r\n', a, '\n');
      const whole = decodeChunks([stream], options);
      expect(outline(whole)).toEqual([
        ['oversize', 'line', length],
        ['line', A],
      ]);
      expect(decodeChunks(cutEvery(stream, 1), options)).toEqual(whole);
    }
  });

  it('row 72: counts blanks in front of a message', () => {
    const stream = `${' '.repeat(100)}${a}\n${a}\n`;
    expect(outline(decode(stream, options))).toEqual([
      ['oversize', 'line', 100 + a.length],
      ['line', A],
    ]);
  });
});

describe('the limit of strings', () => {
  it('row 73: is the limit of messages, whatever was asked for', () => {
    const decoder = new FrameDecoder({ maxMessageBytes: Number.MAX_SAFE_INTEGER });
    const length = constants.MAX_STRING_LENGTH + 1;
    decoder.push(bytesOf(`Content-Length: ${length}\r\n\r\n{"id":3,`));
    expect(decoder.end()).toEqual([
      {
        kind: 'oversize',
        head: '{"id":3,',
        size: length,
        limit: constants.MAX_STRING_LENGTH,
        framing: 'header',
      },
    ]);
  });

  it.each(FRAMINGS)('row 73: a text without room for its %s frame is refused', (framing) => {
    // A repeated string is a rope: it takes no memory until somebody reads it.
    const text = ' '.repeat(constants.MAX_STRING_LENGTH);
    expect(() => encodeFrame(text, framing)).toThrow(
      expect.objectContaining({ name: 'WireError', code: 'TOO_LARGE' }),
    );
  });
});

describe('both ways at once', () => {
  async function socketPair(): Promise<[Socket, Socket]> {
    const path = join(tmpdir(), `wire-${process.pid}-${Math.random().toString(36).slice(2)}.sock`);
    const server = createServer().listen(path);
    await once(server, 'listening');
    const near = createConnection(path);
    const [far] = (await once(server, 'connection')) as [Socket];
    server.close();
    return [near, far];
  }

  it.each(FRAMINGS)(
    'row 74: two ends that send 64 MB to each other get it (%s)',
    async (framing) => {
      const sockets = await socketPair();
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(64_000_000) });
      const limits = { maxMessageBytes: 128_000_000 };
      const arrivals = sockets.map(
        (socket) =>
          new Promise((resolve) => {
            const decoder = new FrameDecoder(limits);
            socket.on('data', (chunk) => {
              const [item] = decoder.push(chunk);
              if (item !== undefined)
                resolve(item.kind === 'message' ? item.text.length : item.kind);
            });
          }),
      );
      const errors: WireError[] = [];
      const writers = sockets.map(
        (socket) => new FrameWriter(socket, { framing, onError: (error) => errors.push(error) }),
      );
      await Promise.all(writers.map((writer) => writer.send(text)));
      expect(await Promise.all(arrivals)).toEqual([text.length, text.length]);
      expect(errors).toEqual([]);
      for (const socket of sockets) socket.destroy();
    },
  );
});
