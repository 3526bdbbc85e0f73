import { describe, expect, it } from 'vitest';
import { eventsFor, message, responseObject, search } from '../../src/demo/stream-script.ts';
import { readChatStream } from '../../src/provider/chat-reader.ts';
import { outputText, refusalText, textParts } from '../../src/provider/output-text.ts';
import type { UpstreamEvent } from '../../src/provider/question.ts';
import { readResponsesStream } from '../../src/provider/responses-reader.ts';
import { settleResponse, usageOf } from '../../src/provider/settle-response.ts';

async function* from(events: readonly unknown[]): AsyncGenerator<unknown> {
  yield* events;
}

describe('readResponsesStream', () => {
  it('tells what happens while it happens', async () => {
    const seen: UpstreamEvent[] = [];
    const events = [
      ...eventsFor(
        responseObject([
          search({ type: 'search', query: 'tin cans\nand more' }),
          search({ type: 'open_page', url: 'https://example.com/a' }),
          message('One two.', [{ type: 'url_citation', url: 'https://example.com/a' }]),
        ]),
      ),
    ];
    events.splice(2, 0, { type: 'response.reasoning_summary_text.done', text: 'Weighing it' });
    await readResponsesStream(from(events), (event) => seen.push(event));
    expect(seen.map((event) => event.message)).toEqual([
      'accepted by demo-model-2026-11-01',
      'thinking: Weighing it',
      'searching the web',
      'searched "tin cans"',
      'searching the web',
      'opened example.com',
      'writing, 4 characters',
      'writing, 8 characters',
      'cites example.com',
    ]);
    expect(seen.map(({ isOutput }) => isOutput).indexOf(true)).toBe(6);
  });

  it('stops at the terminal event', async () => {
    let isReadOn = false;
    async function* endless(): AsyncGenerator<unknown> {
      yield* eventsFor(responseObject([message('Done.')]));
      isReadOn = true;
    }
    const response = await readResponsesStream(endless(), () => {});
    expect(response['status']).toBe('completed');
    expect(isReadOn).toBe(false);
  });

  it('gathers items when the last event leaves them out', async () => {
    const events = eventsFor(responseObject([message('Whole.')])).map((event) =>
      event['type'] === 'response.completed'
        ? { type: 'response.completed', response: { status: 'completed', output: [] } }
        : event,
    );
    const response = await readResponsesStream(from(events), () => {});
    expect(outputText(response['output'] as unknown[])).toBe('Whole.');
  });

  it('ignores events it does not know and values that are no events', async () => {
    const odd = [null, 5, 'x', [], { type: 'response.future_thing' }, { type: 3 }];
    const response = await readResponsesStream(
      from([...odd, ...eventsFor(responseObject([message('Fine.')]))]),
      () => {},
    );
    expect(response['status']).toBe('completed');
  });

  it('fails when the stream ends without a terminal event', async () => {
    await expect(readResponsesStream(from([]), () => {})).rejects.toMatchObject({
      kind: 'connection',
      retryable: true,
    });
  });

  it.each([
    [{ type: 'error', code: 'server_error', message: 'Oops' }, 'server_error: Oops', true],
    [{ type: 'error', code: 'invalid_prompt', message: 'No' }, 'invalid_prompt: No', false],
    [{ type: 'error' }, 'the upstream reported an error', true],
  ])('throws an error event (%#)', async (event, message, retryable) => {
    await expect(readResponsesStream(from([event]), () => {})).rejects.toMatchObject({
      kind: 'failed',
      message,
      retryable,
    });
  });
});

describe('readChatStream', () => {
  const chunk = (delta: object, finish: string | null = null) => ({
    model: 'm',
    choices: [{ delta, finish_reason: finish }],
  });

  it('gives a response of the Responses API', async () => {
    const annotation = { type: 'url_citation', url_citation: { url: 'https://a.com' } };
    const response = await readChatStream(
      from([
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo', annotations: [annotation] }),
        chunk({}, 'stop'),
        { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
      ]),
      () => {},
    );
    expect(outputText(response['output'] as unknown[])).toBe('Hello');
    expect(textParts(response['output'] as unknown[])[0]?.annotations).toEqual([annotation]);
    expect(usageOf(response)).toEqual({ input: 3, cached: 0, output: 2, reasoning: 0 });
    expect(response['status']).toBe('completed');
  });

  it('reads a whole completion where `stream` was ignored', async () => {
    const whole = {
      model: 'm',
      choices: [{ message: { content: 'All.' }, finish_reason: 'stop' }],
    };
    const response = await readChatStream(from([whole]), () => {});
    expect(outputText(response['output'] as unknown[])).toBe('All.');
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('marks an answer cut by `%s` as incomplete', async (finish, reason) => {
    const events = [chunk({ content: 'Half' }), chunk({}, finish)];
    const response = await readChatStream(from(events), () => {});
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason } });
  });

  it('keeps a refusal apart from text', async () => {
    const events = [chunk({ refusal: 'No, ' }), chunk({ refusal: 'sorry.' }, 'stop')];
    const response = await readChatStream(from(events), () => {});
    expect(refusalText(response['output'] as unknown[])).toBe('No, sorry.');
  });

  it('fails when the stream ends without a reason', async () => {
    await expect(readChatStream(from([chunk({ content: 'x' })]), () => {})).rejects.toMatchObject({
      kind: 'connection',
    });
  });
});

describe('settleResponse', () => {
  it.each([
    ['failed', { status: 'failed', error: { code: 'server_error', message: 'x' } }, 'failed', true],
    [
      'failed for good',
      { status: 'failed', error: { code: 'bad', message: 'x' } },
      'failed',
      false,
    ],
    ['cancelled', { status: 'cancelled' }, 'failed', false],
    ['incomplete', { status: 'incomplete' }, 'incomplete', false],
    ['still queued', { status: 'queued' }, 'incomplete', false],
    ['empty', { status: 'completed', output: [] }, 'empty', true],
    ['nothing at all', {}, 'empty', true],
  ])('throws what is %s', (_, response, kind, retryable) => {
    expect(() => settleResponse(response)).toThrow(expect.objectContaining({ kind, retryable }));
  });

  it('keeps the text of a cut answer, which was paid for', () => {
    const response = responseObject([message('Half an')], {
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    });
    expect(() => settleResponse(response)).toThrow(
      expect.objectContaining({ partial: 'Half an', hint: 'rephrase the question' }),
    );
  });

  it('lets a complete one through', () => {
    expect(settleResponse(responseObject([message('Yes.')]))).toHaveLength(1);
  });
});

describe('usageOf', () => {
  it('takes missing or odd counts for zero', () => {
    expect(usageOf({ usage: { input_tokens: -1, output_tokens: 'x' } })).toEqual({
      input: 0,
      cached: 0,
      output: 0,
      reasoning: 0,
    });
  });
});
