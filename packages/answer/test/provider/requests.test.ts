import { describe, expect, it } from 'vitest';
import { chatRequest } from '../../src/provider/chat-request.ts';
import { type Droppable, rejectedPart, takesManner } from '../../src/provider/parameters.ts';
import { responsesRequest } from '../../src/provider/responses-request.ts';
import { configWith } from '../support/config.ts';

const question = {
  profile: { model: 'gpt-5.5', reasoningEffort: 'high', verbosity: 'low' },
  instructions: 'Be brief.',
  text: 'Why?\n[Hints] recency_days=60, max_results=5.',
  domains: [] as readonly string[],
} as const;
const none: ReadonlySet<Droppable> = new Set();

describe('responsesRequest', () => {
  it('asks as the reference does, but streamed and not stored', async () => {
    expect(responsesRequest(question, await configWith(), none)).toEqual({
      model: 'gpt-5.5',
      instructions: 'Be brief.',
      input: [{ role: 'user', content: [{ type: 'input_text', text: question.text }] }],
      tools: [{ type: 'web_search' }],
      include: ['web_search_call.action.sources'],
      text: { verbosity: 'low' },
      reasoning: { effort: 'high' },
      store: false,
      stream: true,
    });
  });

  it('filters by domain for real', async () => {
    const request = responsesRequest({ ...question, domains: ['a.com'] }, await configWith(), none);
    expect(request.tools).toEqual([
      { type: 'web_search', filters: { allowed_domains: ['a.com'] } },
    ]);
  });

  it('passes on search settings', async () => {
    const config = await configWith({
      'search.mode': 'required',
      'search.context_size': 'high',
      'search.location.country': 'JP',
      'request.max_output_tokens': 500,
      'openai.store': true,
    });
    expect(responsesRequest(question, config, none)).toMatchObject({
      tools: [
        {
          type: 'web_search',
          search_context_size: 'high',
          user_location: { type: 'approximate', country: 'JP' },
        },
      ],
      tool_choice: 'required',
      max_output_tokens: 500,
      store: true,
    });
  });

  it('offers no search when search is off', async () => {
    const request = responsesRequest(question, await configWith({ 'search.mode': 'off' }), none);
    expect(request).not.toHaveProperty('tools');
    expect(request).not.toHaveProperty('include');
  });

  it.each([
    ['reasoning', 'reasoning'],
    ['verbosity', 'text'],
    ['include', 'include'],
    ['web_search', 'tools'],
    ['store', 'store'],
  ] as const)('leaves out `%s` once it was refused', async (part, key) => {
    const request = responsesRequest(question, await configWith(), new Set([part]));
    expect(request).not.toHaveProperty(key);
  });

  it.each(['filters', 'search_context_size', 'user_location'] as const)(
    'keeps the search when only `%s` was refused',
    async (part) => {
      const config = await configWith({
        'search.context_size': 'low',
        'search.location.city': 'Kyoto',
      });
      const request = responsesRequest(
        { ...question, domains: ['a.com'] },
        config,
        new Set([part]),
      );
      expect(request.tools?.[0]).not.toHaveProperty(part);
      expect(request.tools?.[0]).toHaveProperty('type', 'web_search');
    },
  );
});

describe('chatRequest', () => {
  it('keeps to what every server knows', async () => {
    expect(chatRequest(question, await configWith(), none)).toEqual({
      model: 'gpt-5.5',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: question.text },
      ],
      stream_options: { include_usage: true },
      stream: true,
    });
  });

  it('sends effort and verbosity only when told to, and limits when set', async () => {
    const config = await configWith({
      'openai.parameters': 'always',
      'request.max_output_tokens': 99,
    });
    expect(chatRequest(question, config, new Set(['stream_options']))).toMatchObject({
      reasoning_effort: 'high',
      verbosity: 'low',
      max_tokens: 99,
    });
    expect(chatRequest(question, config, new Set(['stream_options']))).not.toHaveProperty(
      'stream_options',
    );
  });
});

describe('takesManner', () => {
  it.each([
    ['gpt-5.5', true, true],
    ['gpt-6', true, true],
    ['gpt-40-next', true, true],
    ['some-local-model', true, true],
    ['o3', true, false],
    ['o4-mini', true, false],
    ['gpt-4o', false, false],
    ['gpt-4.1-mini', false, false],
    ['gpt-3.5-turbo', false, false],
    ['chatgpt-4o-latest', false, false],
  ])('guesses for %s: reasoning %s, verbosity %s', (model, reasoning, verbosity) => {
    expect(takesManner(model, 'auto')).toEqual({ reasoning, verbosity });
  });

  it('does as told otherwise', () => {
    expect(takesManner('gpt-4o', 'always')).toEqual({ reasoning: true, verbosity: true });
    expect(takesManner('gpt-5.5', 'never')).toEqual({ reasoning: false, verbosity: false });
  });
});

describe('rejectedPart', () => {
  it.each([
    ['reasoning.effort', 'Unsupported value', 'reasoning'],
    ['text.verbosity', 'Unsupported parameter', 'verbosity'],
    [undefined, "Unsupported parameter: 'text.verbosity'", 'verbosity'],
    [undefined, 'Unknown parameter: reasoning', 'reasoning'],
    [undefined, "[{'loc': ('body', 'include'), 'msg': 'Extra inputs'}]", 'include'],
    ['tools[0].filters', 'Unknown field', 'filters'],
    ['tools[0].type', 'Invalid value', 'web_search'],
    [
      'tools',
      "These tools cannot be used with reasoning.effort 'minimal': web_search.",
      'reasoning',
    ],
    ['store', 'Unknown', 'store'],
    [undefined, 'Your text is too long and store is full', undefined],
    ['input', 'Invalid input text', undefined],
    ['max_output_tokens', 'Too small', undefined],
  ])('of param %s and "%s" is %s', (param, message, part) => {
    expect(rejectedPart(param, message)).toBe(part);
  });
});
