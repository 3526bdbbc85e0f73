import type OpenAI from 'openai';
import type { AnswerConfig } from '../config/config.ts';
import type { Droppable } from './parameters.ts';
import type { Question } from './question.ts';

/**
 * The body of `POST /chat/completions`, for servers without the Responses API. It keeps to what
 * every such server knows, unless `openai.parameters` is `always`.
 */
export function chatRequest(
  { profile, instructions, text }: Question,
  config: AnswerConfig,
  dropped: ReadonlySet<Droppable>,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const sendManner = config.openai.parameters === 'always';
  const { maxOutputTokens } = config.request;
  return {
    model: profile.model,
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: text },
    ],
    ...(sendManner && !dropped.has('reasoning') && { reasoning_effort: profile.reasoningEffort }),
    ...(sendManner && !dropped.has('verbosity') && { verbosity: profile.verbosity }),
    ...(maxOutputTokens !== null && { max_tokens: maxOutputTokens }),
    ...(!dropped.has('stream_options') && { stream_options: { include_usage: true } }),
    stream: true,
  };
}
