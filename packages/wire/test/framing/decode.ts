import type { Decoded } from '../../src/framing/decoded.ts';
import { FrameDecoder, type FrameDecoderOptions } from '../../src/framing/frame-decoder.ts';

/** Settings of the two ends a decoder works for. */
export const SERVER: FrameDecoderOptions = {};
export const CLIENT: FrameDecoderOptions = { lenient: true };

export function bytesOf(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** Everything a fresh decoder finds in the chunks and at their end. */
export function decodeChunks(
  chunks: readonly Buffer[],
  options: FrameDecoderOptions = SERVER,
): Decoded[] {
  const decoder = new FrameDecoder(options);
  const found = chunks.flatMap((chunk) => decoder.push(chunk));
  return [...found, ...decoder.end()];
}

export function decode(input: string | Buffer, options: FrameDecoderOptions = SERVER): Decoded[] {
  return decodeChunks([bytesOf(input)], options);
}

/** Cuts bytes at the given offsets; empty chunks included, as a stream may give them. */
export function cutAt(bytes: Buffer, offsets: readonly number[]): Buffer[] {
  const edges = [0, ...[...offsets].sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

/** Cuts bytes into pieces of one size. */
export function cutEvery(bytes: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

export function valuesOf(found: readonly Decoded[]): unknown[] {
  return found.flatMap((item) => (item.kind === 'message' ? [item.value] : []));
}

/** Messages with their framing, and everything else by its reason, in order. */
export function outline(found: readonly Decoded[]): unknown[] {
  return found.map((item) => {
    if (item.kind === 'message') return [item.framing, item.value];
    if (item.kind === 'oversize') return [item.kind, item.framing, item.size];
    return [item.kind, item.reason, item.text];
  });
}

/** A body behind its header, whatever the body is. */
export function headed(body: string | Buffer, name = 'Content-Length'): Buffer {
  const bytes = bytesOf(body);
  return bytesOf(`${name}: ${bytes.length}\r\n\r\n`, bytes);
}
