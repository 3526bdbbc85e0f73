import type { Readable, Writable } from 'node:stream';
import { checkCount, checkKeys } from '../check-option.ts';
import { WireError } from '../errors.ts';
import type { MethodTable } from '../jsonrpc/inbound-calls.ts';
import { type LineOptions, Peer, type Remark } from '../jsonrpc/peer.ts';

/** Settings of {@link serveStdio}. */
export interface ServeOptions extends LineOptions {
  /** Where requests come from. Default `process.stdin`. */
  readonly input?: Readable;
  /** Where answers go. Default `process.stdout`. */
  readonly output?: Writable;
  /** Ends the server; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time for requests in flight to be answered at the end. Default 2,000. */
  readonly drainMs?: number;
  /** `reject` (default) refuses a message over the limit; `fail` ends the server. */
  readonly oversize?: 'reject' | 'fail';
  /** Called with the connection before anything is read, for calls of the server's own. */
  readonly onPeer?: (peer: Peer) => void;
  /** Called with what is worth logging. */
  readonly onRemark?: (remark: Remark) => void;
}

/** Names of the options both ends share. */
export const LINE_OPTIONS: readonly string[] = [
  'framing',
  'defaultFraming',
  'maxMessageBytes',
  'maxConcurrency',
  'maxQueuedBytes',
  'timeoutMs',
  'dialect',
  'partialMs',
  'tap',
];

/** Names of the options of {@link serveStdio}. */
const SERVE_OPTIONS: readonly string[] = [
  ...LINE_OPTIONS,
  'input',
  'output',
  'signal',
  'drainMs',
  'oversize',
  'onPeer',
  'onRemark',
];

const served = new WeakSet<Readable>();

/**
 * Answers requests until the input ends. Resolves then, after the answers under way were written;
 * rejects with the signal's reason, or with the error that broke the line.
 */
export async function serveStdio(methods: MethodTable, options: ServeOptions = {}): Promise<void> {
  checkKeys('serveStdio', options, SERVE_OPTIONS);
  const { input = process.stdin, output = process.stdout, signal, drainMs = 2000 } = options;
  checkCount('drainMs', drainMs, { infinite: true });
  if (typeof methods?.find !== 'function') {
    throw new WireError('BAD_OPTION', 'expected a dispatcher: an object with `find(method)`');
  }
  signal?.throwIfAborted();
  if (served.has(input)) {
    throw new WireError('BAD_STATE', 'this input is being served already');
  }
  const framing = options.framing ?? framingFromEnv(process.env);
  const peer = new Peer({ ...options, input, output, methods, framing, role: 'server' });
  served.add(input);
  if (options.onRemark !== undefined) peer.on('remark', options.onRemark);
  let failure: unknown;
  try {
    options.onPeer?.(peer);
    await lineEnd(peer, signal);
  } catch (error) {
    failure = error;
  }
  peer.stopReading();
  if (!(failure instanceof WireError && failure.code === 'IO')) await peer.drain(drainMs);
  peer.stop(new WireError('SHUTDOWN', 'the server has ended'));
  served.delete(input);
  if (failure !== undefined) throw failure;
}

/** `MCP_LINE_MODE=1` forces lines, whatever arrives. */
export function framingFromEnv(env: NodeJS.ProcessEnv): 'auto' | 'line' {
  return env['MCP_LINE_MODE'] === '1' ? 'line' : 'auto';
}

function lineEnd(peer: Peer, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      peer.stopReading();
      reject(signal?.reason);
    };
    const settle = (): void => signal?.removeEventListener('abort', onAbort);
    signal?.addEventListener('abort', onAbort, { once: true });
    peer.once('end', () => {
      settle();
      resolve();
    });
    peer.once('failure', (error) => {
      settle();
      reject(error);
    });
  });
}
