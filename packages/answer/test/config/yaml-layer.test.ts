import { describe, expect, it } from 'vitest';
import { describeIssue } from '../../src/config/config-error.ts';
import { settings } from '../../src/config/settings.ts';
import { readYamlLayer } from '../../src/config/yaml-layer.ts';

async function problems(yaml: string): Promise<string[]> {
  return (await readYamlLayer('c.yaml', yaml)).issues.map(describeIssue);
}

describe('readYamlLayer', () => {
  it('reads a full file of the reference server', async () => {
    const yaml = `
openai: { api_key_env: OPENAI_API_KEY, base_url: https://api.openai.com/v1 }
model_profiles:
  answer: { model: gpt-5.5, reasoning_effort: xhigh, verbosity: high }
request: { timeout_ms: 300000, max_retries: 3 }
policy:
  max_citations: 3
  system: { source: file, path: ~/policy.md, merge: append }
search:
  defaults: { recency_days: 60, max_results: 5, domains: [a.com] }
server: { debug: false, debug_file: null, show_config_on_start: false }
`;
    const { assignments, issues } = await readYamlLayer('c.yaml', yaml);
    expect(issues).toEqual([]);
    expect(assignments).toHaveLength(17);
    expect(assignments.find(({ path }) => path === 'search.defaults.domains')).toEqual({
      path: 'search.defaults.domains',
      value: ['a.com'],
      origin: { from: 'file', file: 'c.yaml', line: 10 },
    });
  });

  it.each([
    [
      'an unknown section',
      'requets:\n  x: 1',
      ['c.yaml:1: `requets`: unknown key; did you mean `request`?'],
    ],
    [
      'a misspelt key',
      'request:\n  timeout: 1\n  max_retry: 2',
      [
        'c.yaml:2: `request.timeout`: unknown key; did you mean `request.timeout_ms`?',
        'c.yaml:3: `request.max_retry`: unknown key; did you mean `request.max_retries`?',
      ],
    ],
    [
      'a key in the wrong section',
      'openai:\n  timeout_ms: 1',
      ['c.yaml:2: `openai.timeout_ms`: unknown key; did you mean `request.timeout_ms`?'],
    ],
    [
      'a wrong type',
      '\nrequest:\n\n  timeout_ms: "soon"',
      [
        'c.yaml:4: `request.timeout_ms`: expected a whole number from 1 to 2147483647, got `"soon"`',
      ],
    ],
    [
      'a wrong choice',
      'policy: { system: { merge: apend } }',
      [
        'c.yaml:1: `policy.system.merge`: expected one of `replace`, `prepend`, `append`, got `"apend"`; did you mean `append`?',
      ],
    ],
    [
      'a removed key',
      'server:\n  transport: stdio',
      [
        'c.yaml:2: `server.transport`: this key was removed: the transport is chosen on the command line',
      ],
    ],
    ['a scalar document', 'hello', ['c.yaml:1: expected a mapping, got `"hello"`']],
    ['a list document', '- a', ['c.yaml:1: expected a mapping, got `["a"]`']],
    [
      'a scalar section',
      'a: 1\nrequest: 5',
      ['c.yaml:1: `a`: unknown key', 'c.yaml:2: `request`: expected a mapping, got `5`'],
    ],
    [
      'an empty value that is needed',
      'request:\n  timeout_ms:',
      ['c.yaml:2: `request.timeout_ms`: expected a whole number from 1 to 2147483647, got `null`'],
    ],
  ])('reports %s with its line and the nearest name', async (_, yaml, expected) => {
    expect(await problems(yaml)).toEqual(expected);
  });

  it('reports a syntax error with its line instead of a stack', async () => {
    const [first] = await problems('request:\n  timeout_ms: [1,\n');
    expect(first).toMatch(/^c\.yaml:\d: expected YAML: /);
  });

  it('reports a key given twice', async () => {
    expect((await problems('errors: spec\nerrors: spec'))[0]).toMatch(/^c\.yaml:2: .*unique/);
  });

  it.each(['', '# nothing\n', 'request:\n', '---\n'])(
    'takes nothing from an empty part (%#)',
    async (yaml) => {
      expect(await readYamlLayer('c.yaml', yaml)).toEqual({ assignments: [], issues: [] });
    },
  );

  it('follows an alias', async () => {
    const yaml = 'model_profiles:\n  answer: &p { model: m }\n  answer_quick: *p';
    const { assignments, issues } = await readYamlLayer('c.yaml', yaml);
    expect(issues).toEqual([]);
    expect(assignments.map(({ path }) => path)).toEqual([
      'model_profiles.answer.model',
      'model_profiles.answer_quick.model',
    ]);
  });

  it('accepts the default of every setting', () => {
    for (const { path, expects, fallback } of settings) {
      expect(expects.accepts(fallback), path).toBe(true);
    }
  });
});
