import { describe, expect, it } from 'vitest';
import { createAnswerer } from '../../src/answer/answerer.ts';
import type { ProgressReport } from '../../src/answer/progress.ts';
import type { AnswerResult } from '../../src/answer/result.ts';
import { openBench } from '../support/bench.ts';
import { configWith } from '../support/config.ts';
import { MemoryDirectory } from '../support/memory-directory.ts';

describe('an answer', () => {
  it('has the documented fields in the documented order', async () => {
    await using bench = await openBench();
    const result = await bench.ask('[demo:search]');
    expect(Object.keys(result)).toEqual(['answer', 'used_search', 'citations', 'model', 'meta']);
    expect(result).toEqual({
      answer:
        'You asked: [demo:search]. The guide has the answer.\n\nSources:\n- https://example.com/guide (2026-10-02)',
      used_search: true,
      citations: [
        {
          url: 'https://example.com/guide',
          title: 'A guide',
          published_at: '2026-10-02',
          accessed_at: '2026-11-16',
          spans: [[0, 9]],
          verified: 'source-list',
        },
      ],
      model: 'gpt-5.5',
      meta: {
        resolved_model: 'demo-model-2026-11-01',
        provider: 'openai-responses',
        status: 'completed',
        cached: false,
        elapsed_ms: 0,
        attempts: 1,
        searches: 1,
        usage: { input: 120, cached: 20, output: 45, reasoning: 12 },
        request_id: 'req_demo_1',
      },
    });
  });

  it.each([
    ['sources-only', ['https://example.com/guide', 'https://example.org/notes']],
    ['api-source', ['https://example.com/guide', 'oai-weather']],
    ['open-page', ['https://example.com/guide']],
    ['empty-search', []],
  ])('cites what `%s` rests on', async (name, urls) => {
    await using bench = await openBench();
    const result = await bench.ask(`[demo:${name}]`);
    expect(result.used_search).toBe(true);
    expect(result.citations.map(({ url }) => url)).toEqual(urls);
  });

  it('leaves the text as it is when sources are not wanted', async () => {
    await using bench = await openBench({ 'policy.sources': 'omit' });
    expect((await bench.ask('[demo:sources-only]')).answer).toBe('Found.');
  });

  it('says how long the call took', async () => {
    await using bench = await openBench();
    expect((await bench.ask('[demo:limited:1234]')).meta.elapsed_ms).toBe(1_234);
  });

  it('checks cited pages when asked to', async () => {
    const probePage = async (url: string) =>
      url.includes('guide') ? ('fetched' as const) : ('broken' as const);
    await using bench = await openBench({ 'citations.fetch': true }, { probePage });
    const { citations } = await bench.ask('[demo:sources-only]');
    expect(citations.map(({ verified }) => verified)).toEqual(['fetched', 'broken']);
  });

  it('asks each tool with its own profile', async () => {
    await using bench = await openBench({ 'model_profiles.answer_quick.model': 'small' });
    const result = await bench.answerer.ask('answer_quick', { query: '[demo:ok]' });
    expect(result.model).toBe('small');
    expect(bench.upstream.requests[0]?.body['model']).toBe('small');
  });
});

describe('before anything is spent', () => {
  it.each([
    ['anser', { query: 'q' }, 'unknown_tool'],
    ['toString', { query: 'q' }, 'unknown_tool'],
    ['answer', {}, 'arguments'],
    ['answer', undefined, 'arguments'],
    ['answer', { query: 'q', domains: 'abc' }, 'arguments'],
  ])('`%s` with %j is refused', async (tool, args, kind) => {
    await using bench = await openBench();
    await expect(bench.answerer.ask(tool, args)).rejects.toMatchObject({ kind, retryable: false });
    expect(bench.upstream.requests).toHaveLength(0);
  });

  it('a missing key is reported, by name', async () => {
    const answerer = createAnswerer(await configWith(), {
      env: { OPENAI_API_KEY: ' ' },
      fetch: async () => {
        throw new Error('must not be reached');
      },
    });
    await expect(answerer.ask('answer', { query: 'q' })).rejects.toMatchObject({
      kind: 'missing_key',
      message: 'Missing API key: set OPENAI_API_KEY',
    });
  });

  it('a spent budget is reported', async () => {
    await using bench = await openBench({ 'budget.max_calls': 1 });
    await bench.ask('1 [demo:ok]');
    const error = await bench.failure('2 [demo:ok]');
    expect(error.kind).toBe('budget');
    expect(bench.upstream.requests).toHaveLength(1);
  });

  it('the budget counts what failed answers took', async () => {
    await using bench = await openBench({ 'budget.max_tokens': 100 });
    expect((await bench.failure('[demo:incomplete]')).kind).toBe('incomplete');
    expect((await bench.failure('[demo:ok]')).kind).toBe('budget');
  });

  it('a caller who has left already costs nothing', async () => {
    await using bench = await openBench();
    const call = bench.answerer.ask('answer', { query: 'q' }, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ kind: 'cancelled' });
    expect(bench.upstream.requests).toHaveLength(0);
  });
});

describe('answers are remembered', () => {
  const remembering = () => {
    const cacheDirectory = new MemoryDirectory();
    return { cacheDirectory, open: (changes = {}) => openBench(changes, { cacheDirectory }) };
  };

  it('so that the same question costs nothing the second time', async () => {
    await using bench = await remembering().open();
    const first = await bench.ask('[demo:search]');
    bench.clock.advance(1_000);
    const second = await bench.ask(' [demo:search]  ');
    expect(second.answer).toBe(first.answer);
    expect(second.citations).toEqual(first.citations);
    expect(second.meta).toMatchObject({
      cached: true,
      cached_at: '2026-11-16T12:00:00.000Z',
      attempts: 0,
      searches: 0,
      usage: { input: 0, output: 0 },
    });
    expect(bench.upstream.requests).toHaveLength(1);
    expect(bench.answerer.totals()).toMatchObject({ calls: 1, cached: 1 });
  });

  it('across sessions', async () => {
    const { open } = remembering();
    await using one = await open();
    // The other session names the same endpoint, so it asks the same question.
    await using two = await open({ 'openai.base_url': one.upstream.baseUrl });
    await one.ask('[demo:ok]');
    expect((await two.ask('[demo:ok]')).meta.cached).toBe(true);
    expect(one.upstream.requests).toHaveLength(1);
  });

  it('for as long as `recency_days` suggests', async () => {
    await using bench = await remembering().open();
    const hour = 3_600_000;
    const ask = () => bench.ask('[demo:ok]', { recency_days: 2 });
    await ask();
    bench.clock.advance(2 * hour - 1);
    expect((await ask()).meta.cached).toBe(true);
    bench.clock.advance(1);
    expect((await ask()).meta.cached).toBe(false);
  });

  it('for as long as the configuration says', async () => {
    await using bench = await remembering().open({ 'cache.ttl_ms': 10 });
    await bench.ask('[demo:ok]');
    bench.clock.advance(10);
    expect((await bench.ask('[demo:ok]')).meta.cached).toBe(false);
  });

  it('unless the asker wants it fresh, which renews the memory', async () => {
    await using bench = await remembering().open();
    await bench.ask('[demo:ok]');
    bench.clock.advance(5);
    expect((await bench.ask('[demo:ok]', { fresh: true })).meta.cached).toBe(false);
    expect((await bench.ask('[demo:ok]')).meta.cached_at).toBe('2026-11-16T12:00:00.005Z');
    expect(bench.upstream.requests).toHaveLength(2);
  });

  it.each(['refusal', 'incomplete', 'failed', 'empty'])('but not `%s`', async (name) => {
    const { cacheDirectory, open } = remembering();
    await using bench = await open();
    await bench.failure(`[demo:${name}]`);
    expect(cacheDirectory.files.size).toBe(0);
  });

  it('not when the cache is off', async () => {
    const { cacheDirectory, open } = remembering();
    await using bench = await open({ 'cache.enabled': false });
    await bench.ask('[demo:ok]');
    expect(cacheDirectory.files.size).toBe(0);
  });

  it('and a full disk does not cost the answer', async () => {
    const { cacheDirectory, open } = remembering();
    cacheDirectory.write = async () => {
      throw new Error('disk full');
    };
    await using bench = await open();
    expect((await bench.ask('[demo:ok]')).meta.status).toBe('completed');
    expect(bench.logged.join()).toContain('disk full');
  });
});

describe('identical calls in flight', () => {
  it('share one request', async () => {
    await using bench = await openBench();
    const calls = Array.from({ length: 5 }, () => bench.ask('[demo:search]'));
    const results = await Promise.all(calls);
    expect(new Set(results.map(({ answer }) => answer)).size).toBe(1);
    expect(bench.upstream.requests).toHaveLength(1);
    expect(bench.answerer.totals().calls).toBe(1);
  });

  it('go their own ways when the questions differ', async () => {
    await using bench = await openBench();
    await Promise.all([bench.ask('1 [demo:ok]'), bench.ask('2 [demo:ok]')]);
    expect(bench.upstream.requests).toHaveLength(2);
  });

  it('keep the request alive until the last of them leaves', async () => {
    await using bench = await openBench();
    const callers = [new AbortController(), new AbortController()];
    const calls = callers.map(({ signal }) =>
      bench.answerer
        .ask('answer', { query: '[demo:stall]' }, { signal })
        .catch((error) => error.kind),
    );
    const request = await bench.upstream.arrival(1);
    await request.begun;
    let isOver = false;
    void request.over.then(() => {
      isOver = true;
    });
    callers[0]?.abort();
    expect(await calls[0]).toBe('cancelled');
    expect(bench.answerer.inFlight).toBe(1);
    expect(isOver).toBe(false);
    callers[1]?.abort();
    expect(await calls[1]).toBe('cancelled');
    expect(await request.over).toBe(true);
    expect(bench.answerer.inFlight).toBe(0);
  });
});

describe('progress', () => {
  it('comes from the stream, and none comes after the answer', async () => {
    await using bench = await openBench();
    const reports: ProgressReport[] = [];
    await bench.answerer.ask(
      'answer',
      { query: '[demo:search]' },
      { onProgress: (report) => reports.push(report) },
    );
    expect(reports).toEqual([{ progress: 1, message: 'accepted by demo-model-2026-11-01' }]);
    bench.clock.advance(60_000);
    expect(reports).toHaveLength(1);
  });

  it('is a heartbeat while the upstream is silent', async () => {
    await using bench = await openBench();
    const messages: string[] = [];
    const controller = new AbortController();
    const call = bench.answerer.ask(
      'answer',
      { query: '[demo:hang]' },
      { signal: controller.signal, onProgress: ({ message }) => messages.push(message) },
    );
    await bench.upstream.arrival(1);
    bench.clock.advance(30_000);
    controller.abort();
    await expect(call).rejects.toThrow();
    expect(messages).toEqual(['still working, 10 s', 'still working, 20 s', 'still working, 30 s']);
  });
});

describe('an answerer', () => {
  it('ends everything when it is closed', async () => {
    await using bench = await openBench();
    const call = bench.failure('[demo:stall]');
    const request = await bench.upstream.arrival(1);
    await request.begun;
    await bench.answerer.close();
    expect(await call).toMatchObject({ kind: 'cancelled', message: 'the server is closing' });
    expect(await request.over).toBe(true);
    expect((await bench.failure('[demo:ok]')).kind).toBe('cancelled');
  });

  it('passes on every new answer, and survives a listener that fails', async () => {
    const told: [string, AnswerResult][] = [];
    const onAnswer = (query: string, result: AnswerResult) => {
      told.push([query, result]);
      return Promise.reject(new Error('memory is down'));
    };
    await using bench = await openBench({}, { onAnswer, cacheDirectory: new MemoryDirectory() });
    const result = await bench.ask('[demo:ok]');
    await bench.ask('[demo:ok]');
    await bench.answerer.close();
    expect(told.map(([query]) => query)).toEqual(['[demo:ok]']);
    expect(told[0]?.[1].answer).toBe(result.answer);
    expect(bench.logged.join()).toContain('memory is down');
  });

  it('survives a listener that throws at once', async () => {
    const onAnswer = () => {
      throw new Error('no memory at all');
    };
    await using bench = await openBench({}, { onAnswer });
    expect((await bench.ask('[demo:ok]')).meta.status).toBe('completed');
    await bench.answerer.close();
    expect(bench.logged.join()).toContain('no memory at all');
  });

  it('does not wait for a listener before it answers, only before it closes', async () => {
    let finish = (): void => {};
    const onAnswer = () => new Promise<void>((resolve) => (finish = resolve));
    await using bench = await openBench({}, { onAnswer });
    await bench.ask('[demo:ok]');
    let isClosed = false;
    const closed = bench.answerer.close().then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    finish();
    await closed;
  });

  it('reckons cost when prices are given', async () => {
    const prices = { 'gpt-5.5': { input: 1, cached: 0, output: 10, search: 10 } };
    await using bench = await openBench({ 'budget.prices': prices });
    const { meta } = await bench.ask('[demo:search]');
    expect(meta.cost).toBeCloseTo(0.0001 + 0.00045 + 0.01);
    expect(bench.answerer.totals().cost).toBeCloseTo(meta.cost ?? 0);
  });
});
