/** Why a call failed, as one word a program can branch on; stable across releases. */
export type AnswerErrorKind =
  | 'unknown_tool'
  | 'arguments'
  | 'missing_key'
  | 'auth'
  | 'permission'
  | 'bad_request'
  | 'model_not_found'
  | 'rate_limit'
  | 'quota'
  | 'upstream'
  | 'connection'
  | 'timeout'
  | 'idle'
  | 'bad_response'
  | 'failed'
  | 'incomplete'
  | 'refusal'
  | 'empty'
  | 'cancelled'
  | 'budget'
  | 'replay_miss';

/** What an `AnswerError` carries beside its kind and message. */
export interface AnswerErrorOptions extends ErrorOptions {
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable?: boolean;
  /** HTTP status of the upstream, when there was one. */
  readonly status?: number;
  /** What the reader can do about it. */
  readonly hint?: string;
  /** How long the upstream asked to wait. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  /** Text that arrived before an answer was cut: paid for, so not thrown away. */
  readonly partial?: string;
}

/** The one error a call fails with. Match on `kind`. */
export class AnswerError extends Error {
  override readonly name: string = 'AnswerError';
  readonly kind: AnswerErrorKind;
  readonly retryable: boolean;
  readonly status?: number;
  readonly hint?: string;
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  readonly partial?: string;

  constructor(kind: AnswerErrorKind, message: string, options: AnswerErrorOptions = {}) {
    const { retryable = false, cause, ...rest } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.retryable = retryable;
    Object.assign(this, rest);
  }
}

/** The error as the `data` of a JSON-RPC error: what a client may see, and nothing else. */
export function errorData(error: AnswerError): Record<string, unknown> {
  const { message, kind, retryable, status, hint, requestId, partial } = error;
  return {
    message,
    kind,
    retryable,
    ...(status !== undefined && { status }),
    ...(hint !== undefined && { hint }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(partial !== undefined && { partial }),
  };
}
