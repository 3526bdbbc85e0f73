import { isDeepStrictEqual } from 'node:util';
import { RpcError } from '../errors.ts';
import type { CallContext, Handler } from '../jsonrpc/call.ts';
import { rpcErrorFrom } from '../jsonrpc/error-object.ts';
import type { MethodTable } from '../jsonrpc/inbound-calls.ts';
import type { RequestOptions } from '../jsonrpc/outbound-calls.ts';
import type { TapRecord } from './recorder.ts';
import { type Exchange, exchangesOf } from './recording.ts';
import { redactValue } from './redact.ts';

/** Error code of a request that the recording does not have. */
const NOT_RECORDED = -32001;

/**
 * A recorded server without what it needs to run: answers a request as it was answered in the recording,
 * matching method and params (whatever their order and progress tokens), repeats in recorded order.
 */
export function replayServer(records: readonly TapRecord[]): MethodTable {
  const left = new Map<string, Exchange[]>();
  for (const exchange of exchangesOf(records)) {
    const key = keyOf(exchange.method, exchange.params);
    left.set(key, [...(left.get(key) ?? []), exchange]);
  }
  const methods = new Set([...left.values()].flat().map(({ method }) => method));
  const answer = (method: string, params: unknown, context: CallContext): unknown => {
    const queue = left.get(keyOf(method, params));
    // The last recorded answer is given again and again.
    const exchange = queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0];
    if (exchange?.answer === undefined) {
      throw new RpcError(
        NOT_RECORDED,
        `the recording has no answer to \`${method}\` with these params`,
      );
    }
    playNotifications(exchange, context);
    if ('error' in exchange.answer) throw rpcErrorFrom(exchange.answer.error);
    return exchange.answer.result;
  };
  return {
    find: (method): Handler | undefined =>
      methods.has(method) ? (params, context) => answer(method, params, context) : undefined,
  };
}

/** An answer that is not the recorded one. */
export interface ReplayDifference {
  readonly method: string;
  readonly params: unknown;
  readonly expected: Exchange['answer'];
  readonly actual: Exchange['answer'];
}

/** Whatever can send requests: a connection, or a peer. */
export interface Requester {
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
}

/** Sends the recorded requests to a live server, in order, and returns the answers that differ. */
export async function replayClient(
  records: readonly TapRecord[],
  server: Requester,
  options: RequestOptions = {},
): Promise<ReplayDifference[]> {
  const differences: ReplayDifference[] = [];
  for (const { method, params, answer: expected } of exchangesOf(records)) {
    if (expected === undefined) continue;
    const actual = await answerTo(server, method, params, options);
    const isSame = isDeepStrictEqual(redactValue(actual), redactValue(expected));
    if (!isSame) differences.push({ method, params, expected, actual });
  }
  return differences;
}

async function answerTo(
  server: Requester,
  method: string,
  params: unknown,
  options: RequestOptions,
): Promise<Exchange['answer']> {
  try {
    return { result: await server.request(method, params as object | undefined, options) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { rpcCode: code, message, data } = error;
    return { error: data === undefined ? { code, message } : { code, message, data } };
  }
}

function playNotifications(exchange: Exchange, context: CallContext): void {
  for (const { method, params } of exchange.notifications) {
    if (method === 'notifications/progress') {
      const { progressToken: _, ...progress } = params as {
        progressToken: unknown;
        progress: number;
      };
      context.progress(progress);
    } else void context.notify(method, params as object | undefined).catch(() => undefined);
  }
}

/** Method and params as one string that does not depend on member order or on progress tokens. */
function keyOf(method: string, params: unknown): string {
  // Secrets are masked in the recording, so they are masked here too.
  return `${method} ${JSON.stringify(canonical(redactValue(params)))}`;
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value)
    .filter(([key]) => key !== 'progressToken')
    .map(([key, member]) => [key, canonical(member)] as const)
    .filter(([key, member]) => key !== '_meta' || !isEmpty(member))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
