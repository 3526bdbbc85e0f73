import { describe, expect, it } from 'vitest';
import { redact, redactBody } from '../src/redact.ts';

describe('redact', () => {
  it.each([
    [
      'Incorrect API key provided: sk-proj-abc123DEF456.',
      'Incorrect API key provided: [redacted].',
    ],
    ['key sk-ab***********wxyz here', 'key [redacted] here'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted]'],
    ['at https://user:pass@host/v1', 'at https://user:[redacted]@host/v1'],
    [`token ghp_${'a1B2'.repeat(9)}`, 'token [redacted]'],
    ['ask-about-it and risk-free text', 'ask-about-it and risk-free text'],
  ])('cleans %j', (dirty, clean) => {
    expect(redact(dirty)).toBe(clean);
  });

  it('takes out a given secret of any shape, wherever it stands', () => {
    expect(redact('a hunter2hunter2 b hunter2hunter2', ['hunter2hunter2'])).toBe(
      'a [redacted] b [redacted]',
    );
  });

  it('does not blot out words for the sake of a tiny secret', () => {
    expect(redact('none at all', ['none'])).toBe('none at all');
  });
});

describe('redactBody', () => {
  const password = ['hunt', 'er2x9'].join('');

  it('masks by the name of a member and leaves JSON that can be read', () => {
    const body = JSON.stringify({ input: `the password is ${password}`, pin: 1234, token: 'x' });
    expect(JSON.parse(redactBody(body))).toEqual({
      input: 'the password is [redacted]',
      pin: '[redacted]',
      token: '[redacted]',
    });
  });

  it('masks inside the events of a stream and keeps the others byte for byte', () => {
    const plain = 'data: { "delta" : "hello",  "max_tokens": 5 }';
    const event = `data: ${JSON.stringify({ delta: `log in with password: ${password}` })}`;
    const stream = `event: a\n${plain}\n\nevent: b\n${event}\n\ndata: [DONE]\n\n`;
    const clean = redactBody(stream);
    expect(clean).not.toContain(password);
    expect(clean).toContain(plain);
    expect(clean.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  });

  it('takes out a given secret of any shape', () => {
    expect(redactBody('{"a":"plainsecret"}', ['plainsecret'])).toBe('{"a":"[redacted]"}');
  });
});
