import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from 'tincan-wire';
import { Reply } from './reply.ts';

/** How long a client may pause within a body. */
const BODY_IDLE_MS = 10_000;
/** How much of a body that nobody reads is received, so that the client gets to its answer. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** Why a body could not be read. */
export type BodyProblem = 'too large' | 'stalled';

/** Settings of {@link readBody}. */
export interface ReadBodyOptions {
  readonly maxBytes: number;
  /** How long the client may pause. Default 10,000. */
  readonly idleMs?: number;
}

/** Reads a body as text, or says why it could not. The rest of a body that is too large is thrown away. */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, idleMs = BODY_IDLE_MS }: ReadBodyOptions,
): Promise<{ readonly text: string } | { readonly problem: BodyProblem }> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    discardBody(request, { idleMs });
    return { problem: 'too large' };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let onStall = (): void => undefined;
  const stalled = new Promise<'stalled'>((resolve) => {
    onStall = () => resolve('stalled');
  });
  const timer = setTimeout(onStall, idleMs);
  const ended = new Promise<'ended' | 'too large'>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      timer.refresh();
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else resolve('too large');
    });
    request.once('end', () => resolve('ended'));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client left in the middle of its body')));
  });
  const outcome = await Promise.race([ended, stalled]).finally(() => clearTimeout(timer));
  if (outcome === 'ended') return { text: Buffer.concat(chunks).toString('utf8') };
  chunks.length = 0;
  request.removeAllListeners('data');
  if (outcome === 'too large') discardBody(request, { idleMs });
  else ended.catch(() => undefined);
  return { problem: outcome };
}

/** Receives a body without keeping it. A client that sends too much, or nothing, loses its connection. */
export function discardBody(
  request: IncomingMessage,
  { idleMs = BODY_IDLE_MS }: { readonly idleMs?: number } = {},
): void {
  if (request.complete) {
    request.resume();
    return;
  }
  let size = 0;
  const timer = setTimeout(() => request.socket.destroy(), idleMs);
  request.on('data', (chunk: Buffer) => {
    timer.refresh();
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) request.socket.destroy();
  });
  const done = (): void => clearTimeout(timer);
  request.once('end', done).once('close', done).once('error', done);
}

/** Answers a request whose body could not be read. */
export function sendBodyProblem(
  response: ServerResponse,
  problem: BodyProblem,
  maxBytes: number,
): void {
  if (problem === 'too large') {
    const message = `expected a body of at most ${maxBytes} bytes`;
    new Reply(response).error(413, ErrorCode.InvalidRequest, message);
    return;
  }
  const message = 'expected the rest of the body; nothing came for too long';
  new Reply(response, { connection: 'close' }).error(408, ErrorCode.InvalidRequest, message);
}
