import { describe, expect, it } from 'vitest';
import { questionFor, questionKey, settleArguments } from '../../src/answer/asked.ts';
import { configWith } from '../support/config.ts';

const policy = { text: 'Policy.', hash: 'p1' };
const when = { timezone: 'Asia/Tokyo', now: Date.parse('2026-11-15T20:00:00Z') };

describe('settleArguments', () => {
  it('fills in defaults', async () => {
    const config = await configWith({ 'search.defaults.domains': ['d.com'] });
    expect(settleArguments('answer', { query: 'q' }, config)).toEqual({
      query: 'q',
      profile: config.modelProfiles.answer,
      recencyDays: 60,
      maxResults: 5,
      domains: ['d.com'],
      fresh: false,
    });
  });

  it('lets a call overrule them, an empty list included', async () => {
    const config = await configWith({ 'search.defaults.domains': ['d.com'] });
    const args = { query: 'q', recency_days: 0, max_results: 1, domains: [], fresh: true };
    expect(settleArguments('answer', args, config)).toMatchObject({
      recencyDays: 0,
      maxResults: 1,
      domains: [],
      fresh: true,
    });
  });

  it('makes bare domains of pasted addresses', async () => {
    const domains = ['https://A.com/path?x', '*.b.org', ' c.net ', 'a.com', '/'];
    const asked = settleArguments('answer', { query: 'q', domains }, await configWith());
    expect(asked.domains).toEqual(['a.com', 'b.org', 'c.net']);
  });

  it('picks the profile of the tool', async () => {
    const config = await configWith({
      'model_profiles.answer_detailed.model': 'big',
      'model_profiles.answer_quick.model': 'small',
    });
    const model = (tool: 'answer' | 'answer_detailed' | 'answer_quick') =>
      settleArguments(tool, { query: 'q' }, config).profile.model;
    expect([model('answer'), model('answer_detailed'), model('answer_quick')]).toEqual([
      'gpt-5.5',
      'big',
      'small',
    ]);
  });
});

describe('questionFor', () => {
  it('words the hints as the reference does and ends with the date', async () => {
    const config = await configWith();
    const args = { query: 'Why?', domains: ['a.com', 'b.com'] };
    expect(questionFor(settleArguments('answer', args, config), policy, when)).toMatchObject({
      text: 'Why?\n[Hints] recency_days=60, max_results=5. domains: a.com, b.com',
      instructions: 'Policy.\n\nToday is 2026-11-16 (Asia/Tokyo).',
      domains: ['a.com', 'b.com'],
    });
    expect(
      questionFor(settleArguments('answer', { query: 'Why?' }, config), policy, when).text,
    ).toBe('Why?\n[Hints] recency_days=60, max_results=5.');
  });
});

describe('questionKey', () => {
  const key = async (args: object = {}, changes = {}, hash = 'p1') => {
    const config = await configWith(changes);
    const asked = settleArguments('answer', { query: 'Why is it so?', ...args }, config);
    return questionKey(asked, { ...policy, hash }, config);
  };

  it.each([[{ query: '  Why  is\nit so? ' }], [{ fresh: true }], [{ recency_days: 60 }]])(
    'is the same for the same question: %j',
    async (args) => {
      expect(await key(args)).toBe(await key());
    },
  );

  it('does not depend on the order of domains', async () => {
    expect(await key({ domains: ['a.com', 'b.com'] })).toBe(
      await key({ domains: ['b.com', 'a.com'] }),
    );
  });

  it.each([
    ['query', { query: 'why is it so?' }, {}, 'p1'],
    ['recency', { recency_days: 1 }, {}, 'p1'],
    ['results', { max_results: 1 }, {}, 'p1'],
    ['domains', { domains: ['a.com'] }, {}, 'p1'],
    ['model', {}, { 'model_profiles.answer.model': 'm' }, 'p1'],
    ['effort', {}, { 'model_profiles.answer.reasoning_effort': 'low' }, 'p1'],
    ['endpoint', {}, { 'openai.base_url': 'http://localhost/v1' }, 'p1'],
    ['citation limit', {}, { 'policy.max_citations': 9 }, 'p1'],
    ['policy', {}, {}, 'p2'],
  ])('differs by %s', async (_, args, changes, hash) => {
    expect(await key(args, changes, hash)).not.toBe(await key());
  });
});
