import { ErrorCode, RpcError } from '../errors.ts';
import type { RpcErrorObject } from './message.ts';

/** The error member for whatever a handler threw. A stack never leaves the process. */
export function errorObjectFrom(thrown: unknown): RpcErrorObject {
  if (thrown instanceof RpcError && Number.isInteger(thrown.rpcCode)) {
    const { rpcCode: code, message, data } = thrown;
    return data === undefined ? { code, message } : { code, message, data };
  }
  return { code: ErrorCode.InternalError, message: messageOf(thrown) };
}

/** The error a caller sees for an error member, however malformed that member is. */
export function rpcErrorFrom(error: unknown): RpcError {
  if (typeof error !== 'object' || error === null) {
    return new RpcError(
      ErrorCode.InternalError,
      `malformed error: ${JSON.stringify(error)}`,
      error,
    );
  }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  if (typeof code === 'number' && Number.isInteger(code) && typeof message === 'string') {
    return new RpcError(code, message, data);
  }
  const shown = typeof message === 'string' ? message : 'error without a message';
  return new RpcError(
    Number.isInteger(code) ? Number(code) : ErrorCode.InternalError,
    shown,
    error,
  );
}

function messageOf(thrown: unknown): string {
  try {
    const message: unknown = thrown instanceof Error ? thrown.message : thrown;
    return typeof message === 'string' && message !== '' ? message : 'Internal error';
  } catch {
    // A getter that throws has nothing to tell.
    return 'Internal error';
  }
}
