import type { IncomingMessage } from 'node:http';

/** Reads a body as text. Undefined when it is longer than allowed; the rest of it is then thrown away. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    request.resume();
    return undefined;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}
