import type { AnswerError } from '../answer-error.ts';
import type { AnswerConfig } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import { UpstreamFailure } from './classify-failure.ts';
import { type Droppable, rejectedPart } from './parameters.ts';

/** What has been found out about an upstream; it is asked once and remembered for the session. */
export interface Negotiation {
  readonly api: 'responses' | 'chat';
  droppedFor(model: string): ReadonlySet<Droppable>;
  /** Takes a refusal into account; true when the request should be sent again, changed. */
  learn(error: AnswerError, model: string): boolean;
}

/** Starts with the full request to the Responses API and gives up only what is refused. */
export function createNegotiation(config: AnswerConfig, logger: Logger): Negotiation {
  let api: 'responses' | 'chat' = config.openai.api === 'chat' ? 'chat' : 'responses';
  const dropped = new Map<string, Set<Droppable>>();
  const partsFor = (model: string): Set<Droppable> => {
    const parts = dropped.get(model) ?? new Set();
    dropped.set(model, parts);
    return parts;
  };
  return {
    get api() {
      return api;
    },
    droppedFor: partsFor,
    learn(error, model) {
      if (!(error instanceof UpstreamFailure)) return false;
      if (api === 'responses' && config.openai.api === 'auto' && isMissingRoute(error)) {
        // Forced search exists in the Responses API alone.
        if (config.search.mode === 'required') return false;
        logger.warn('the upstream has no Responses API; chat completions are used, without search');
        api = 'chat';
        return true;
      }
      if (error.status !== 400 && error.status !== 422) return false;
      const part = rejectedPart(error.param, error.message);
      const parts = partsFor(model);
      if (part === undefined || parts.has(part) || mustKeep(part, config)) return false;
      logger.warn(`the upstream refused \`${part}\` for \`${model}\`; it is left out from now on`);
      parts.add(part);
      return true;
    },
  };
}

function isMissingRoute({ status, kind }: UpstreamFailure): boolean {
  return kind !== 'model_not_found' && (status === 404 || status === 405 || status === 501);
}

function mustKeep(part: Droppable, { search, openai }: AnswerConfig): boolean {
  if (part === 'web_search') return search.mode === 'required';
  // Leaving `store` out means the provider keeps the response: only where that was allowed, or
  // where it is not the provider whose default that is.
  if (part === 'store') return !openai.store && new URL(openai.baseUrl).host === 'api.openai.com';
  return (part === 'reasoning' || part === 'verbosity') && openai.parameters === 'always';
}
