import { describe, expect, it } from 'vitest';
import { redactText, redactValue } from '../../src/tap/redact.ts';

const M = '[redacted]';

describe('redactText', () => {
  it.each([
    ['an API key', 'key sk-proj-abcdef_123456 used', `key ${M} used`],
    ['a GitHub token', `ghp_${'a1'.repeat(18)}`, M],
    ['a fine-grained GitHub token', `x github_pat_${'a1'.repeat(20)}`, `x ${M}`],
    ['a Slack token', 'xoxb-7310948265-abc9def', M],
    ['an AWS key id', 'id AKIAQ3EGVK7HWN5TZP2D.', `id ${M}.`],
    ['a Google key', `AIza${'x1Y2z3W'.repeat(5)}`, M],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.aQ3bZ9dLw0k', M],
    ['a bearer header', 'Authorization: Bearer abc.def-123456', `Authorization: Bearer ${M}`],
    ['a basic header', 'basic dXNlcjpwYXNzd29yZA==', `basic ${M}`],
    ['a password in a URL', 'postgres://me:hunter2@db/x', `postgres://me:${M}@db/x`],
    [
      'a private key',
      'a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b',
      `a ${M} b`,
    ],
    ['a private key that is cut off', '-----BEGIN PRIVATE KEY-----\nMIIE', M],
    ['two at once', 'sk-a1b2c3d4e5 and sk-f6g7h8i9j0', `${M} and ${M}`],
  ])('masks %s', (_what, text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  it.each(['risk-free', 'sk-1', 'http://host/path', 'a bearer of news', 'me@example.org'])(
    'leaves %s alone',
    (text) => {
      expect(redactText(text)).toBe(text);
    },
  );
});

describe('the cost of redactText', () => {
  // With a cost that grows faster than the text each of these takes many minutes.
  it.each(['a.', 'a-', 'eyJ-', 'eyJabcdefghijk-', 'sk-', 'Basic ', '://a', '-----BEGIN A '])(
    'is no matter for two megabytes of %s',
    (piece) => {
      const text = piece.repeat(2_000_000 / piece.length);
      expect(redactText(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});

describe('redactValue', () => {
  it.each([
    'apiKey',
    'api_key',
    'OPENAI_API_KEY',
    'x-api-key',
    'password',
    'passwd',
    'client_secret',
    'secrets',
    'authorization',
    'Cookie',
    'token',
    'accessToken',
    'private_key',
    'credentials',
  ])('masks the value of `%s`: string, number, or in an array', (name) => {
    expect(redactValue({ [name]: 'hunter22' })).toEqual({ [name]: M });
    expect(redactValue({ a: [{ [name]: 5 }] })).toEqual({ a: [{ [name]: M }] });
    expect(redactValue({ [name]: ['hunter22', 'a=b'] })).toEqual({ [name]: [M, M] });
  });

  it.each(['progressToken', 'progress_token', 'max_tokens', 'inputTokens', 'nextCursor', 'key'])(
    'leaves `%s` alone',
    (name) => {
      expect(redactValue({ [name]: 'plain' })).toEqual({ [name]: 'plain' });
      expect(redactValue({ [name]: 7 })).toEqual({ [name]: 7 });
    },
  );

  it('leaves the schema of a secret alone, empty strings, booleans and null', () => {
    const value = {
      properties: { apiKey: { type: 'string' } },
      password: '',
      token: null,
      secret: true,
    };
    expect(redactValue(value)).toEqual(value);
  });

  it('masks secrets in the text of any member', () => {
    expect(redactValue(['plain', { text: 'my sk-abcdefgh12' }])).toEqual([
      'plain',
      { text: `my ${M}` },
    ]);
  });

  it('copies and never changes what it is given, `__proto__` included', () => {
    const value = JSON.parse('{"__proto__":{"token":"x"},"token":"y"}');
    const copy = redactValue(value);
    expect(JSON.stringify(copy)).toBe(`{"__proto__":{"token":"${M}"},"token":"${M}"}`);
    expect(value.token).toBe('y');
  });

  it('cuts what is nested too deeply', () => {
    let deep: unknown = 'bottom';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(JSON.stringify(redactValue(deep))).toContain('[nested too deeply]');
  });
});
