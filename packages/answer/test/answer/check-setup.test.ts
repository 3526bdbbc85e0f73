import { describe, expect, it } from 'vitest';
import { checkSetup } from '../../src/answer/check-setup.ts';
import { startDemoUpstream } from '../../src/demo/upstream.ts';
import { configWith } from '../support/config.ts';
import { FakeClock } from '../support/fake-clock.ts';

async function check(changes: Record<string, unknown> = {}, fake?: typeof fetch, env = {}) {
  await using upstream = await startDemoUpstream();
  const config = await configWith({ 'openai.base_url': upstream.baseUrl, ...changes });
  const clock = new FakeClock();
  const steps = await checkSetup(config, {
    env,
    clock,
    ...(fake !== undefined && { fetch: fake }),
  });
  expect(clock.pending.filter((ms) => ms !== 1_000)).toEqual([]);
  return { steps, requests: upstream.requests.map(({ path, body }) => ({ path, body })) };
}
const verdicts = ({ steps }: Awaited<ReturnType<typeof check>>) =>
  Object.fromEntries(steps.map(({ name, ok }) => [name, ok]));
const missing = async () => new Response('not found', { status: 404 });

describe('checkSetup', () => {
  it('finds all well, with one cheap question', async () => {
    const outcome = await check();
    expect(verdicts(outcome)).toEqual({ key: true, endpoint: true, model: true, search: true });
    expect(outcome.requests).toMatchObject([
      { path: '/models' },
      {
        path: '/responses',
        body: {
          tools: [{ type: 'web_search' }],
          tool_choice: 'none',
          max_output_tokens: 16,
          store: false,
        },
      },
    ]);
  });

  it('stops at a missing key, without a request', async () => {
    const changes = { 'openai.base_url': 'https://api.openai.com/v1' };
    expect(verdicts(await check(changes, missing))).toEqual({ key: false });
  });

  it('tells whether a key is there, never what it is', async () => {
    const { steps } = await check({}, undefined, { OPENAI_API_KEY: 'sk-abcdefghijk' });
    expect(steps[0]).toEqual({ name: 'key', ok: true, detail: 'OPENAI_API_KEY is set' });
  });

  it('accepts that no key is wanted', async () => {
    const changes = { 'openai.api_key_env': null };
    expect((await check(changes)).steps[0]?.detail).toBe('none is sent, as configured');
  });

  it('reports an endpoint that does not answer', async () => {
    const broken = async () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    const outcome = await check({}, broken);
    expect(verdicts(outcome)).toEqual({ key: true, endpoint: false });
    expect(outcome.steps[1]?.detail).toContain('connect ECONNREFUSED');
  });

  it('lists what there is in place of a missing model', async () => {
    const { steps } = await check({ 'model_profiles.answer_quick.model': 'nope' });
    expect(steps[2]).toEqual({
      name: 'model',
      ok: false,
      detail: 'nope not listed; there are: gpt-5.5, demo-model',
    });
  });

  it('does not hold it against a server that it lists no models', async () => {
    const outcome = await check({}, missing);
    expect(verdicts(outcome)).toEqual({
      key: true,
      endpoint: true,
      model: undefined,
      search: false,
    });
    expect(outcome.steps[3]?.detail).toContain('no Responses API');
  });

  it.each([
    [{ 'search.mode': 'off' }, 'switched off'],
    [{ 'openai.api': 'chat' }, 'not part of chat completions'],
  ])('leaves out a search that is not wanted: %j', async (changes, detail) => {
    const { steps, requests } = await check(changes);
    expect(steps[3]).toEqual({ name: 'search', ok: undefined, detail });
    expect(requests).toHaveLength(1);
  });
});
