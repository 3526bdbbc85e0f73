import type { AnswerError } from '../answer-error.ts';
import { type Clock, sleep } from '../clock.ts';
import type { AnswerConfig } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import { listOf, textOf } from '../loose-json.ts';
import { readChatStream } from './chat-reader.ts';
import { chatRequest } from './chat-request.ts';
import { classifyFailure } from './classify-failure.ts';
import type { Endpoint } from './endpoint.ts';
import { createNegotiation, type Negotiation } from './negotiation.ts';
import type { Question, Reply, UpstreamEvent, Usage } from './question.ts';
import { readResponsesStream } from './responses-reader.ts';
import { responsesRequest } from './responses-request.ts';
import { retryDelay } from './retry-delay.ts';
import { settleResponse, usageOf } from './settle-response.ts';
import { createWatch, type Watch } from './watch.ts';

/** Puts questions to the model; the only place that decides to send a request again. */
export interface Upstream {
  ask(question: Question, options?: AskUpstreamOptions): Promise<Reply>;
}

/** How a caller follows and ends a question. */
export interface AskUpstreamOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: UpstreamEvent) => void;
  /** Called with what every response cost, whatever became of it. */
  readonly onUsage?: (usage: Usage, output: readonly unknown[]) => void;
}

/** What an upstream is made with. */
export interface UpstreamOptions {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Gives a number from 0 to 1, for jitter. */
  readonly random: () => number;
}

/** Joins endpoint, retries, deadlines and fallbacks into one question-in, reply-out. */
export function createUpstream(config: AnswerConfig, options: UpstreamOptions): Upstream {
  const { endpoint, clock, logger, random } = options;
  const negotiation = createNegotiation(config, logger);
  const { timeoutMs, idleTimeoutMs, maxRetries } = config.request;

  return {
    async ask(question, { signal, onEvent = () => {}, onUsage = () => {} } = {}) {
      const watch = createWatch(clock, {
        timeoutMs,
        idleTimeoutMs,
        ...(signal !== undefined && { signal }),
      });
      let retries = 0;
      let hasOutput = false;
      const follow = (event: UpstreamEvent): void => {
        hasOutput ||= event.isOutput;
        onEvent(event);
      };
      try {
        for (let attempts = 1; ; attempts++) {
          try {
            watch.signal.throwIfAborted();
            const parts = { config, endpoint, negotiation, watch, follow, onUsage };
            const reply = await askOnce(question, parts);
            return { ...reply, attempts };
          } catch (failure) {
            const { secrets } = endpoint;
            const error = classifyFailure(failure, {
              signal: watch.signal,
              secrets,
              now: clock.now(),
            });
            if (hasOutput) throw error;
            if (negotiation.learn(error, question.profile.model)) continue;
            const delay = isTransient(error) ? retryDelay(error, retries, random) : undefined;
            if (delay === undefined || retries >= maxRetries) throw error;
            // Waiting past the deadline would only turn a clear error into a timeout.
            if (clock.now() + delay >= watch.deadline) throw error;
            retries++;
            logger.info(`attempt ${attempts} failed (${error.kind}); next in ${delay} ms`);
            onEvent({ message: `retrying after: ${error.message}`, isOutput: false });
            await pause(clock, delay, watch);
          }
        }
      } finally {
        watch.close();
      }
    },
  };
}

async function askOnce(
  question: Question,
  parts: {
    readonly config: AnswerConfig;
    readonly endpoint: Endpoint;
    readonly negotiation: Negotiation;
    readonly watch: Watch;
    readonly follow: (event: UpstreamEvent) => void;
    readonly onUsage: (usage: Usage, output: readonly unknown[]) => void;
  },
): Promise<Omit<Reply, 'attempts'>> {
  const { config, endpoint, negotiation, watch, follow, onUsage } = parts;
  const { api } = negotiation;
  const dropped = negotiation.droppedFor(question.profile.model);
  const isChat = api === 'chat';
  const body = (isChat ? chatRequest : responsesRequest)(question, config, dropped);
  watch.touch();
  const { events, requestId } = await endpoint.open(
    isChat ? '/chat/completions' : '/responses',
    body,
    {
      signal: watch.signal,
      onBytes: watch.touch,
    },
  );
  const response = await (isChat ? readChatStream : readResponsesStream)(events, follow);
  const usage = usageOf(response);
  onUsage(usage, listOf(response['output']));
  const output = settleResponse(response);
  const model = textOf(response['model']);
  return {
    provider: isChat ? 'openai-chat' : 'openai-responses',
    status: 'completed',
    output,
    usage,
    ...(model !== undefined && { model }),
    ...(requestId !== undefined && { requestId }),
  };
}

// Kinds that come from the way to the model or its load; a model's own verdict is not repeated.
function isTransient({ kind, retryable }: AnswerError): boolean {
  return retryable && (kind === 'connection' || kind === 'upstream' || kind === 'rate_limit');
}

async function pause(clock: Clock, ms: number, watch: Watch): Promise<void> {
  watch.rest();
  // An abort ends the wait; the loop then reports it as what it is.
  await sleep(clock, ms, watch.signal).catch(() => {});
}
