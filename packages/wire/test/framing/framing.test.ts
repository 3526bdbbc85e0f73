import { describe, expect, it } from 'vitest';
import { excerpt } from '../../src/framing/decoded.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, encodeFrame } from '../../src/framing/framing.ts';
import { SkippedMessage } from '../../src/framing/skipped-message.ts';
import { bytesOf, decode, outline } from './decode.ts';

describe('encodeFrame', () => {
  it('ends a line with a newline', () => {
    expect(encodeFrame('{"a":"é"}', 'line')).toBe('{"a":"é"}\n');
  });

  it('counts bytes in a header, ends it with CRLF, and puts nothing behind the body', () => {
    expect(encodeFrame('{"a":"é🦜"}', 'header')).toBe('Content-Length: 14\r\n\r\n{"a":"é🦜"}');
  });

  it.each(['line', 'header'] as const)('gives what the decoder takes (%s)', (framing) => {
    const values = [{ a: '\n\r\u2028' }, [1], [], {}, { é: '€🦜' }];
    const stream = values.map((value) => encodeFrame(JSON.stringify(value), framing)).join('');
    expect(outline(decode(stream))).toEqual(values.map((value) => [framing, value]));
  });

  it('goes with a limit of 64 MiB', () => {
    expect(DEFAULT_MAX_MESSAGE_BYTES).toBe(67_108_864);
  });
});

describe('excerpt', () => {
  it('cuts what is long and marks the cut', () => {
    expect(excerpt('x'.repeat(2048))).toBe('x'.repeat(2048));
    expect(excerpt('x'.repeat(2049))).toBe(`${'x'.repeat(2048)}…`);
  });

  it('bounds the text of every report', () => {
    const long = 'y'.repeat(100_000);
    for (const stream of [
      `${long}\n`,
      `{${long}\n`,
      `Content-Length: 100000\r\n\r\n${long}`,
      long,
    ]) {
      const [item] = decode(stream, { lenient: true });
      expect(item).toMatchObject({ kind: 'junk', text: expect.stringMatching(/^.{2048}…$/) });
    }
  });
});

describe('SkippedMessage', () => {
  it('counts everything and keeps the first 4 KiB', () => {
    const skip = new SkippedMessage('header', 'charset');
    for (let i = 0; i < 100; i++)
      skip.add(bytesOf('<<', String(i % 10).repeat(1000), '>>'), 2, 1002);
    skip.add(bytesOf('x'), 1, 1);
    expect(skip).toMatchObject({ bytes: 100_000, size: 100_000, reason: 'charset' });
    expect(skip.head).toBe(
      `${['0', '1', '2', '3'].map((n) => n.repeat(1000)).join('')}${'4'.repeat(96)}`,
    );
  });

  it.each([
    ['line', 3],
    ['header', 4],
  ] as const)('does not count the carriage return that ends a %s: %i', (framing, size) => {
    const skip = new SkippedMessage(framing);
    skip.add(bytesOf('abc'), 0, 3);
    skip.add(bytesOf('\r'), 0, 1);
    expect(skip.size).toBe(size);
    expect(skip.bytes).toBe(4);
  });
});
