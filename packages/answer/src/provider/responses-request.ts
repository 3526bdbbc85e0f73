import type OpenAI from 'openai';
import type { AnswerConfig } from '../config/config.ts';
import { type Droppable, takesManner } from './parameters.ts';
import type { Question } from './question.ts';

/** The body of `POST /responses`, without the parts this upstream was seen to refuse. */
export function responsesRequest(
  question: Question,
  config: AnswerConfig,
  dropped: ReadonlySet<Droppable>,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  const { profile, instructions, text } = question;
  const manner = takesManner(profile.model, config.openai.parameters);
  const search = config.search.mode !== 'off' && !dropped.has('web_search');
  const { maxOutputTokens } = config.request;
  return {
    model: profile.model,
    instructions,
    input: [{ role: 'user', content: [{ type: 'input_text', text }] }],
    ...(search && { tools: [searchTool(question, config, dropped)] }),
    ...(search && config.search.mode === 'required' && { tool_choice: 'required' as const }),
    ...(search && !dropped.has('include') && { include: ['web_search_call.action.sources'] }),
    ...(manner.verbosity &&
      !dropped.has('verbosity') && { text: { verbosity: profile.verbosity } }),
    ...(manner.reasoning &&
      !dropped.has('reasoning') && { reasoning: { effort: profile.reasoningEffort } }),
    ...(maxOutputTokens !== null && { max_output_tokens: maxOutputTokens }),
    ...(!dropped.has('store') && { store: config.openai.store }),
    stream: true,
  };
}

function searchTool(
  { domains }: Question,
  { search }: AnswerConfig,
  dropped: ReadonlySet<Droppable>,
): OpenAI.Responses.WebSearchTool {
  const place = Object.entries(search.location).filter(([, value]) => value !== null);
  return {
    type: 'web_search',
    ...(domains.length > 0 &&
      !dropped.has('filters') && { filters: { allowed_domains: [...domains] } }),
    ...(search.contextSize !== null &&
      !dropped.has('search_context_size') && { search_context_size: search.contextSize }),
    ...(place.length > 0 &&
      !dropped.has('user_location') && {
        user_location: { type: 'approximate' as const, ...Object.fromEntries(place) },
      }),
  };
}
