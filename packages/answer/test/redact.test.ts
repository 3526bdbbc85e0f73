import { describe, expect, it } from 'vitest';
import { redact } from '../src/redact.ts';

describe('redact', () => {
  it.each([
    [
      'Incorrect API key provided: sk-proj-abc123DEF456.',
      'Incorrect API key provided: [redacted].',
    ],
    ['key sk-ab***********wxyz here', 'key [redacted] here'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: [redacted]'],
    ['at https://user:pass@host/v1', 'at https://[redacted]@host/v1'],
    ['token ghp_0123456789abcdef', 'token [redacted]'],
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
