import { MAX_ANSWER_BYTES } from './answer-limit.ts';
import { RpcError } from './rpc-error.ts';

/** Every code a {@link MemoryError} can carry. Stable across releases: match on it, never on the message. */
export type MemoryErrorCode =
  | 'CONFIG'
  | 'DRIVER_MISSING'
  | 'STORE_TOO_NEW'
  | 'STORE_FOREIGN'
  | 'STORE_MOVED'
  | 'STORE_CORRUPT'
  | 'STORE_FULL'
  | 'STORE_READ_ONLY'
  | 'STORE_BUSY'
  | 'STORE'
  | 'KEY_MISSING'
  | 'PROVIDER'
  | 'CLOSED';

/** Root of every error this package throws below its method table. */
export class MemoryError extends Error {
  override readonly name: string = 'MemoryError';
  readonly code: MemoryErrorCode;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: MemoryErrorCode,
    message: string,
    options: ErrorOptions & { readonly data?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, options);
    this.code = code;
    this.data = options.data;
  }
}

/** The numbers of the contract's error table. */
export const RpcCode = {
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  KeyMissing: -32001,
  InvalidKeyPrefix: -32002,
  NotFound: -32003,
  Provider: -32004,
  Conflict: -32005,
} as const;

/** A parameter that breaks a rule; `path` says where, as `patch.title` or `tags[0]`. */
export function invalidParams(message: string, path?: string): RpcError {
  return new RpcError(RpcCode.InvalidParams, message, path === undefined ? undefined : { path });
}

/** A number of notes, in the parameter `name`, whose texts are too much for one answer. */
export function answerTooLarge(name: string, asked: number, bytes: number): RpcError {
  const [most, held] = [MAX_ANSWER_BYTES, bytes].map((each) => Math.ceil(each / 1024 / 1024));
  return invalidParams(
    `expected a smaller \`${name}\` than ${asked}: an answer holds at most ${most} MiB of text, and this one would hold ${held} MiB or more`,
    name,
  );
}

/** `what` opens the sentence: `Note not found`. */
export function notFound(what?: string): RpcError {
  return new RpcError(RpcCode.NotFound, what === undefined ? 'Not found' : `${what} not found`);
}

/** A write that was meant for another revision than the one stored; `current` is what a read would return. */
export function revisionConflict(
  expected: number | undefined,
  current: { readonly revision: number | null },
): RpcError {
  const found = current.revision === null ? 'there is no value' : `it is ${current.revision}`;
  return new RpcError(
    RpcCode.Conflict,
    `expected revision ${expected}, but ${found}: read the current state in \`data.current\`, then write again with its revision`,
    { expected, current },
  );
}

/** The one translation of whatever a handler threw into what the caller may see. */
export function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  if (thrown instanceof MemoryError) {
    if (thrown.code === 'KEY_MISSING') return rpcFrom(thrown, RpcCode.KeyMissing);
    if (thrown.code === 'PROVIDER') return rpcFrom(thrown, RpcCode.Provider);
    return new RpcError(
      RpcCode.InternalError,
      thrown.message,
      { code: thrown.code, ...thrown.data },
      { cause: thrown },
    );
  }
  // The text of an unforeseen error may hold a caller's data or a path: it stays in `cause`.
  return new RpcError(RpcCode.InternalError, 'Internal error', undefined, { cause: thrown });
}

function rpcFrom(error: MemoryError, rpcCode: number): RpcError {
  return new RpcError(rpcCode, error.message, error.data, { cause: error });
}
