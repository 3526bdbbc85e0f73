import { describe, expect, it } from 'vitest';
import { openBench } from '../support/bench.ts';

describe('the upstream', () => {
  describe('gives complete answers', () => {
    it.each([
      ['ok', 1],
      ['search', 1],
      ['multi-message', 1],
      ['json', 1],
      ['stays-open', 1],
      ['unsupported', 2],
      ['no-search', 2],
      ['no-responses', 2],
      ['limited', 2],
      ['flaky', 3],
      ['dropped', 2],
      ['cut-early', 2],
    ])('for `%s` after %i requests', async (name, requests) => {
      await using bench = await openBench();
      const result = await bench.ask(`[demo:${name}]`);
      expect(result.answer).not.toBe('');
      expect(result.meta).toMatchObject({ status: 'completed', attempts: requests });
      expect(bench.upstream.requests).toHaveLength(requests);
    });
  });

  describe('fails as what it is', () => {
    it.each([
      ['refusal', 'refusal', false, 1],
      ['empty', 'empty', true, 1],
      ['failed', 'failed', true, 1],
      ['incomplete', 'incomplete', false, 1],
      ['error-event', 'failed', true, 1],
      ['error-data', 'failed', true, 1],
      ['error-body', 'failed', false, 1],
      ['page', 'bad_response', false, 1],
      ['odd-json', 'bad_response', false, 1],
      ['bad', 'bad_request', false, 1],
      ['auth', 'auth', false, 1],
      ['no-model', 'model_not_found', false, 1],
      ['quota', 'quota', false, 1],
      ['broken', 'upstream', true, 4],
      ['broken:408', 'upstream', true, 4],
      ['broken:409', 'upstream', true, 4],
      ['broken:429', 'rate_limit', true, 4],
      ['broken:503', 'upstream', true, 4],
      ['dropped-always', 'connection', true, 4],
      ['cut', 'connection', true, 1],
      ['ends-early', 'connection', true, 1],
      ['garbage', 'bad_response', false, 1],
      ['garbage-event', 'bad_response', false, 1],
    ])(
      'for `%s`: %s, after the right number of requests',
      async (name, kind, retryable, requests) => {
        await using bench = await openBench();
        const error = await bench.failure(`[demo:${name}]`);
        expect(error).toMatchObject({ kind, retryable });
        expect(bench.upstream.requests).toHaveLength(requests);
        expect(bench.answerer.inFlight).toBe(0);
      },
    );
  });

  it('always streams, does not let the provider keep the response, and sends no key it lacks', async () => {
    await using bench = await openBench();
    await bench.ask('[demo:ok]');
    const [request] = bench.upstream.requests;
    expect(request?.body).toMatchObject({ stream: true, store: false });
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('sends the key it has', async () => {
    const deps = { env: { MY_KEY: 'sk-my-own-key-123' } };
    await using bench = await openBench({ 'openai.api_key_env': 'MY_KEY' }, deps);
    await bench.ask('[demo:ok]');
    expect(bench.upstream.requests[0]?.headers['authorization']).toBe('Bearer sk-my-own-key-123');
  });

  describe('as the one owner of retries', () => {
    it.each([
      [0, 1],
      [1, 2],
      [3, 4],
    ])('with %i retries sends %i requests', async (retries, requests) => {
      await using bench = await openBench({ 'request.max_retries': retries });
      await bench.failure('[demo:broken]');
      expect(bench.upstream.requests).toHaveLength(requests);
    });

    it('waits longer each time, by chance', async () => {
      await using bench = await openBench();
      await bench.failure('[demo:broken]');
      const pauses = bench.logged.flatMap((line) => line.match(/next in (\d+) ms/)?.[1] ?? []);
      expect(pauses).toEqual(['185', '370', '740']);
    });

    it('waits as long as the upstream asks', async () => {
      await using bench = await openBench();
      await bench.ask('[demo:limited:7777]');
      expect(bench.clock.skipped).toEqual([7_777]);
    });

    it('does not wait for longer than a caller would', async () => {
      await using bench = await openBench();
      const error = await bench.failure('[demo:limited:90000]');
      expect(error).toMatchObject({ kind: 'rate_limit', hint: 'try again in 90 s' });
      expect(bench.upstream.requests).toHaveLength(1);
    });

    it('does not wait past its deadline', async () => {
      await using bench = await openBench({ 'request.timeout_ms': 5_000 });
      const error = await bench.failure('[demo:limited:5001]');
      expect(error.kind).toBe('rate_limit');
      expect(bench.upstream.requests).toHaveLength(1);
      expect(bench.clock.skipped).toEqual([]);
    });

    it('stops at once when the call is cancelled during a pause', async () => {
      // 10,000 is the length of a guard, so the clock does not skip it.
      await using bench = await openBench();
      const controller = new AbortController();
      const call = bench.answerer.ask(
        'answer',
        { query: '[demo:limited:10000]' },
        { signal: controller.signal },
      );
      await bench.upstream.arrival(1);
      await bench.clock.timerSet(10_000);
      controller.abort();
      await expect(call).rejects.toMatchObject({ kind: 'cancelled' });
      expect(bench.upstream.requests).toHaveLength(1);
    });
  });

  describe('bounded in time', () => {
    it.each(['hang', 'stall-early', 'stall'])('ends `%s` by the limit on silence', async (name) => {
      await using bench = await openBench();
      const call = bench.failure(`[demo:${name}]`);
      const request = await bench.upstream.arrival(1);
      if (name !== 'hang') await request.begun;
      bench.clock.advance(180_000);
      expect(await call).toMatchObject({ kind: 'idle', retryable: true });
      expect(await request.over).toBe(true);
      expect(bench.upstream.requests).toHaveLength(1);
    });

    it('ends the whole call by its deadline and says which limit it was', async () => {
      await using bench = await openBench({
        'request.idle_timeout_ms': 300_000,
        'request.timeout_ms': 120_000,
      });
      const call = bench.failure('[demo:stall]');
      const request = await bench.upstream.arrival(1);
      bench.clock.advance(120_000);
      expect(await call).toMatchObject({
        kind: 'timeout',
        message: 'no complete answer within 120000 ms',
        hint: expect.stringContaining('request.timeout_ms'),
      });
      expect(await request.over).toBe(true);
    });

    it('leaves no timer behind', async () => {
      await using bench = await openBench();
      await bench.ask('[demo:ok]');
      await bench.failure('[demo:refusal]');
      // What may remain are the limits on reading a finished stream to its end.
      expect(bench.clock.pending.filter((ms) => ms !== 1_000)).toEqual([]);
    });
  });

  it('closes the connection when the call is cancelled', async () => {
    await using bench = await openBench();
    const controller = new AbortController();
    const { signal } = controller;
    const call = bench.answerer.ask('answer', { query: '[demo:stall]' }, { signal });
    const request = await bench.upstream.arrival(1);
    await request.begun;
    controller.abort(new Error('the client left'));
    await expect(call).rejects.toMatchObject({
      kind: 'cancelled',
      message: 'the call was cancelled',
    });
    expect(await request.over).toBe(true);
    expect(bench.answerer.inFlight).toBe(0);
  });

  it('uses one connection for one question after another', async () => {
    await using bench = await openBench();
    for (let n = 0; n < 3; n++) {
      await bench.ask(`${n} [demo:ok]`);
      // The rest of the stream is read in the background; let that happen.
      await bench.upstream.requests[n]?.over;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bench.upstream.requests).toHaveLength(3);
    expect(bench.upstream.connections).toBe(1);
  });

  it('cuts a stream that stays open after the answer', async () => {
    await using bench = await openBench();
    await bench.ask('[demo:stays-open]');
    const [request] = bench.upstream.requests;
    await bench.clock.timerSet(1_000);
    bench.clock.advance(1_000);
    expect(await request?.over).toBe(true);
  });

  describe('learns what an upstream refuses', () => {
    it('leaves a refused parameter out, once and for all', async () => {
      await using bench = await openBench();
      await bench.ask('1 [demo:unsupported]');
      await bench.ask('2 [demo:unsupported]');
      const efforts = bench.upstream.requests.map(({ body }) => body['reasoning'] !== undefined);
      expect(efforts).toEqual([true, false, false]);
      expect(bench.logged.filter((line) => line.includes('refused `reasoning`'))).toHaveLength(1);
    });

    it('insists where the configuration says `always`', async () => {
      await using bench = await openBench({ 'openai.parameters': 'always' });
      expect((await bench.failure('[demo:unsupported]')).kind).toBe('bad_request');
      expect(bench.upstream.requests).toHaveLength(1);
    });

    it('does not give up a search that is required', async () => {
      await using bench = await openBench({ 'search.mode': 'required' });
      expect((await bench.failure('[demo:no-search]')).kind).toBe('bad_request');
      expect((await bench.failure('[demo:no-responses]')).status).toBe(404);
    });

    it('stays with chat completions once it had to fall back', async () => {
      await using bench = await openBench();
      const first = await bench.ask('1 [demo:no-responses]');
      const second = await bench.ask('2 [demo:no-responses]');
      expect(bench.upstream.requests.map(({ path }) => path)).toEqual([
        '/responses',
        '/chat/completions',
        '/chat/completions',
      ]);
      expect(first.meta).toMatchObject({
        provider: 'openai-chat',
        resolved_model: 'demo-chat-model',
      });
      expect(second.meta.usage).toEqual({ input: 30, cached: 0, output: 9, reasoning: 0 });
    });

    it('does not fall back when told to speak the Responses API only', async () => {
      await using bench = await openBench({ 'openai.api': 'responses' });
      expect((await bench.failure('[demo:no-responses]')).status).toBe(404);
      expect(bench.upstream.requests).toHaveLength(1);
    });

    it('speaks chat completions at once when told to', async () => {
      await using bench = await openBench({ 'openai.api': 'chat' });
      await bench.ask('[demo:ok]');
      expect(bench.upstream.requests.map(({ path }) => path)).toEqual(['/chat/completions']);
    });

    it('reports a cut chat answer as incomplete', async () => {
      await using bench = await openBench({ 'openai.api': 'chat' });
      const error = await bench.failure('[demo:ok:length]');
      expect(error).toMatchObject({ kind: 'incomplete', partial: expect.stringContaining('404') });
    });
  });

  it('tells the asker about retries', async () => {
    await using bench = await openBench();
    const messages: string[] = [];
    await bench.answerer.ask(
      'answer',
      { query: '[demo:flaky]' },
      { onProgress: ({ message }) => messages.push(message) },
    );
    expect(messages[0]).toBe('retrying after: 500 Try again.');
  });
});
