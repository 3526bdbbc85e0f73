import { describe, expect, it } from 'vitest';
import type { AnswerConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { readFlagLayer } from '../../src/config/flag-layer.ts';
import { defaultConfigFile, loadConfig } from '../../src/config/load-config.ts';
import { configWith, load, noFile } from '../support/config.ts';

const profile = { model: 'gpt-5.5', reasoningEffort: 'medium', verbosity: 'medium' } as const;

// Typed, so that the table of settings and the interface cannot drift apart.
const defaults: AnswerConfig = {
  openai: {
    apiKeyEnv: 'OPENAI_API_KEY',
    baseUrl: 'https://api.openai.com/v1',
    api: 'auto',
    parameters: 'auto',
    store: false,
  },
  modelProfiles: { answer: profile, answerDetailed: profile, answerQuick: profile },
  request: { timeoutMs: 300_000, idleTimeoutMs: 180_000, maxRetries: 3, maxOutputTokens: null },
  policy: {
    maxCitations: 3,
    sources: 'append',
    dates: 'known',
    timezone: 'UTC',
    system: { source: 'builtin', path: null, merge: 'replace' },
  },
  search: {
    mode: 'auto',
    contextSize: null,
    defaults: { recencyDays: 60, maxResults: 5, domains: [] },
    location: { country: null, region: null, city: null, timezone: null },
  },
  citations: { fetch: false, fetchTimeoutMs: 5_000 },
  cache: { enabled: true, dir: null, ttlMs: null, maxEntries: 1_000 },
  replay: 'off',
  cassette: null,
  budget: { maxCalls: null, maxTokens: null, maxCost: null, prices: {} },
  memory: { command: null, project: 'answers', group: 'answers' },
  errors: 'reference',
  server: { debug: false, debugFile: null, showConfigOnStart: false, usageOnExit: false },
};

async function issuesOf(attempt: Promise<unknown>): Promise<string[]> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw new Error(`expected a ConfigError, got ${error}`);
  expect(error.code).toBe('CONFIG');
  return error.message.split('\n');
}

describe('loadConfig', () => {
  it('gives the documented defaults when nothing is set', async () => {
    expect(await configWith()).toEqual(defaults);
  });

  it('lets flags win over variables, variables over the file, the file over defaults', async () => {
    const yaml = 'request: { timeout_ms: 1, max_retries: 1 }\npolicy: { max_citations: 1 }';
    const { config, values } = await loadConfig({
      home: '/h',
      env: { OPENAI_API_TIMEOUT: '2', OPENAI_MAX_RETRIES: '2' },
      flags: readFlagLayer(['--timeout', '3']),
      readFile: async () => yaml,
    });
    expect(config.request).toMatchObject({ timeoutMs: 3, maxRetries: 2, idleTimeoutMs: 180_000 });
    expect(config.policy.maxCitations).toBe(1);
    expect(values.get('request.timeout_ms')?.origin).toEqual({ from: 'flag', name: '--timeout' });
    expect(values.get('request.max_retries')?.origin).toEqual({
      from: 'variable',
      name: 'OPENAI_MAX_RETRIES',
    });
    expect(values.get('policy.max_citations')?.origin).toEqual({
      from: 'file',
      file: '/h/.config/tincan/answer.yaml',
      line: 2,
    });
  });

  it('lets a profile say only what differs from `answer`', async () => {
    const yaml =
      'model_profiles:\n  answer: { model: m }\n  answer_quick: { reasoning_effort: low }';
    const { config } = await load({ yaml });
    expect(config.modelProfiles.answerQuick).toEqual({
      model: 'm',
      reasoningEffort: 'low',
      verbosity: 'medium',
    });
    expect(config.modelProfiles.answerDetailed.model).toBe('m');
  });

  it('expands `~` in every path', async () => {
    const yaml = 'cache: { dir: ~/c }\ncassette: ~/t.jsonl\npolicy: { system: { path: ~/p.md } }';
    const { config } = await load({ yaml });
    expect(config.cache.dir).toBe('/home/someone/c');
    expect(config.cassette).toBe('/home/someone/t.jsonl');
    expect(config.policy.system.path).toBe('/home/someone/p.md');
  });

  it('looks for its file where the desktop says', () => {
    expect(defaultConfigFile('/h')).toBe('/h/.config/tincan/answer.yaml');
    expect(defaultConfigFile('/h', { XDG_CONFIG_HOME: '/x' })).toBe('/x/tincan/answer.yaml');
  });

  it('fails when a file named on the command line does not exist', async () => {
    const attempt = loadConfig({ home: '/h', configFile: '~/mine.yaml', readFile: noFile });
    expect(await issuesOf(attempt)).toEqual(['/h/mine.yaml: the file does not exist']);
  });

  it('fails when a file exists but cannot be read', async () => {
    const readFile = async (): Promise<string> => {
      throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
    };
    const attempt = loadConfig({ home: '/h', readFile });
    expect((await issuesOf(attempt))[0]).toContain('cannot be read: permission denied');
  });

  it.each([
    ['policy: { system: { source: file } }', '`policy.system.path`: expected a file path because'],
    ['replay: replay', '`cassette`: expected a file to replay because `replay` is `replay`'],
    ['replay: record', '`cassette`: expected a file to record to because'],
    [
      'budget: { max_cost: 1 }',
      '`budget.prices`: expected prices because `budget.max_cost` is set',
    ],
  ])('refuses half of a pair: %s', async (yaml, message) => {
    expect((await issuesOf(load({ yaml })))[0]).toContain(message);
  });

  it('reports everything that is wrong at once', async () => {
    const yaml = 'requets: {}\nrequest: { timeout_ms: soon }';
    expect(await issuesOf(load({ yaml }))).toHaveLength(2);
  });
});
