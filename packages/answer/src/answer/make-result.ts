import type { Clock } from '../clock.ts';
import type { AnswerConfig } from '../config/config.ts';
import { outputText } from '../provider/output-text.ts';
import type { Reply } from '../provider/question.ts';
import type { Asked } from './asked.ts';
import { citationsOf, usedSearch } from './citations.ts';
import type { ProbePage } from './probe-page.ts';
import { withSources } from './render-sources.ts';
import type { AnswerResult } from './result.ts';
import { countSearches } from './search-sources.ts';
import { verifyCitations } from './verify-citations.ts';

/** What turns a reply into a result. */
export interface MakeResultOptions {
  readonly asked: Asked;
  readonly config: AnswerConfig;
  /** The day of access. */
  readonly today: string;
  readonly cost: number | undefined;
  readonly verify: {
    readonly probe: ProbePage;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  };
}

/** Makes the result of a reply: text, citations as data, and what it took to get them. */
export async function makeResult(reply: Reply, options: MakeResultOptions): Promise<AnswerResult> {
  const { asked, config, today, cost, verify } = options;
  const { policy, citations: checking } = config;
  const { output, usage, attempts, requestId } = reply;
  const found = citationsOf(output, { ...policy, today });
  const citations = checking.fetch
    ? await verifyCitations(found, { ...verify, timeoutMs: checking.fetchTimeoutMs })
    : found;
  const text = outputText(output);
  return {
    answer: policy.sources === 'append' ? withSources(text, citations) : text,
    used_search: usedSearch(output),
    citations,
    model: asked.profile.model,
    meta: {
      resolved_model: reply.model ?? asked.profile.model,
      provider: reply.provider,
      status: reply.status,
      cached: false,
      elapsed_ms: 0,
      attempts,
      searches: countSearches(output),
      usage,
      ...(cost !== undefined && { cost }),
      ...(requestId !== undefined && { request_id: requestId }),
    },
  };
}

/** A remembered answer as the result of this call, which itself took nothing. */
export function rememberedResult(
  { result, storedAt }: { readonly result: AnswerResult; readonly storedAt: number },
  elapsedMs: number,
): AnswerResult {
  const { cost: _, ...meta } = result.meta;
  return {
    ...result,
    meta: {
      ...meta,
      cached: true,
      cached_at: new Date(storedAt).toISOString(),
      elapsed_ms: elapsedMs,
      attempts: 0,
      searches: 0,
      usage: { input: 0, cached: 0, output: 0, reasoning: 0 },
    },
  };
}
