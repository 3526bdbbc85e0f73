import { describe, expect, it } from 'vitest';
import { AnswerError, errorData } from '../../src/answer-error.ts';
import { classifyFailure } from '../../src/provider/classify-failure.ts';
import { retryDelay } from '../../src/provider/retry-delay.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const live = new AbortController().signal;

function classify(failure: unknown, signal: AbortSignal = live): AnswerError {
  return classifyFailure(failure, { signal, secrets: ['topsecret'], now });
}
function http(
  status: number,
  message = 'x',
  headers: Record<string, string> = {},
  rest = {},
): Error {
  return Object.assign(new Error(message), { status, headers: new Headers(headers), ...rest });
}

describe('classifyFailure', () => {
  it.each([
    [400, 'bad_request', false],
    [401, 'auth', false],
    [403, 'permission', false],
    [404, 'bad_request', false],
    [408, 'upstream', true],
    [409, 'upstream', true],
    [422, 'bad_request', false],
    [429, 'rate_limit', true],
    [500, 'upstream', true],
    [501, 'upstream', false],
    [503, 'upstream', true],
    [529, 'upstream', true],
  ] as const)('reads status %i as %s', (status, kind, retryable) => {
    expect(classify(http(status))).toMatchObject({ kind, retryable, status });
  });

  it.each([
    [http(404, '404 The model `x` does not exist'), 'model_not_found'],
    [http(404, 'x', {}, { code: 'model_not_found' }), 'model_not_found'],
    [http(429, 'x', {}, { code: 'insufficient_quota' }), 'quota'],
  ])('tells apart what shares a status (%#)', (failure, kind) => {
    expect(classify(failure)).toMatchObject({ kind, retryable: false });
  });

  it.each([
    ['true', 400, true],
    ['false', 500, false],
  ])('believes `x-should-retry: %s`', (verdict, status, retryable) => {
    expect(classify(http(status, 'x', { 'x-should-retry': verdict })).retryable).toBe(retryable);
  });

  it.each([
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': 'Mon, 16 Nov 2026 12:00:05 GMT' }, 5_000],
    [{ 'retry-after': 'Mon, 16 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'whenever' }, undefined],
    [{}, undefined],
  ])('reads the pause of %j', (headers, pause) => {
    expect(classify(http(429, 'x', headers)).retryAfterMs).toBe(pause);
  });

  it('keeps the id of the request', () => {
    expect(classify(http(500, 'x', { 'x-request-id': 'req_7' })).requestId).toBe('req_7');
  });

  it('takes secrets out of every message', () => {
    expect(classify(http(401, 'bad key sk-a9b8c7d6e5 or topsecret')).message).toBe(
      'bad key [redacted] or [redacted]',
    );
    expect(classify(new AnswerError('failed', 'key topsecret')).message).toBe('key [redacted]');
    expect(classify(new Error('topsecret')).message).not.toContain('topsecret');
  });

  it('goes by the reason of the abort, whatever the failure looks like', () => {
    const late = new AnswerError('timeout', 'too late');
    expect(classify(new Error('Request was aborted.'), AbortSignal.abort(late))).toBe(late);
    expect(classify(http(500), AbortSignal.abort('bye'))).toMatchObject({
      kind: 'cancelled',
      cause: 'bye',
    });
  });

  it('finds our own error inside a wrapper', () => {
    const own = new AnswerError('replay_miss', 'no recording');
    const wrapped = new Error('Connection error.', { cause: new Error('x', { cause: own }) });
    expect(classify(wrapped)).toBe(own);
  });

  it('says what broke a connection', () => {
    const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    const error = classify(new TypeError('terminated', { cause }));
    expect(error).toMatchObject({ kind: 'connection', retryable: true });
    expect(error.message).toBe('the connection failed: other side closed (UND_ERR_SOCKET)');
    expect(classify('odd').message).toBe('the connection failed: odd');
  });

  it('knows a body that is not JSON', () => {
    expect(classify(new SyntaxError('Unexpected end'))).toMatchObject({ kind: 'bad_response' });
  });
});

describe('errorData', () => {
  it('carries what a client may see', () => {
    const error = new AnswerError('incomplete', 'cut', {
      retryable: true,
      status: 500,
      hint: 'ask for less',
      requestId: 'req_1',
      partial: 'Half',
      retryAfterMs: 5,
      cause: new Error('inner'),
    });
    expect(errorData(error)).toEqual({
      message: 'cut',
      kind: 'incomplete',
      retryable: true,
      status: 500,
      hint: 'ask for less',
      request_id: 'req_1',
      partial: 'Half',
    });
    expect(errorData(new AnswerError('empty', 'x'))).toEqual({
      message: 'x',
      kind: 'empty',
      retryable: false,
    });
  });
});

describe('retryDelay', () => {
  const error = (retryAfterMs?: number) =>
    new AnswerError('upstream', 'x', retryAfterMs === undefined ? {} : { retryAfterMs });

  it.each([
    [0, 1, 500],
    [1, 1, 1_000],
    [3, 1, 4_000],
    [9, 1, 8_000],
    [3, 0, 0],
    [3, 0.5, 2_000],
  ])('after %i retries with luck %d is %i ms', (retries, luck, ms) => {
    expect(retryDelay(error(), retries, () => luck)).toBe(ms);
  });

  it('is what the upstream asked for, unless nobody would wait that long', () => {
    expect(retryDelay(error(1_234), 0, () => 1)).toBe(1_234);
    expect(retryDelay(error(60_000), 0, () => 1)).toBe(60_000);
    expect(retryDelay(error(60_001), 0, () => 1)).toBeUndefined();
  });
});
