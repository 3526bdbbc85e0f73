import type { LooseObject } from '../loose-json.ts';

/** A response as the Responses API words it. */
export function responseObject(
  output: readonly LooseObject[],
  extra: LooseObject = {},
): LooseObject {
  return {
    id: 'resp_demo',
    object: 'response',
    status: 'completed',
    model: 'demo-model-2026-11-01',
    output,
    usage: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 20 },
      output_tokens: 45,
      output_tokens_details: { reasoning_tokens: 12 },
      total_tokens: 165,
    },
    ...extra,
  };
}

/** A message item with one text part. */
export function message(text: string, annotations: readonly LooseObject[] = []): LooseObject {
  return {
    id: 'msg_demo',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations }],
  };
}

/** A finished search. */
export function search(action: LooseObject): LooseObject {
  return { id: 'ws_demo', type: 'web_search_call', status: 'completed', action };
}

/** A citation of the part of `text` that reads `quoted`. */
export function cite(text: string, quoted: string, url: string, title: string): LooseObject {
  const start = text.indexOf(quoted);
  return {
    type: 'url_citation',
    url,
    title,
    start_index: start,
    end_index: start + quoted.length,
  };
}

/** The events that lead to a response, terminal one included. */
export function eventsFor(response: LooseObject): readonly LooseObject[] {
  const output = response['output'] as readonly LooseObject[];
  const terminal = `response.${String(response['status'])}`;
  const opening = { ...response, status: 'in_progress', output: [] };
  return [
    { type: 'response.created', response: opening },
    { type: 'response.in_progress', response: opening },
    ...output.flatMap(eventsForItem),
    { type: terminal, response },
  ];
}

function eventsForItem(item: LooseObject, index: number): readonly LooseObject[] {
  const at = { output_index: index, item_id: item['id'] };
  const frame = (inner: readonly LooseObject[]): readonly LooseObject[] => [
    { type: 'response.output_item.added', output_index: index, item: { ...item, content: [] } },
    ...inner,
    { type: 'response.output_item.done', output_index: index, item },
  ];
  if (item['type'] === 'web_search_call') {
    return frame(
      ['in_progress', 'searching', 'completed'].map((phase) => ({
        type: `response.web_search_call.${phase}`,
        ...at,
      })),
    );
  }
  const parts = (item['content'] ?? []) as readonly LooseObject[];
  return frame(parts.flatMap((part) => eventsForPart(part, at)));
}

function eventsForPart(part: LooseObject, at: LooseObject): readonly LooseObject[] {
  if (part['type'] === 'refusal') {
    return [{ type: 'response.refusal.delta', delta: part['refusal'], ...at }];
  }
  const text = String(part['text']);
  const annotations = part['annotations'] as readonly LooseObject[];
  return [
    ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', delta, ...at })),
    ...annotations.map((annotation) => ({
      type: 'response.output_text.annotation.added',
      annotation,
      ...at,
    })),
    { type: 'response.output_text.done', text, ...at },
  ];
}

/** A text cut into words, as models send it. */
export function pieces(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
