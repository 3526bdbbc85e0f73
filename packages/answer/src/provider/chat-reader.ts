import { AnswerError } from '../answer-error.ts';
import { type LooseObject, listOf, objectOf, textOf } from '../loose-json.ts';
import type { UpstreamEvent } from './question.ts';

/** Reads a chat completions stream and gives it as a response of the Responses API. */
export async function readChatStream(
  chunks: AsyncIterable<unknown>,
  onEvent: (event: UpstreamEvent) => void,
): Promise<LooseObject> {
  const state = { text: '', refusal: '', finish: '', model: '', annotations: [] as unknown[] };
  let usage: LooseObject = {};
  for await (const raw of chunks) {
    const chunk = objectOf(raw);
    const choice = objectOf(listOf(chunk['choices'])[0]);
    // A server that ignores `stream` puts the whole text under `message`.
    const delta = objectOf(choice['delta'] ?? choice['message']);
    if (state.model === '' && textOf(chunk['model'])) {
      state.model = String(chunk['model']);
      onEvent({ message: `accepted by ${state.model}`, isOutput: false });
    }
    if (typeof delta['content'] === 'string' && delta['content'] !== '') {
      state.text += delta['content'];
      onEvent({ message: `writing, ${state.text.length} characters`, isOutput: true });
    }
    if (typeof delta['refusal'] === 'string') state.refusal += delta['refusal'];
    state.annotations.push(...listOf(delta['annotations']));
    state.finish = textOf(choice['finish_reason']) ?? state.finish;
    if (chunk['usage'] !== undefined && chunk['usage'] !== null) usage = objectOf(chunk['usage']);
  }
  if (state.finish === '') {
    throw new AnswerError('connection', 'the stream ended before the answer was complete', {
      retryable: true,
    });
  }
  return asResponse(state, usage);
}

function asResponse(
  state: {
    readonly text: string;
    readonly refusal: string;
    readonly finish: string;
    readonly model: string;
    readonly annotations: readonly unknown[];
  },
  usage: LooseObject,
): LooseObject {
  const { text, refusal, finish, model, annotations } = state;
  const reason = finish === 'length' ? 'max_output_tokens' : finish;
  const isCut = finish === 'length' || finish === 'content_filter';
  const content =
    refusal === '' ? [{ type: 'output_text', text, annotations }] : [{ type: 'refusal', refusal }];
  return {
    object: 'response',
    model,
    status: isCut ? 'incomplete' : 'completed',
    ...(isCut && { incomplete_details: { reason } }),
    output: [{ type: 'message', role: 'assistant', content }],
    usage: {
      input_tokens: usage['prompt_tokens'],
      input_tokens_details: usage['prompt_tokens_details'],
      output_tokens: usage['completion_tokens'],
      output_tokens_details: usage['completion_tokens_details'],
    },
  };
}
