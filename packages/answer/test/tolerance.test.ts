import fc from 'fast-check';
import { nearestName } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { citationsOf, usedSearch } from '../src/answer/citations.ts';
import { cleanUrl } from '../src/answer/clean-url.ts';
import { countSearches } from '../src/answer/search-sources.ts';
import { AnswerError } from '../src/answer-error.ts';
import { ConfigError } from '../src/config/config-error.ts';
import { readFlagLayer } from '../src/config/flag-layer.ts';
import { settings } from '../src/config/settings.ts';
import { readChatStream } from '../src/provider/chat-reader.ts';
import { classifyFailure } from '../src/provider/classify-failure.ts';
import { textParts } from '../src/provider/output-text.ts';
import { readResponsesStream } from '../src/provider/responses-reader.ts';
import { settleResponse, usageOf } from '../src/provider/settle-response.ts';
import { redact } from '../src/redact.ts';
import { load } from './support/config.ts';

// Upstreams differ and files are written by hand: nothing from outside may bring the server down.

const options = { maxCitations: 5, dates: 'known', today: '2026-11-16' } as const;
const word = fc.constantFrom(
  'type',
  'text',
  'url',
  'output',
  'content',
  'message',
  'status',
  'error',
  'action',
  'sources',
  'annotations',
  'url_citation',
  'web_search_call',
  'output_text',
  'refusal',
  'response',
  'response.completed',
  'response.output_item.done',
  'response.output_text.delta',
  'item',
  'delta',
  'choices',
  'finish_reason',
  'usage',
  'input_tokens',
  'https://example.com/?utm_source=openai',
  'start_index',
);
/** JSON that looks like what upstreams send, but is arranged at random. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6 },
    word,
    fc.integer(),
    fc.constantFrom(null, true, '', -1, 1e99),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(word, tie('json'), { maxKeys: 5 }),
  ),
}));

async function* from(events: readonly unknown[]): AsyncGenerator<unknown> {
  yield* events;
}

describe('whatever an upstream sends', () => {
  it.each([
    ['Responses API', readResponsesStream],
    ['chat completions', readChatStream],
  ])('the %s reader gives a response or an `AnswerError`', async (_, read) => {
    await fc.assert(
      fc.asyncProperty(fc.array(json, { maxLength: 8 }), async (events) => {
        try {
          const response = await read(from(events), ({ message }) => {
            expect(typeof message).toBe('string');
          });
          usageOf(response);
          settleResponse(response);
        } catch (error) {
          expect(error).toBeInstanceOf(AnswerError);
        }
      }),
    );
  });

  it('citations come out well-formed or not at all', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 6 }), (output) => {
        const last = textParts(output).at(-1);
        const length = last === undefined ? 0 : last.offset + last.text.length;
        const citations = citationsOf(output, options);
        expect(citations.length).toBeLessThanOrEqual(5);
        for (const { url, spans = [] } of citations) {
          expect(url.trim()).not.toBe('');
          for (const [start, end] of spans) {
            expect(start).toBeLessThan(end);
            expect(end).toBeLessThanOrEqual(length);
          }
        }
        if (citations.length > 0) expect(usedSearch(output)).toBe(true);
        expect(countSearches(output)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('a failure is told as an `AnswerError` without the key', () => {
    const key = 'k3y-of-no-known-shape';
    const { signal } = new AbortController();
    fc.assert(
      fc.property(
        fc.string(),
        fc.option(fc.integer({ min: 100, max: 599 })),
        json,
        (text, status, error) => {
          const failure = Object.assign(new Error(`${text}${key}${text}`), {
            ...(status !== null && { status }),
            error,
          });
          const told = classifyFailure(failure, { signal, secrets: [key], now: 0 });
          expect(told).toBeInstanceOf(AnswerError);
          expect(told.message).not.toContain(key);
        },
      ),
    );
  });
});

describe('whatever a person writes', () => {
  it('a file gives a configuration or a `ConfigError` that names it', async () => {
    const key = fc.constantFrom(...settings.flatMap(({ path }) => path.split('.')), 'oops');
    const line = fc.tuple(fc.nat(3), key, fc.oneof(fc.string(), key, fc.integer().map(String)));
    const yaml = fc
      .array(line, { maxLength: 8 })
      .map((lines) =>
        lines.map(([depth, name, value]) => `${'  '.repeat(depth)}${name}: ${value}`).join('\n'),
      );
    await fc.assert(
      fc.asyncProperty(yaml, async (text) => {
        try {
          const { config } = await load({ yaml: text });
          expect(config.request.timeoutMs).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          expect(String(error)).toContain('answer.yaml');
        }
      }),
    );
  });

  it('a command line is read to its end', () => {
    const flag = fc.constantFrom(
      ...settings.flatMap(({ flag: name }) => name ?? []),
      '--set',
      '--debug',
      '--config',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(flag, fc.string()), { maxLength: 8 }), (argv) => {
        const { assignments, issues } = readFlagLayer(argv);
        for (const { path, value } of assignments) {
          const setting = settings.find((one) => one.path === path);
          expect(setting?.expects.accepts(value)).toBe(true);
        }
        for (const { problem } of issues) expect(problem).not.toBe('');
      }),
    );
  });

  it('the nearest name to a name is that name', () => {
    const names = settings.map(({ path }) => path);
    for (const name of names) expect(nearestName(name, names)).toBe(name);
  });
});

describe('cleaning', () => {
  it('is done after the first time', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const url = `https://example.com/?a=${encodeURIComponent(text)}&utm_source=openai`;
        expect(cleanUrl(cleanUrl(url))).toBe(cleanUrl(url));
        expect(redact(redact(text))).toBe(redact(text));
      }),
    );
  });
});
