import { AnswerError } from '../answer-error.ts';
import { type LooseObject, objectOf, textOf } from '../loose-json.ts';
import { bodyError } from './classify-failure.ts';
import type { UpstreamEvent } from './question.ts';

/** Reads a Responses API stream up to its terminal event and gives the whole response. */
export async function readResponsesStream(
  events: AsyncIterable<unknown>,
  onEvent: (event: UpstreamEvent) => void,
): Promise<LooseObject> {
  const items: unknown[] = [];
  let written = 0;
  for await (const raw of events) {
    const event = objectOf(raw);
    const type = textOf(event['type']) ?? '';
    // Reading stops here, so that a late deadline cannot discard an answer that is complete.
    if (terminal.has(type)) return withItems(objectOf(event['response']), items);
    if (type === 'error') throw bodyError({ ...event, type: undefined });
    // A gateway that ignores `stream` sends the response itself.
    if (type === '' && textOf(event['object']) === 'response') return event;
    if (type === 'response.output_item.done') items.push(event['item']);
    if (type === 'response.output_text.delta') written += textOf(event['delta'])?.length ?? 0;
    const message = messageFor(type, event, written);
    if (message !== undefined) onEvent({ message, isOutput: outputTypes.has(type) });
  }
  throw new AnswerError('connection', 'the stream ended before the answer was complete', {
    retryable: true,
  });
}

const terminal: ReadonlySet<string> = new Set([
  'response.completed',
  'response.failed',
  'response.incomplete',
  'response.cancelled',
]);

const outputTypes: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.output_text.annotation.added',
]);

function messageFor(type: string, event: LooseObject, written: number): string | undefined {
  switch (type) {
    case 'response.created': {
      const model = textOf(objectOf(event['response'])['model']);
      return `accepted by ${model ?? 'the model'}`;
    }
    case 'response.reasoning_summary_text.done':
      return `thinking: ${firstLine(textOf(event['text']) ?? '')}`;
    case 'response.web_search_call.searching':
      return 'searching the web';
    case 'response.output_item.done':
      return searchMessage(objectOf(event['item']));
    case 'response.output_text.delta':
      return `writing, ${written} characters`;
    case 'response.refusal.delta':
      return 'declining';
    case 'response.output_text.annotation.added':
      return citeMessage(objectOf(event['annotation']));
    default:
      return undefined;
  }
}

function searchMessage(item: LooseObject): string | undefined {
  if (item['type'] !== 'web_search_call') return undefined;
  const action = objectOf(item['action']);
  const url = textOf(action['url']);
  if (url !== undefined) return `opened ${hostOf(url)}`;
  const query = textOf(action['query']);
  return query === undefined ? 'searched the web' : `searched "${firstLine(query)}"`;
}

function citeMessage(annotation: LooseObject): string | undefined {
  const nested = objectOf(annotation['url_citation']);
  const url = textOf(annotation['url']) ?? textOf(nested['url']);
  return url === undefined ? undefined : `cites ${hostOf(url)}`;
}

/** Some servers leave `output` out of the last event, having sent the items one by one. */
function withItems(response: LooseObject, items: readonly unknown[]): LooseObject {
  const output = response['output'];
  return Array.isArray(output) && output.length > 0 ? response : { ...response, output: items };
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
