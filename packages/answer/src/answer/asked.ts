import { createHash } from 'node:crypto';
import { dayIn } from '../clock.ts';
import type { AnswerConfig, ModelProfile } from '../config/config.ts';
import type { LooseObject } from '../loose-json.ts';
import type { Policy } from '../policy/system-policy.ts';
import type { Question } from '../provider/question.ts';
import type { ToolName } from './tools.ts';

/** A call with its arguments settled: defaults filled in, the profile chosen. */
export interface Asked {
  readonly query: string;
  readonly profile: ModelProfile;
  readonly recencyDays: number;
  readonly maxResults: number;
  readonly domains: readonly string[];
  /** Ask even if the answer is remembered. */
  readonly fresh: boolean;
}

/** Settles checked arguments against the configuration. */
export function settleArguments(tool: ToolName, args: LooseObject, config: AnswerConfig): Asked {
  const { defaults } = config.search;
  const domains = (args['domains'] ?? defaults.domains) as readonly string[];
  return {
    query: String(args['query']),
    profile: profileOf(tool, config),
    recencyDays: Number(args['recency_days'] ?? defaults.recencyDays),
    maxResults: Number(args['max_results'] ?? defaults.maxResults),
    domains: [...new Set(domains.map(domainOf))].filter((domain) => domain !== ''),
    fresh: args['fresh'] === true,
  };
}

/** The question as the upstream gets it. */
export function questionFor(
  asked: Asked,
  policy: Policy,
  when: { readonly timezone: string; readonly now: number },
): Question {
  const { query, profile, recencyDays, maxResults, domains } = asked;
  const where = domains.length === 0 ? '' : ` domains: ${domains.join(', ')}`;
  const hints = `[Hints] recency_days=${recencyDays}, max_results=${maxResults}.${where}`;
  const today = `Today is ${dayIn(when.timezone, when.now)} (${when.timezone}).`;
  return {
    profile,
    domains,
    text: `${query}\n${hints}`,
    // Last, so that the long part before it stays the same and can be cached upstream.
    instructions: `${policy.text}\n\n${today}`,
  };
}

/** A name for everything the answer depends on; equal names, equal questions. */
export function questionKey(asked: Asked, policy: Policy, config: AnswerConfig): string {
  const { fresh: _, query, domains, ...rest } = asked;
  const { dates, sources, maxCitations } = config.policy;
  const parts = {
    ...rest,
    query: query.normalize('NFKC').trim().replace(/\s+/g, ' '),
    domains: domains.toSorted(),
    policy: policy.hash,
    form: { dates, sources, maxCitations, fetch: config.citations.fetch },
    search: { mode: config.search.mode, location: config.search.location },
    baseUrl: config.openai.baseUrl,
    limit: config.request.maxOutputTokens,
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

function profileOf(tool: ToolName, { modelProfiles }: AnswerConfig): ModelProfile {
  if (tool === 'answer_detailed') return modelProfiles.answerDetailed;
  return tool === 'answer_quick' ? modelProfiles.answerQuick : modelProfiles.answer;
}

/** The bare host: people paste addresses where a domain is meant. */
function domainOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/^\*\./, '');
}
