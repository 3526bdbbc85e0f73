import { type LooseObject, objectOf } from '../loose-json.ts';
import type { Exchange } from './exchange.ts';
import { cite, eventsFor, message, pieces, responseObject, search } from './stream-script.ts';

/** How the demo upstream behaves towards one question. */
export type Scenario = (exchange: Exchange) => void;

const page = 'https://example.com/guide';
const plainText = 'HTTP 404 means that the server found nothing at this address.';
const sources = [
  { type: 'url', url: page, title: 'A guide', published_at: '2026-10-02T08:00:00Z' },
  { type: 'url', url: 'https://example.org/notes' },
];

/** Every scenario by name; a question picks one with the marker `[demo:name]`. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  // Answers that arrive whole.
  ok: (x) => reply(x, [message(plainText)]),
  search: (x) => reply(x, searched(`You asked: ${x.query.trim()}. The guide has the answer.`)),
  'sources-only': (x) =>
    reply(x, [search({ type: 'search', query: 'q', sources }), message('Found.')]),
  'api-source': (x) =>
    reply(x, [
      search({ type: 'search', query: 'weather', sources: [{ type: 'api', name: 'oai-weather' }] }),
      message('It rains.', [cite('It rains.', 'rains', page, 'A guide')]),
    ]),
  'open-page': (x) =>
    reply(x, [search({ type: 'open_page', url: page }), message('I read the page.')]),
  'empty-search': (x) =>
    reply(x, [search({ type: 'search', query: 'q', sources: [] }), message('Nothing found.')]),
  'own-sources': (x) => reply(x, searched(`The guide has the answer.\n\nSources:\n- ${page}`)),
  'own-sources-dated': (x) =>
    reply(x, searched(`The guide has the answer.\n\nSources:\n- ${page} (2026-10-02)`)),
  'multi-message': (x) =>
    reply(x, [
      message('Part one.'),
      message('Part two.', [cite('Part two.', 'two', page, 'A guide')]),
    ]),
  unlisted: (x) =>
    reply(x, [
      search({ type: 'search', query: 'q', sources }),
      message('Elsewhere.', [cite('Elsewhere.', 'Else', 'https://other.example/', 'Other')]),
    ]),
  json: (x) => x.json(200, responseObject([message(plainText)])),

  // Answers that are none.
  refusal: (x) => reply(x, [refusal("I can't help with that.")]),
  empty: (x) => reply(x, []),
  failed: (x) => {
    const error = { code: 'server_error', message: 'The model had an error.' };
    reply(x, [], { status: 'failed', error });
  },
  incomplete: (x) => {
    const details = { reason: 'max_output_tokens' };
    reply(x, [message('The first half')], { status: 'incomplete', incomplete_details: details });
  },
  'error-event': (x) => {
    x.events([{ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.' }]);
    x.end();
  },

  'error-data': (x) => {
    x.events([{ error: { code: 'overloaded', message: 'Come back later.' } }]);
    x.end();
  },
  'error-body': (x) => x.json(200, { error: { message: 'No credit.', type: 'billing' } }),
  page: (x) => x.raw(200, '<html>Log in</html>', { 'content-type': 'text/html' }),
  'odd-json': (x) => x.json(200, { hello: 'world' }),

  // Refusals by status.
  unsupported: (x) => {
    if (objectOf(x.body['reasoning'])['effort'] === undefined) return scenario('ok')(x);
    const message = "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
    fail(x, 400, { message, param: 'reasoning.effort', code: 'unsupported_parameter' });
  },
  'no-search': (x) => {
    if (x.body['tools'] === undefined) return scenario('ok')(x);
    fail(x, 400, { message: "Unknown tool type: 'web_search'.", param: 'tools[0].type' });
  },
  bad: (x) =>
    fail(x, 400, { message: 'The question is malformed.', type: 'invalid_request_error' }),
  auth: (x) => {
    const message = `Incorrect API key provided: ${x.argument || 'sk-demo7f3a9c0e51d2b684'}.`;
    fail(x, 401, { message, code: 'invalid_api_key' });
  },
  'no-model': (x) =>
    fail(x, 404, { message: 'The model does not exist.', code: 'model_not_found' }),
  quota: (x) => fail(x, 429, { message: 'You ran out of quota.', code: 'insufficient_quota' }),
  'no-responses': (x) => {
    if (x.path === '/chat/completions') return scenario('ok')(x);
    x.raw(404, '404 page not found', { 'content-type': 'text/plain' });
  },

  // Trouble that may pass.
  limited: (x) => {
    if (x.earlier > 0) return scenario('ok')(x);
    fail(x, 429, { message: 'Slow down.' }, { 'retry-after-ms': x.argument || '1500' });
  },
  flaky: (x) => (x.earlier < 2 ? fail(x, 500, { message: 'Try again.' }) : scenario('ok')(x)),
  broken: (x) => fail(x, Number(x.argument || 500), { message: 'The server is broken.' }),
  dropped: (x) => (x.earlier > 0 ? scenario('ok')(x) : x.drop()),
  'dropped-always': (x) => x.drop(),
  garbage: (x) => x.raw(200, '{"id": "resp', { 'content-type': 'application/json' }),
  'garbage-event': (x) => {
    x.events([]);
    x.text('data: {"type": "resp\n\n');
    x.end();
  },

  // Streams that misbehave in time.
  hang: () => {},
  stall: (x) => x.events(beginning()),
  'stall-early': (x) => x.events(beginning().slice(0, 2)),
  cut: (x) => {
    x.events(beginning());
    dropLater(x);
  },
  'cut-early': (x) => {
    if (x.earlier > 0) return scenario('ok')(x);
    x.events(beginning().slice(0, 2));
    dropLater(x);
  },
  'ends-early': (x) => {
    x.events(beginning());
    x.end();
  },
  'stays-open': (x) => x.events(eventsFor(responseObject([message(plainText)]))),
  drip: (x) => drip(x, eventsFor(responseObject(searched(plainText)))),
};

/** A scenario by name; unknown names answer like a search. */
export function scenario(name: string): Scenario {
  const found = Object.hasOwn(scenarios, name) ? scenarios[name] : scenarios['search'];
  return found ?? (() => {});
}

function reply(exchange: Exchange, output: readonly LooseObject[], extra: LooseObject = {}): void {
  const response = responseObject(output, extra);
  if (exchange.path === '/chat/completions') {
    chat(exchange, output);
  } else if (exchange.body['stream'] === true) {
    exchange.events(eventsFor(response));
    exchange.end();
  } else {
    exchange.json(200, response);
  }
}

function chat(exchange: Exchange, output: readonly LooseObject[]): void {
  const texts = output.flatMap((item) => (item['content'] ?? []) as readonly LooseObject[]);
  const text = texts.map((part) => String(part['text'] ?? '')).join('\n\n');
  const chunk = (delta: LooseObject, finish: string | null): LooseObject => ({
    object: 'chat.completion.chunk',
    model: 'demo-chat-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const deltas = pieces(text).map((content) => chunk({ content }, null));
  const usage = { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 };
  exchange.events([
    ...deltas,
    chunk({}, exchange.argument === 'length' ? 'length' : 'stop'),
    { object: 'chat.completion.chunk', choices: [], usage },
  ]);
  exchange.text('data: [DONE]\n\n');
  exchange.end();
}

function fail(
  exchange: Exchange,
  status: number,
  error: LooseObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  exchange.json(status, { error }, headers);
}

function searched(text: string): readonly LooseObject[] {
  const url = `${page}?utm_source=openai`;
  return [
    search({ type: 'search', query: 'how does it work', sources }),
    message(text, [cite(text, text.slice(0, 9), url, 'A guide')]),
  ];
}

function refusal(text: string): LooseObject {
  return { id: 'msg', type: 'message', content: [{ type: 'refusal', refusal: text }] };
}

/** Events of an answer that has begun but is far from done. */
function beginning(): readonly LooseObject[] {
  const events = eventsFor(responseObject([message(plainText)]));
  return events.slice(0, events.findIndex(({ type }) => type === 'response.output_text.delta') + 2);
}

/** Breaks the connection once the client has had time to read: a break discards what is unread. */
function dropLater(exchange: Exchange): void {
  setTimeout(() => exchange.drop(), 50);
}

/** One event at a time, as many milliseconds apart as the marker says. */
function drip(exchange: Exchange, events: readonly LooseObject[]): void {
  const [first, ...rest] = events;
  if (exchange.isOver || first === undefined) {
    exchange.end();
    return;
  }
  exchange.events([first]);
  setTimeout(() => drip(exchange, rest), Number(exchange.argument || 200));
}
