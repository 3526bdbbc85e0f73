import { redactText } from 'tincan-wire/redact';
import { describe, expect, it } from 'vitest';
import { openScreen } from '../../src/service/secrets.ts';

const letters = (n: number): string => 'aB3dE5gH7jK9mN1pQ2sT4vW6xY8z'.repeat(10).slice(0, n);
const hex = (n: number): string => 'f3a9c07e51d2b684'.repeat(10).slice(0, n);

/** Made up, each in the form of its kind; joined so that no scanner takes this file for a leak. */
const SECRETS: [string, string][] = [
  [
    'private-key',
    ['-----BEGIN RSA', 'PRIVATE KEY-----\nMIIE\nabc\n-----END RSA', 'PRIVATE KEY-----'].join(' '),
  ],
  ['private-key', ['-----BEGIN', 'PRIVATE KEY-----\nMIIEcut off'].join(' ')],
  ['age-key', `AGE-SECRET-KEY-1${letters(58).toUpperCase()}`],
  ['aws-access-key', `AKIA${'ABCDEFGH23456789'}`],
  ['github-token', `ghp_${letters(36)}`],
  ['github-token', `github_pat_${letters(40)}`],
  ['gitlab-token', `glpat-${letters(20)}`],
  ['bitbucket-token', `ATBB${letters(32)}`],
  ['atlassian-token', `ATATT3${letters(70)}`],
  ['anthropic-key', `sk-ant-api03-${letters(40)}`],
  ['openrouter-key', `sk-or-v1-${hex(64)}`],
  ['openai-key', `sk-proj-${letters(48)}`],
  ['secret-key', `sk-${letters(48)}`],
  ['google-key', `AIza${letters(35)}`],
  ['google-oauth', `GOCSPX-${letters(28)}`],
  ['groq-key', `gsk_${letters(52)}`],
  ['huggingface-token', `hf_${letters(34)}`],
  ['replicate-token', `r8_${letters(37)}`],
  ['perplexity-key', `pplx-${letters(48)}`],
  ['xai-key', `xai-${letters(80)}`],
  ['slack-token', `xoxb-914702385516-${letters(24)}`],
  ['slack-webhook', `https://hooks.slack.com/services/T000/B000/${letters(24)}`],
  ['discord-token', `M${letters(24)}.${letters(6)}.${letters(30)}`],
  ['discord-webhook', `https://discord.com/api/webhooks/123987654321098765/${letters(60)}`],
  ['telegram-token', `123456789:AA${letters(33)}`],
  ['stripe-key', `sk_live_${letters(24)}`],
  ['square-token', `sq0atp-${letters(22)}`],
  ['shopify-token', `shpat_${hex(32)}`],
  ['twilio-key', `SK${hex(32)}`],
  ['sendgrid-key', `SG.${letters(22)}.${letters(43)}`],
  ['mailgun-key', `key-${hex(32)}`],
  ['mailchimp-key', `${hex(32)}-us12`],
  ['npm-token', `npm_${letters(36)}`],
  ['pypi-token', `pypi-${letters(80)}`],
  ['rubygems-key', `rubygems_${hex(48)}`],
  ['docker-token', `dckr_pat_${letters(27)}`],
  ['digitalocean-token', `dop_v1_${hex(64)}`],
  ['heroku-key', `HRKU-${letters(36)}`],
  ['netlify-token', `nfp_${letters(36)}`],
  ['supabase-key', `sbp_${hex(40)}`],
  ['databricks-token', `dapi${hex(32)}`],
  ['grafana-token', `glsa_${letters(32)}_${hex(8)}`],
  ['newrelic-key', `NRAK-${letters(27)}`],
  ['sentry-token', `sntrys_${letters(60)}`],
  ['linear-key', `lin_api_${letters(40)}`],
  ['notion-token', `ntn_${letters(46)}`],
  ['figma-token', `figd_${letters(43)}`],
  ['airtable-token', `pat${letters(14)}.${hex(64)}`],
  ['vault-token', `hvs.${letters(90)}`],
  ['terraform-token', `${letters(14)}.atlasv1.${letters(67)}`],
  ['pulumi-token', `pul-${hex(40)}`],
  ['doppler-token', `dp.pt.${letters(43)}`],
  ['planetscale-token', `pscale_tkn_${letters(43)}`],
  ['json-web-token', `eyJ${letters(20)}.eyJ${letters(40)}.${letters(43)}`],
  ['url-password', 'postgres://admin:hunter22@'],
  ['bearer-token', `Authorization: Bearer ${letters(40)}`],
  ['basic-auth', `Authorization: Basic ${letters(24)}==`],
  ['named-secret', `AccountName=x;AccountKey=${letters(86)}==`],
  ['named-secret', `API_KEY="${letters(32)}"`],
  ['named-secret', 'password: correcthorse42battery'],
  ['named-secret', `client_secret = ${letters(30)}`],
];

const redacting = await openScreen('redact');
const refusing = await openScreen('refuse');

describe('secrets', () => {
  it.each(SECRETS)('of kind %s are taken out and nothing else', (kind, secret) => {
    const { value, redacted } = redacting.content(`before ${secret}\nafter`);
    expect(redacted).toContain(kind);
    expect(value).toContain(`[redacted: ${kind}]`);
    expect(value.startsWith('before ')).toBe(true);
    if (!secret.includes('cut off')) expect(value.endsWith('after')).toBe(true);
    expect(value).not.toContain(secret.slice(-12));
  });

  it.each([
    'the token expires after seven days',
    'password: required',
    'set API_KEY in the environment',
    'API_KEY=$API_KEY_FROM_VAULT_1',
    'token = getToken(user)',
    'see https://example.com/a/b?c=d#e and git@github.com:org/repo.git',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it',
    'id 550e8400-e29b-41d4-a716-446655440000',
    'the sk-learn package, task-list-of-things',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'postgres://localhost:5432/app',
    '秘密のトークンは毎週変わる',
    'the secret: never deploy on Friday',
    'const passwordInput = document.querySelector("#password")',
  ])('are not seen in ordinary words: %s', (text) => {
    expect(redacting.content(text)).toEqual({ value: text, redacted: [] });
  });

  it('are found however deep they lie, in keys too', () => {
    const secret = `ghp_${letters(36)}`;
    const { value, redacted } = redacting.content({ a: [{ [secret]: `x ${secret}` }] });
    expect(JSON.stringify(value)).not.toContain(secret);
    expect(redacted).toEqual(['github-token']);
  });

  it('are known by the name of their member, whatever they look like', () => {
    const value = { password: 'plain', db: { apiKey: ['x', 'y'], pin: 1234 }, maxTokens: 5 };
    expect(redacting.content(value)).toEqual({
      value: {
        password: '[redacted: named-secret]',
        db: {
          apiKey: ['[redacted: named-secret]', '[redacted: named-secret]'],
          pin: '[redacted: named-secret]',
        },
        maxTokens: 5,
      },
      redacted: ['named-secret'],
    });
  });

  it('stay redacted when what was redacted is written again', () => {
    const { value } = redacting.content({ token: 'abc', text: `key ghp_${letters(36)}` });
    expect(redacting.content(value)).toEqual({ value, redacted: [] });
  });

  it('are refused without being repeated, in a key too', () => {
    const secret = `ghp_${letters(36)}`;
    const refuse = (): unknown => refusing.content({ text: secret });
    expect(refuse).toThrow(expect.objectContaining({ rpcCode: -32602, data: { path: 'text' } }));
    expect(refuse).not.toThrow(secret);
    expect(() => refusing.content({ a: { [secret]: 1 } })).toThrow(
      expect.objectContaining({ data: { path: 'a' } }),
    );
  });

  it('are refused in an identifier, with what to use instead', () => {
    const secret = `ghp_${letters(36)}`;
    const refuse = (): unknown => redacting.identifier('groupId', secret, 'patch.groupId');
    expect(refuse).toThrow(/`patch.groupId`.*github-token.*such as `backend`/);
    expect(refuse).not.toThrow(secret);
    expect(() => redacting.tags(['fine', secret])).toThrow(
      expect.objectContaining({ data: { path: 'tags[1]' } }),
    );
    redacting.identifier('groupId', 'token-refactoring-2026');
  });

  it('are let through where that was asked for', async () => {
    const secret = `ghp_${letters(36)}`;
    const allowing = await openScreen('allow');
    expect(allowing.content({ token: secret })).toEqual({ value: { token: secret }, redacted: [] });
    allowing.identifier('groupId', secret);
  });

  it('leave other values as they are', () => {
    const value = { a: null, b: [1, true, 'x'], c: { d: '' } };
    expect(redacting.content(value).value).toEqual(value);
  });

  it('do not let a value nest without end', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 5_000; i += 1) deep = [deep];
    expect(() => redacting.content(deep)).toThrow('nesting');
  });

  it('make half an emoji storable', () => {
    expect(redacting.content('a\ud83d').value).toBe('a\ufffd');
    expect(redacting.content('🙂').value).toBe('🙂');
  });

  it('are what the redactor of wire finds', () => {
    const text = `a ghp_${letters(36)} b`;
    expect(redacting.content(text).value).toBe(redactText(text, (kind) => `[redacted: ${kind}]`));
  });
});
