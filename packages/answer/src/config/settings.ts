import {
  amount,
  choice,
  command,
  type Expectation,
  httpUrl,
  integer,
  optional,
  prices,
  text,
  texts,
  timeZone,
  toggle,
} from './expectation.ts';

/** One configurable value: where it lives, what it may hold, and every way to set it. */
export interface Setting {
  /** Dotted path in the configuration file. */
  readonly path: string;
  readonly expects: Expectation;
  readonly fallback: unknown;
  /** A variable kept for compatibility, beside the one derived from the path. */
  readonly variable?: string;
  /** A flag of its own, beside `--set path=value`; a toggle's flag takes no value, and `--no-…` turns it off. */
  readonly flag?: string;
  readonly about: string;
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const levels = ['low', 'medium', 'high'];

/** Every setting there is; defaults, validation, variables, flags and `--show-config` follow it. */
export const settings: readonly Setting[] = [
  set(
    'openai.api_key_env',
    optional(text('the name of an environment variable')),
    'OPENAI_API_KEY',
    {
      about: 'variable that holds the API key; `null` sends none',
    },
  ),
  set('openai.base_url', httpUrl(), 'https://api.openai.com/v1', {
    flag: '--base-url',
    about: 'endpoint; a loopback one needs no key',
  }),
  set('openai.api', choice('auto', 'responses', 'chat'), 'auto', {
    flag: '--api',
    about: 'which API to speak; `auto` falls back to chat completions',
  }),
  set('openai.parameters', choice('auto', 'always', 'never'), 'auto', {
    about: 'when to send `reasoning` and `verbosity`',
  }),
  set('openai.store', toggle(), false, { about: 'let the provider keep the response' }),
  set('model_profiles.answer.model', text('a model name'), 'gpt-5.5', {
    variable: 'MODEL_ANSWER',
    flag: '--model',
    about: 'model of the `answer` tool',
  }),
  set('model_profiles.answer.reasoning_effort', choice(...efforts), 'medium', {
    variable: 'ANSWER_EFFORT',
    flag: '--effort',
    about: 'reasoning effort',
  }),
  set('model_profiles.answer.verbosity', choice(...levels), 'medium', {
    variable: 'ANSWER_VERBOSITY',
    flag: '--verbosity',
    about: 'length of the answer',
  }),
  ...['answer_detailed', 'answer_quick'].flatMap((tool) => [
    set(`model_profiles.${tool}.model`, optional(text('a model name')), null, {
      about: `model of \`${tool}\`; \`null\` takes that of \`answer\``,
    }),
    set(`model_profiles.${tool}.reasoning_effort`, optional(choice(...efforts)), null, {
      about: `reasoning effort of \`${tool}\`; \`null\` takes that of \`answer\``,
    }),
    set(`model_profiles.${tool}.verbosity`, optional(choice(...levels)), null, {
      about: `verbosity of \`${tool}\`; \`null\` takes that of \`answer\``,
    }),
  ]),
  set('request.timeout_ms', integer(1, 2 ** 31 - 1), 300_000, {
    variable: 'OPENAI_API_TIMEOUT',
    flag: '--timeout',
    about: 'limit of a whole call, retries included',
  }),
  set('request.idle_timeout_ms', integer(1, 2 ** 31 - 1), 180_000, {
    about: 'longest silence of the stream',
  }),
  set('request.max_retries', integer(0, 10), 3, {
    variable: 'OPENAI_MAX_RETRIES',
    flag: '--retries',
    about: 'extra attempts in total',
  }),
  set('request.max_output_tokens', optional(integer(16)), null, {
    about: 'cap on generated tokens',
  }),
  set('policy.max_citations', integer(1, 50), 3, {
    variable: 'MAX_CITATIONS',
    about: 'citations kept',
  }),
  set('policy.sources', choice('append', 'omit'), 'append', {
    about: 'whether the answer text ends with a list of sources',
  }),
  set('policy.dates', choice('known', 'access'), 'known', {
    about: '`access` fills an unknown `published_at` with the day of access',
  }),
  set('policy.timezone', timeZone(), 'UTC', { about: 'time zone of dates' }),
  set('policy.system.source', choice('builtin', 'file'), 'builtin', {
    about: 'where the system policy comes from',
  }),
  set('policy.system.path', optional(text('a file path')), null, { about: 'policy file' }),
  set('policy.system.merge', choice('replace', 'prepend', 'append'), 'replace', {
    about: 'how the file meets the built-in policy',
  }),
  set('search.mode', choice('auto', 'required', 'off'), 'auto', {
    flag: '--search',
    about: 'let the model decide, force search, or forbid it',
  }),
  set('search.context_size', optional(choice(...levels)), null, {
    about: 'how much of the pages the model reads',
  }),
  set('search.defaults.recency_days', integer(0), 60, {
    variable: 'SEARCH_RECENCY_DAYS',
    about: 'used when a call gives none',
  }),
  set('search.defaults.max_results', integer(1, 50), 5, {
    variable: 'SEARCH_MAX_RESULTS',
    about: 'used when a call gives none',
  }),
  set('search.defaults.domains', texts('a list of domain names'), [], {
    about: 'used when a call gives none',
  }),
  ...['country', 'region', 'city', 'timezone'].map((part) =>
    set(`search.location.${part}`, optional(text()), null, {
      about: `approximate ${part} of the user, for search`,
    }),
  ),
  set('citations.fetch', toggle(), false, {
    flag: '--verify',
    about: 'open each cited page to see that it exists',
  }),
  set('citations.fetch_timeout_ms', integer(1, 60_000), 5_000, {
    about: 'limit of opening the cited pages',
  }),
  set('cache.enabled', toggle(), true, {
    flag: '--no-cache',
    about: 'remember complete answers',
  }),
  set('cache.dir', optional(text('a directory path')), null, {
    flag: '--cache-dir',
    about: 'where; `null` is `$XDG_CACHE_HOME/tincan/answer`',
  }),
  set('cache.ttl_ms', optional(integer(0)), null, {
    about: 'how long; `null` is one hour per day of `recency_days`',
  }),
  set('cache.max_entries', integer(1), 1_000, { about: 'oldest answers go first' }),
  set('replay', choice('off', 'record', 'replay', 'auto'), 'off', {
    flag: '--replay',
    about: 'record upstream traffic, or replay it',
  }),
  set('cassette', optional(text('a file path')), null, {
    flag: '--cassette',
    about: 'the recording',
  }),
  set('budget.max_calls', optional(integer(0)), null, {
    flag: '--max-calls',
    about: 'upstream calls per session',
  }),
  set('budget.max_tokens', optional(integer(0)), null, {
    flag: '--max-tokens',
    about: 'tokens per session',
  }),
  set('budget.max_cost', optional(amount()), null, {
    flag: '--max-cost',
    about: 'cost per session, in the currency of `budget.prices`',
  }),
  set('budget.prices', prices(), {}, { about: 'prices by model; nothing is built in' }),
  set('memory.command', optional(command()), null, {
    flag: '--memory',
    about: 'memory server that is given every new answer as a note',
  }),
  set('memory.project', text('a project name or path'), 'answers', {
    about: 'project of the notes',
  }),
  set('memory.group', text('letters, digits, `-` and `_`'), 'answers', {
    about: 'group of the notes',
  }),
  set('errors', choice('reference', 'spec'), 'reference', {
    flag: '--errors',
    about: '`spec` reports failures as `isError` results',
  }),
  set('server.debug', toggle(), false, { about: 'diagnostics on stderr' }),
  set('server.debug_file', optional(text('a file path')), null, {
    about: 'copy of the diagnostics',
  }),
  set('server.show_config_on_start', toggle(), false, { about: '`--show-config` at start' }),
  set('server.usage_on_exit', toggle(), false, {
    flag: '--usage',
    about: 'totals on stderr at the end',
  }),
];

/** Keys the reference server once had; naming them beats calling them unknown. */
export const removedKeys: Readonly<Record<string, string>> = {
  'policy.prefer_search_when_unsure': 'use `search.mode`',
  'policy.require_dates_iso': 'dates are always ISO',
  'server.transport': 'the transport is chosen on the command line',
};

/** The variable every setting answers to, whatever else it is called. */
export function variableFor(path: string): string {
  return `TINCAN_ANSWER_${path.replaceAll('.', '_').toUpperCase()}`;
}

function set(
  path: string,
  expects: Expectation,
  fallback: unknown,
  rest: Pick<Setting, 'about' | 'variable' | 'flag'>,
): Setting {
  return { path, expects, fallback, ...rest };
}
