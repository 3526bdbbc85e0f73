import { describe, expect, it } from 'vitest';
import { ByteQueue, decodeUtf8 } from '../../src/framing/byte-queue.ts';
import { bytesOf, cutEvery } from './decode.ts';

function queueOf(...parts: readonly (string | Buffer)[]): ByteQueue {
  const queue = new ByteQueue();
  for (const part of parts) queue.push(bytesOf(part));
  return queue;
}

describe('ByteQueue', () => {
  it('is empty at first, and again after it was taken', () => {
    const queue = new ByteQueue();
    expect(queue).toMatchObject({ length: 0, first: undefined, last: undefined });
    expect(queue.take()).toEqual(Buffer.alloc(0));
    queue.push(bytesOf('abc'));
    queue.take();
    expect(queue).toMatchObject({ length: 0, first: undefined, last: undefined });
    expect(queue.head(10)).toEqual(Buffer.alloc(0));
  });

  it('gives a single part back uncopied', () => {
    const part = bytesOf('abc');
    const queue = new ByteQueue();
    queue.push(part);
    expect(queue.take()).toBe(part);
  });

  it('ignores empty parts', () => {
    const part = bytesOf('abc');
    const queue = new ByteQueue();
    for (const each of [Buffer.alloc(0), part, Buffer.alloc(0)]) queue.push(each);
    expect(queue.length).toBe(3);
    expect(queue.take()).toBe(part);
  });

  it.each([
    ['small parts', [1, 2, 3, 4, 5]],
    ['large parts', [600, 5000, 70_000]],
    ['small behind large', [5000, 1, 2, 3]],
    ['large behind small', [1, 2, 3, 5000]],
    ['both in turn', [1, 600, 2, 3, 600, 600, 4, 511, 512, 513]],
  ])('joins %s in order', (_name, sizes) => {
    const parts = sizes.map((size, index) => Buffer.alloc(size, index + 1));
    const queue = queueOf(...parts);
    const whole = Buffer.concat(parts);
    expect(queue).toMatchObject({ length: whole.length, first: 1, last: sizes.length });
    expect(queue.head(700)).toEqual(whole.subarray(0, 700));
    expect(queue.take().equals(whole)).toBe(true);
  });

  it('goes on after its head was looked at', () => {
    const queue = queueOf('ab', 'cd');
    expect(queue.head(3).toString()).toBe('abc');
    queue.push(bytesOf('ef'));
    expect(queue.take().toString()).toBe('abcdef');
  });

  it('copies the head, so that it does not change with the chunk', () => {
    const chunk = bytesOf('abcdef');
    const queue = new ByteQueue();
    queue.push(chunk);
    const head = queue.head(3);
    chunk.fill('x');
    expect(head.toString()).toBe('abc');
  });

  it('keeps tiny parts together instead of one by one', () => {
    const bytes = Buffer.alloc(300_000, 'abcdefg');
    const queue = new ByteQueue();
    for (const part of cutEvery(bytes, 1)) queue.push(part);
    const parts = queue.takeParts();
    expect(parts.length).toBeLessThan(30);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    // Small parts lie together in Node's pool, or two of them: 8 KB each, and 64 KB from Node 24 on.
    const pools = new Set(parts.map((part) => part.buffer));
    const room = [...pools].reduce((sum, pool) => sum + pool.byteLength, 0);
    expect(room).toBeLessThan(2 * bytes.length + 64 * 1024 + 2 * Buffer.poolSize);
  });
});

describe('decodeUtf8', () => {
  it.each([10, 64 * 1024 - 1, 64 * 1024, 200_000])('decodes %i bytes of any kind', (size) => {
    for (const char of ['x', 'é', '€', '🦜', '\0', '\u007f', '\u0080']) {
      const text = `${'x'.repeat(size)}${char}`;
      const bytes = bytesOf('<<', text, '>>');
      expect(decodeUtf8(bytes, 2, bytes.length - 2) === text, char).toBe(true);
    }
  });

  it.each([1, 100_000])('replaces what is not UTF-8 behind %i bytes', (size) => {
    const bytes = bytesOf('x'.repeat(size), Buffer.from([0xff]));
    expect(decodeUtf8(bytes, 0, bytes.length).endsWith('x\uFFFD')).toBe(true);
  });
});
