import { AnswerError } from '../answer-error.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { AnswerConfig } from '../config/config.ts';
import type { Environment } from '../config/environment-layer.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { classifyFailure } from '../provider/classify-failure.ts';
import { createEndpoint, type Endpoint, isLoopback } from '../provider/endpoint.ts';
import { readResponsesStream } from '../provider/responses-reader.ts';

/** One thing that was looked at; `ok` is undefined when it could not be. */
export interface CheckStep {
  readonly name: 'key' | 'endpoint' | 'model' | 'search';
  readonly ok: boolean | undefined;
  readonly detail: string;
}

/** Looks whether questions could be answered; costs at most a few tokens. */
export async function checkSetup(
  config: AnswerConfig,
  deps: {
    readonly env: Environment;
    readonly fetch?: typeof fetch;
    readonly clock?: Clock;
    readonly logger?: Logger;
    readonly signal?: AbortSignal;
  },
): Promise<readonly CheckStep[]> {
  const { clock = systemClock, logger = silentLogger } = deps;
  const late = new AbortController();
  const stop = clock.after(30_000, () => late.abort(new AnswerError('timeout', 'nothing in 30 s')));
  const signal = AbortSignal.any([
    late.signal,
    ...(deps.signal === undefined ? [] : [deps.signal]),
  ]);
  const endpoint = createEndpoint(config, { ...deps, clock, logger });
  const attempt = async <T>(work: () => Promise<T>): Promise<T | AnswerError> =>
    work().catch((failure: unknown) =>
      classifyFailure(failure, { signal, secrets: endpoint.secrets, now: clock.now() }),
    );
  try {
    const key = checkKey(config, deps.env);
    if (!key.ok) return [key];
    const models = await attempt(() => endpoint.models(signal));
    const reach = checkEndpoint(config, models);
    if (!reach.ok) return [key, reach];
    return [
      key,
      reach,
      checkModel(config, models),
      await checkSearch(config, endpoint, signal, attempt),
    ];
  } finally {
    stop();
  }
}

function checkKey({ openai }: AnswerConfig, env: Environment): CheckStep {
  const { apiKeyEnv, baseUrl } = openai;
  const name = 'key';
  if (apiKeyEnv === null) return { name, ok: true, detail: 'none is sent, as configured' };
  if (env[apiKeyEnv]?.trim()) return { name, ok: true, detail: `${apiKeyEnv} is set` };
  const isLocal = isLoopback(baseUrl);
  const why = isLocal ? 'and a local endpoint needs none' : 'set it, or use a local endpoint';
  return { name, ok: isLocal, detail: `${apiKeyEnv} is not set, ${why}` };
}

function checkEndpoint(
  { openai }: AnswerConfig,
  models: readonly string[] | AnswerError,
): CheckStep {
  const host = new URL(openai.baseUrl).host;
  const name = 'endpoint';
  if (!(models instanceof AnswerError)) return { name, ok: true, detail: `${host} answers` };
  // A server without a list of models has answered all the same.
  const isThere = models.status === 404 || models.status === 405;
  return { name, ok: isThere, detail: isThere ? `${host} answers` : `${host}: ${models.message}` };
}

function checkModel(
  { modelProfiles }: AnswerConfig,
  models: readonly string[] | AnswerError,
): CheckStep {
  const name = 'model';
  if (models instanceof AnswerError) {
    return { name, ok: undefined, detail: 'the endpoint does not list its models' };
  }
  const wanted = [...new Set(Object.values(modelProfiles).map(({ model }) => model))];
  const missing = wanted.filter((model) => !models.includes(model));
  if (missing.length === 0) return { name, ok: true, detail: `${wanted.join(', ')} listed` };
  const shown = models.slice(0, 10).join(', ');
  return { name, ok: false, detail: `${missing.join(', ')} not listed; there are: ${shown}` };
}

async function checkSearch(
  { search, openai, modelProfiles }: AnswerConfig,
  endpoint: Endpoint,
  signal: AbortSignal,
  attempt: <T>(work: () => Promise<T>) => Promise<T | AnswerError>,
): Promise<CheckStep> {
  const name = 'search';
  if (search.mode === 'off') return { name, ok: undefined, detail: 'switched off' };
  if (openai.api === 'chat') return { name, ok: undefined, detail: 'not part of chat completions' };
  // The tool is offered but must not be used: whether it is accepted is the question.
  const body = {
    model: modelProfiles.answer.model,
    input: 'Say ok.',
    tools: [{ type: 'web_search' }],
    tool_choice: 'none',
    max_output_tokens: 16,
    store: false,
    stream: true,
  };
  const outcome = await attempt(async () => {
    const { events } = await endpoint.open('/responses', body, { signal, onBytes: () => {} });
    return readResponsesStream(events, () => {});
  });
  if (!(outcome instanceof AnswerError))
    return { name, ok: true, detail: 'web_search is accepted' };
  const isMissing = outcome.status === 404 && outcome.kind !== 'model_not_found';
  const detail = isMissing ? 'no Responses API here; answers come without search' : outcome.message;
  return { name, ok: false, detail };
}
