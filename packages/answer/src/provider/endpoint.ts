import type OpenAI from 'openai';
import { AnswerError } from '../answer-error.ts';
import type { Clock } from '../clock.ts';
import type { AnswerConfig } from '../config/config.ts';
import type { Environment } from '../config/environment-layer.ts';
import type { Logger } from '../logger.ts';
import { objectOf } from '../loose-json.ts';
import { redact } from '../redact.ts';
import { bodyError } from './classify-failure.ts';
import { lingering } from './lingering.ts';

/** A stream of parsed events, with the id the upstream gave the request. */
export interface OpenStream {
  readonly events: AsyncIterable<unknown>;
  readonly requestId?: string;
}

/** The HTTP side of the upstream: it sends one request per call and never repeats one. */
export interface Endpoint {
  /** Values that must not appear in any message. */
  readonly secrets: readonly string[];
  open(path: string, body: object, options: OpenOptions): Promise<OpenStream>;
  /** Ids of the models the upstream lists. */
  models(signal?: AbortSignal): Promise<readonly string[]>;
}

/** How a stream is bounded and watched. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Called for every piece of the body, comments that keep the connection alive included. */
  readonly onBytes: () => void;
}

/** What an endpoint is made with. */
export interface EndpointOptions {
  readonly env: Environment;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Replaces the network: a recording, or a test. */
  readonly fetch?: typeof fetch;
}

// Deadlines are ours; the package's own timer must never fire first.
const never = 2 ** 31 - 1;

/** Prepares the endpoint; the `openai` package is loaded at the first request. */
export function createEndpoint(config: AnswerConfig, options: EndpointOptions): Endpoint {
  const { env, clock, logger } = options;
  const key = apiKey(config, env);
  const secrets = key === undefined ? [] : [key];
  let client: Promise<OpenAI> | undefined;
  const connect = async (): Promise<OpenAI> => {
    const { OpenAI } = await import('openai');
    return new OpenAI({
      baseURL: config.openai.baseUrl,
      apiKey: key ?? 'none',
      adminAPIKey: null,
      webhookSecret: null,
      // Without a key no header is sent at all.
      ...(key === undefined && { defaultHeaders: { authorization: null } }),
      maxRetries: 0,
      timeout: never,
      // The default logger is the console, whose lower levels write to standard output.
      logger: sdkLogger(logger, secrets),
      logLevel: 'debug',
      ...(options.fetch !== undefined && { fetch: options.fetch }),
    });
  };
  const clientOnce = (): Promise<OpenAI> => {
    requireKey(config, key);
    client ??= connect();
    return client;
  };
  return {
    secrets,
    async open(path, body, { signal, onBytes }) {
      const openai = await clientOnce();
      const cut = new AbortController();
      const response = await openai
        .post(path, { body, signal: AbortSignal.any([signal, cut.signal]), stream: true })
        .asResponse();
      const requestId = response.headers.get('x-request-id');
      const events = await eventsOf(openai, watched(response, onBytes));
      return {
        events: lingering(events, clock, () => cut.abort()),
        ...(requestId !== null && { requestId }),
      };
    },
    async models(signal) {
      const openai = await clientOnce();
      const page = await openai.models.list(signal === undefined ? {} : { signal });
      return page.data.map(({ id }) => id);
    },
  };
}

/** Whether an address is this machine itself, where no key is needed. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function apiKey(config: AnswerConfig, env: Environment): string | undefined {
  const { apiKeyEnv } = config.openai;
  const key = apiKeyEnv === null ? undefined : env[apiKeyEnv]?.trim();
  return key === '' ? undefined : key;
}

function requireKey({ openai, replay }: AnswerConfig, key: string | undefined): void {
  const isNeeded = openai.apiKeyEnv !== null && !isLoopback(openai.baseUrl) && replay !== 'replay';
  if (!isNeeded || key !== undefined) return;
  throw new AnswerError('missing_key', `Missing API key: set ${openai.apiKeyEnv}`, {
    hint: `set the variable \`${openai.apiKeyEnv}\`, or \`openai.base_url\` to a local endpoint`,
  });
}

async function eventsOf(openai: OpenAI, response: Response): Promise<AsyncIterable<unknown>> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('html')) throw notAnApi(`a page (\`${type}\`)`);
  if (!type.includes('json')) {
    const { Stream } = await import('openai/streaming');
    return Stream.fromSSEResponse(response, new AbortController(), openai);
  }
  // A server that ignores `stream` answers with the whole object.
  const whole = objectOf(await response.json());
  if (whole['error'] !== undefined && whole['error'] !== null) throw bodyError(whole['error']);
  if (whole['output'] === undefined && whole['choices'] === undefined) {
    throw notAnApi('JSON that is no response');
  }
  return (async function* () {
    yield { object: 'response', ...whole };
  })();
}

function notAnApi(what: string): AnswerError {
  return new AnswerError('bad_response', `expected a stream of events, got ${what}`, {
    hint: 'check `openai.base_url`; it usually ends in `/v1`',
  });
}

function watched(response: Response, onBytes: () => void): Response {
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onBytes();
      controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  return new Response(response.body?.pipeThrough(watch) ?? null, { status, headers });
}

function sdkLogger(logger: Logger, secrets: readonly string[]): Logger {
  const line = (message: string, ...rest: readonly unknown[]): string =>
    redact([message, ...rest.map((item) => JSON.stringify(item))].join(' '), secrets);
  // Everything is detail from our point of view: failures are reported by the call itself.
  const write = (message: string, ...rest: readonly unknown[]): void =>
    logger.debug(`openai: ${line(message, ...rest)}`);
  return { debug: write, info: write, warn: write, error: write };
}
