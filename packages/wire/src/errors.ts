/** Every code a {@link WireError} can carry. Stable across releases: match on it, never on the message. */
export type WireErrorCode =
  | 'SPAWN'
  | 'STDIN_UNAVAILABLE'
  | 'STDOUT_UNAVAILABLE'
  | 'IO'
  | 'SERIALIZE'
  | 'PARSE'
  | 'ID_MISMATCH'
  | 'REMOTE'
  | 'TIMEOUT'
  | 'PROCESS_EXITED'
  | 'SHUTDOWN'
  | 'CANCELLED'
  | 'TOO_LARGE'
  | 'QUEUE_FULL'
  | 'BAD_OPTION'
  | 'BAD_STATE';

/** Root of every error this package throws. */
export class WireError extends Error {
  override readonly name: string = 'WireError';
  readonly code: WireErrorCode;

  constructor(code: WireErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * A JSON-RPC error object. Thrown by a handler it becomes the error answer;
 * a caller gets it, with code `REMOTE`, when the other end answered with an error.
 */
export class RpcError extends WireError {
  override readonly name: string = 'RpcError';
  /** The numeric code of the JSON-RPC error object. */
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown, options?: ErrorOptions) {
    super('REMOTE', message, options);
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

/** A request that got no answer in its time. */
export class TimeoutError extends WireError {
  override readonly name: string = 'TimeoutError';
  readonly timeoutMs: number;
  /** `idle`: no answer or progress within `timeoutMs`; `total`: `maxTotalMs` was used up. */
  readonly clock: 'idle' | 'total';

  constructor(message: string, timeoutMs: number, clock: 'idle' | 'total') {
    super('TIMEOUT', message);
    this.timeoutMs = timeoutMs;
    this.clock = clock;
  }
}

/** What is known about a server process that ended. */
export interface ProcessExit {
  readonly phase: 'handshake' | 'running' | 'closing';
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly uptimeMs: number;
  /** Last 8 KiB the process wrote to stderr. */
  readonly stderrTail: string;
  /** Last lines on stdout that were no messages. */
  readonly strayLines: readonly string[];
}

/** The server process ended while it was needed. */
export class ProcessExitedError extends WireError implements ProcessExit {
  override readonly name: string = 'ProcessExitedError';
  readonly phase: ProcessExit['phase'];
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly uptimeMs: number;
  readonly stderrTail: string;
  readonly strayLines: readonly string[];

  constructor(message: string, exit: ProcessExit) {
    super('PROCESS_EXITED', message);
    this.phase = exit.phase;
    this.exitCode = exit.exitCode;
    this.signal = exit.signal;
    this.uptimeMs = exit.uptimeMs;
    this.stderrTail = exit.stderrTail;
    this.strayLines = exit.strayLines;
  }
}

/** Codes of the JSON-RPC 2.0 specification. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

/** Wraps whatever was thrown, keeping errors of this package as they are. */
export function toWireError(thrown: unknown, code: WireErrorCode): WireError {
  if (thrown instanceof WireError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new WireError(code, message, { cause: thrown });
}
