import { AnswerError, type AnswerErrorKind, type AnswerErrorOptions } from '../answer-error.ts';
import { objectOf, textOf } from '../loose-json.ts';
import { redact } from '../redact.ts';

/** Context a failure is read in. */
export interface FailureContext {
  readonly signal: AbortSignal;
  /** The key itself, so that an upstream that echoes it cannot leak it. */
  readonly secrets: readonly string[];
  readonly now: number;
}

/** Any failure of an upstream request as the one error type, without secrets. */
export function classifyFailure(failure: unknown, context: FailureContext): AnswerError {
  // An abort surfaces in many disguises; the reason we gave it is the truth.
  if (context.signal.aborted) return abortError(context.signal.reason);
  const own = ownError(failure);
  if (own !== undefined) return clean(own, context.secrets);
  const { status, code, type, param } = objectOf(failure);
  const message = redact(failure instanceof Error ? failure.message : String(failure), [
    ...context.secrets,
  ]);
  if (typeof status === 'number') {
    const headers = headersOf(failure);
    const kind = kindOfStatus(status, `${textOf(code) ?? ''} ${textOf(type) ?? ''} ${message}`);
    const retryAfterMs = retryAfter(headers, context.now);
    const requestId = headers?.get('x-request-id') ?? undefined;
    return new UpstreamFailure(kind, message, {
      status,
      retryable: isRetryable(kind, status, headers),
      cause: failure,
      ...hintFor(kind, retryAfterMs),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(requestId !== undefined && { requestId }),
      ...(textOf(param) !== undefined && { param: String(param) }),
    });
  }
  const { error } = objectOf(failure);
  if (error !== undefined && error !== null) return clean(bodyError(error), context.secrets);
  if (failure instanceof SyntaxError) {
    return new AnswerError('bad_response', 'the upstream sent something that is not JSON', {
      cause: failure,
      hint: 'check `openai.base_url`',
    });
  }
  return new AnswerError(
    'connection',
    `the connection failed: ${describeCause(failure, context)}`,
    {
      retryable: true,
      cause: failure,
      hint: 'check the network and `openai.base_url`',
    },
  );
}

/** A refusal with an HTTP status; `param` names the request part it is about. */
export class UpstreamFailure extends AnswerError {
  readonly param?: string;

  constructor(
    kind: AnswerErrorKind,
    message: string,
    { param, ...options }: AnswerErrorOptions & { readonly param?: string },
  ) {
    super(kind, message, options);
    if (param !== undefined) this.param = param;
  }
}

/** An error the upstream put into the body of a reply whose status said all was well. */
export function bodyError(error: unknown): AnswerError {
  const { code, type, message } = objectOf(error);
  const name = textOf(code) ?? textOf(type);
  const what = textOf(message) ?? textOf(error) ?? 'the upstream reported an error';
  return new AnswerError('failed', name === undefined ? what : `${name}: ${what}`, {
    retryable: name === undefined || /server|rate_limit|overloaded/.test(name),
  });
}

/** What a caller's abort becomes: our own reason if we gave one, else a cancellation. */
export function abortError(reason: unknown): AnswerError {
  if (reason instanceof AnswerError) return reason;
  return new AnswerError('cancelled', 'the call was cancelled', { cause: reason });
}

function kindOfStatus(status: number, detail: string): AnswerErrorKind {
  if (status === 401) return 'auth';
  if (status === 403) return 'permission';
  if (status === 404 && /model/i.test(detail)) return 'model_not_found';
  if (status === 429) return /insufficient_quota|billing/i.test(detail) ? 'quota' : 'rate_limit';
  if (status === 408 || status === 409 || status >= 500) return 'upstream';
  return 'bad_request';
}

function isRetryable(kind: AnswerErrorKind, status: number, headers: Headers | undefined): boolean {
  const verdict = headers?.get('x-should-retry');
  if (verdict === 'true' || verdict === 'false') return verdict === 'true';
  // 501 says that it will never work.
  return kind === 'rate_limit' || (kind === 'upstream' && status !== 501);
}

function hintFor(kind: AnswerErrorKind, retryAfterMs: number | undefined): AnswerErrorOptions {
  if (retryAfterMs !== undefined) {
    return { hint: `try again in ${Math.ceil(retryAfterMs / 1000)} s` };
  }
  const hint = hints[kind];
  return hint === undefined ? {} : { hint };
}

const hints: Partial<Record<AnswerErrorKind, string>> = {
  auth: 'check the key in the variable named by `openai.api_key_env`',
  permission: 'the key may not use this model or endpoint',
  model_not_found: 'check `model_profiles` and `openai.base_url`; `--check` lists what is there',
  quota: 'the account has run out of quota; waiting will not help',
  rate_limit: 'too many requests; try again shortly',
  upstream: 'the upstream is in trouble; try again later',
  bad_request: 'the upstream refused the request; see the message',
};

/** Reads `retry-after-ms` and both forms of `retry-after`. */
function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const raw = headers?.get('retry-after') ?? '';
  const seconds = Number.parseFloat(raw);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(raw);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function headersOf(failure: unknown): Headers | undefined {
  const { headers } = objectOf(failure);
  return headers instanceof Headers ? headers : undefined;
}

/** Our own errors come back wrapped when they were thrown inside `fetch`. */
function ownError(failure: unknown): AnswerError | undefined {
  for (let error = failure; error instanceof Error; error = error.cause) {
    if (error instanceof AnswerError) return error;
  }
  return undefined;
}

function clean(error: AnswerError, secrets: readonly string[]): AnswerError {
  error.message = redact(error.message, secrets);
  return error;
}

/** The innermost reason with its code: "fetch failed" alone helps nobody. */
function describeCause(failure: unknown, { secrets }: FailureContext): string {
  let innermost = failure;
  while (innermost instanceof Error && innermost.cause instanceof Error)
    innermost = innermost.cause;
  if (!(innermost instanceof Error)) return redact(String(innermost), secrets);
  const code = 'code' in innermost ? textOf(innermost.code) : undefined;
  const { message } = innermost;
  const isSaid = code === undefined || message.includes(code);
  return redact(isSaid ? message : `${message} (${code})`, secrets);
}
