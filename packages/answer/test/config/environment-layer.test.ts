import { describe, expect, it } from 'vitest';
import { describeIssue } from '../../src/config/config-error.ts';
import { readEnvironmentLayer } from '../../src/config/environment-layer.ts';
import { settings, variableFor } from '../../src/config/settings.ts';

function read(env: Record<string, string>) {
  const { assignments, issues } = readEnvironmentLayer(env);
  return {
    values: Object.fromEntries(assignments.map(({ path, value }) => [path, value])),
    issues: issues.map(describeIssue),
  };
}

describe('readEnvironmentLayer', () => {
  it.each([
    ['MODEL_ANSWER', 'gpt-6', 'model_profiles.answer.model', 'gpt-6'],
    ['ANSWER_EFFORT', 'xhigh', 'model_profiles.answer.reasoning_effort', 'xhigh'],
    ['ANSWER_VERBOSITY', 'low', 'model_profiles.answer.verbosity', 'low'],
    ['OPENAI_API_TIMEOUT', '1000', 'request.timeout_ms', 1000],
    ['OPENAI_MAX_RETRIES', '0', 'request.max_retries', 0],
    ['SEARCH_MAX_RESULTS', '7', 'search.defaults.max_results', 7],
    ['SEARCH_RECENCY_DAYS', '0', 'search.defaults.recency_days', 0],
    ['MAX_CITATIONS', '10', 'policy.max_citations', 10],
    ['TINCAN_ANSWER_CACHE_ENABLED', 'off', 'cache.enabled', false],
    [
      'TINCAN_ANSWER_SEARCH_DEFAULTS_DOMAINS',
      'a.com,b.com',
      'search.defaults.domains',
      ['a.com', 'b.com'],
    ],
  ])('takes %s=%s as `%s`', (name, raw, path, value) => {
    expect(read({ [name]: raw })).toEqual({ values: { [path]: value }, issues: [] });
  });

  it('gives every setting a variable of its own', () => {
    const names = settings.map(({ path }) => variableFor(path));
    expect(new Set(names).size).toBe(names.length);
  });

  it('prefers our own name to the compatible one', () => {
    const env = { TINCAN_ANSWER_REQUEST_TIMEOUT_MS: '2', OPENAI_API_TIMEOUT: '1' };
    expect(read(env).values).toEqual({ 'request.timeout_ms': 2 });
  });

  it.each([
    ['ANSWER_EFFORT', 'hihg', '; did you mean `high`?'],
    ['OPENAI_API_TIMEOUT', '-1', 'expected a whole number from 1 to 2147483647, got `"-1"`'],
    ['OPENAI_MAX_RETRIES', '11', 'expected a whole number from 0 to 10'],
    ['MAX_CITATIONS', 'many', 'expected a whole number'],
  ])('leaves out a bad %s and says so', (name, raw, message) => {
    const { values, issues } = read({ [name]: raw });
    expect(values).toEqual({});
    expect(issues[0]).toContain(message);
    expect(issues[0]).toMatch(new RegExp(`^${name}: `));
  });

  it.each(['', '  '])('takes an empty variable for one that is not set', (raw) => {
    expect(read({ MODEL_ANSWER: raw })).toEqual({ values: {}, issues: [] });
  });

  describe('with DEBUG, a name many programs use', () => {
    it.each(['1', 'true', 'on'])('turns on for `%s`', (raw) => {
      expect(read({ DEBUG: raw }).values).toEqual({ 'server.debug': true });
    });

    it.each(['0', 'false', 'off', 'no', 'FALSE'])('turns off for `%s`', (raw) => {
      expect(read({ DEBUG: raw }).values).toEqual({ 'server.debug': false });
    });

    it.each(['/tmp/a.log', './d', 'debug.log', 'C:\\logs\\a.txt'])(
      'takes `%s` for a file',
      (raw) => {
        expect(read({ DEBUG: raw }).values).toEqual({
          'server.debug': true,
          'server.debug_file': raw,
        });
      },
    );

    it.each(['*', 'express:*', 'http,net', 'app', ''])('ignores `%s`, meant for others', (raw) => {
      expect(read({ DEBUG: raw }).values).toEqual({});
    });
  });
});
