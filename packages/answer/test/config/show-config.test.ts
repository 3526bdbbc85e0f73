import { describe, expect, it } from 'vitest';
import { settings } from '../../src/config/settings.ts';
import { renderConfig, showConfig } from '../../src/config/show-config.ts';
import { load } from '../support/config.ts';

describe('showConfig', () => {
  it('tells where each value came from', async () => {
    const loaded = await load({
      yaml: 'errors: spec\nrequest:\n  timeout_ms: 9',
      env: { MAX_CITATIONS: '4', ANSWER_EFFORT: 'bogus' },
    });
    const shown = showConfig(loaded, '1.2.3');
    expect(shown.version).toBe('1.2.3');
    expect(shown.sources).toEqual({
      ts_defaults: true,
      yaml: '/home/someone/.config/tincan/answer.yaml',
      env: ['MAX_CITATIONS'],
      cli: [],
    });
    expect(shown.origins['request.timeout_ms']).toMatch(/answer\.yaml:3$/);
    expect(shown.origins['policy.max_citations']).toBe('variable MAX_CITATIONS');
    expect(shown.origins['openai.base_url']).toBe('default');
    expect(shown.effective).toMatchObject({ errors: 'spec', request: { timeout_ms: 9 } });
    expect(shown.warnings[0]).toContain('ANSWER_EFFORT');
  });

  it('shows every setting and no secret', async () => {
    const loaded = await load({
      yaml: 'openai: { base_url: "https://me:hunter22@gateway.example/v1" }',
      env: { OPENAI_API_KEY: 'sk-verysecretkey' },
    });
    const shown = showConfig(loaded, '0');
    expect(Object.keys(shown.origins)).toEqual(settings.map(({ path }) => path));
    const text = JSON.stringify(shown) + renderConfig(shown);
    expect(text).not.toContain('hunter22');
    expect(text).not.toContain('verysecret');
    expect(text).toContain('gateway.example');
  });

  it('renders one line for each setting and marks what was changed', async () => {
    const text = renderConfig(showConfig(await load({ env: { MAX_CITATIONS: '4' } }), '0'));
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe('tincan-answer 0, file: none');
    expect(lines).toHaveLength(settings.length + 1);
    expect(lines.filter((line) => line.startsWith('*'))).toEqual([
      expect.stringMatching(/^\* policy\.max_citations: 4 +# variable MAX_CITATIONS$/),
    ]);
  });
});
