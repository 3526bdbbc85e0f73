import { describe, expect, it } from 'vitest';
import { findSecrets, redactText, redactValue } from '../../src/redact.ts';
import { isRight, readCorpus } from './corpus.mjs';

/** Shares that docs/redaction.md promises, in percent, by part of the corpus. */
const PROMISED: Readonly<Record<string, number>> = {
  known: 98,
  context: 90,
  key: 98,
  'look-alike': 98,
  'look-alike json': 97,
};

describe.each(['written-with', 'held-out'])('the corpus %s', (name) => {
  const samples = readCorpus(name);

  it.each(Object.entries(PROMISED))('is right in `%s` at %d %% or more', (part, promised) => {
    const all = samples.filter((sample) => sample.part === part);
    const wrong = all.filter((sample) => !isRight(sample, { redactText, redactValue }));
    expect(all.length).toBeGreaterThan(0);
    // The lines of the file, which hold no secret.
    const share = (100 * (all.length - wrong.length)) / all.length;
    expect(share, wrong.map(({ line }) => line).join('\n')).toBeGreaterThanOrEqual(promised);
  });
});

describe('the held-out corpus', () => {
  it('has 250 secrets and 250 look-alikes', () => {
    const samples = readCorpus('held-out');
    const lookAlikes = samples.filter(({ part }) => part.startsWith('look-alike')).length;
    expect(lookAlikes).toBeGreaterThanOrEqual(250);
    expect(samples.length - lookAlikes).toBeGreaterThanOrEqual(250);
  });

  it('shares no line with the one the redactor was written with', () => {
    const known = new Set(readCorpus('written-with').map(({ line }) => line));
    const isSecret = ({ part }: { part: string }): boolean => !part.startsWith('look-alike');
    const shared = readCorpus('held-out').filter((each) => isSecret(each) && known.has(each.line));
    expect(shared.map(({ line }) => line).filter((line) => !/^«[^»]+»,?$/.test(line))).toEqual([]);
  });
});

describe('findSecrets', () => {
  it('names the kind and the place of each, in order and apart', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const text = `password: ${'hunter'}2x9 and token=${token}`;
    const found = findSecrets(text).map(({ start, end, kind }) => [text.slice(start, end), kind]);
    expect(found).toEqual([
      ['hunter2x9', 'named-secret'],
      [token, 'github-token'],
    ]);
  });

  it('masks nothing twice', () => {
    for (const { text } of readCorpus('written-with')) {
      const clean = redactText(text);
      expect(redactText(clean)).toBe(clean);
    }
  });

  // With work that grows with the square of the text each of these takes many minutes.
  it.each([
    ...['token=', "token='", 'token=「', 'password is ', 'password for a b c d ', 'token=a1='],
    ...[
      'Cookie: ',
      'Cookie: a=',
      'curl ',
      'curl -u ',
      '://a',
      '://@',
      '_mmk',
      'Q~',
      '密码',
      '1:AA',
    ],
    ...['credentials a ', 'key ', 'a.token', 'password="\\"', '-----BEGIN PRIVATE KEY----- '],
  ])('is linear for four megabytes of %j', (piece) => {
    const text = piece.repeat(4_000_000 / piece.length);
    expect(findSecrets(text).length).toBeLessThanOrEqual(text.length);
  });
});
