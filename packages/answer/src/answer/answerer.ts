import { AnswerError } from '../answer-error.ts';
import { Cassette, type CassetteFiles } from '../cassette/cassette.ts';
import { type CassetteFetch, createCassetteFetch } from '../cassette/cassette-fetch.ts';
import { type Clock, dayIn, systemClock } from '../clock.ts';
import type { AnswerConfig } from '../config/config.ts';
import type { Environment } from '../config/environment-layer.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { cassetteFiles, policyFiles } from '../node-files.ts';
import { createSystemPolicy, type PolicyFiles } from '../policy/system-policy.ts';
import { abortError } from '../provider/classify-failure.ts';
import { createEndpoint } from '../provider/endpoint.ts';
import type { UpstreamEvent } from '../provider/question.ts';
import { createUpstream } from '../provider/upstream.ts';
import { type CacheDirectory, createAnswerCache, timeToLive } from './answer-cache.ts';
import { type Asked, questionFor, questionKey, settleArguments } from './asked.ts';
import { checkArguments } from './check-arguments.ts';
import { Ledger, type Totals } from './ledger.ts';
import { makeResult, rememberedResult } from './make-result.ts';
import { createPageProbe, type ProbePage } from './probe-page.ts';
import { createProgressMeter, type ProgressReport } from './progress.ts';
import type { AnswerResult } from './result.ts';
import { countSearches } from './search-sources.ts';
import { SingleFlight } from './single-flight.ts';
import { tools } from './tools.ts';

/** Everything from outside that an answerer uses; all but `env` has a real default. */
export interface AnswererDeps {
  readonly env: Environment;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly random?: () => number;
  /** The network. */
  readonly fetch?: typeof fetch;
  /** Where answers are remembered; without one they are not. */
  readonly cacheDirectory?: CacheDirectory;
  readonly policyFiles?: PolicyFiles;
  readonly cassetteFiles?: CassetteFiles;
  readonly probePage?: ProbePage;
  /** Told of every new answer, for example to write it down elsewhere. */
  readonly onAnswer?: (query: string, result: AnswerResult) => Promise<void>;
}

/** How a caller follows and ends a call. */
export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (report: ProgressReport) => void;
}

/** Answers questions. */
export interface Answerer extends AsyncDisposable {
  /** Runs a tool; throws `AnswerError` and nothing else. */
  ask(tool: string, args: unknown, options?: AskOptions): Promise<AnswerResult>;
  /** Calls under way. */
  readonly inFlight: number;
  totals(): Totals;
  /** Ends what is under way and waits until everything recorded or passed on is written. */
  close(): Promise<void>;
}

/**
 * Makes an answerer. Nothing is loaded, read or sent before the first call.
 *
 * @example
 * const answerer = createAnswerer(config, { env: process.env });
 * const { answer, citations } = await answerer.ask('answer', { query: 'What is new in Node?' });
 */
export function createAnswerer(config: AnswerConfig, deps: AnswererDeps): Answerer {
  const { clock = systemClock, logger = silentLogger, random = Math.random } = deps;
  const { timezone } = config.policy;
  const today = (): string => dayIn(timezone, clock.now());
  const policy = createSystemPolicy(config.policy.system, {
    files: deps.policyFiles ?? policyFiles,
    logger,
  });
  const recorder = createRecorder(config, { ...deps, logger, today });
  const network = recorder?.fetch ?? deps.fetch;
  const endpoint = createEndpoint(config, {
    env: deps.env,
    clock,
    logger,
    ...(network !== undefined && { fetch: network }),
  });
  const upstream = createUpstream(config, { endpoint, clock, logger, random });
  const ledger = new Ledger(config.budget);
  const flights = new SingleFlight<AnswerResult, UpstreamEvent>();
  const probe = deps.probePage ?? createPageProbe();
  // A recording must see every question, so memory stays out of its way.
  const isRemembering = config.cache.enabled && config.replay === 'off';
  const cache =
    isRemembering && deps.cacheDirectory !== undefined
      ? createAnswerCache(deps.cacheDirectory, { clock, maxEntries: config.cache.maxEntries })
      : undefined;
  let inFlight = 0;
  const passing = new Set<Promise<void>>();
  // Nobody who waits for an answer should wait for its listener too.
  const passOn = (query: string, result: AnswerResult): void => {
    // Wrapped, so that a listener that throws at once is no different from one that rejects.
    const passed = (async () => deps.onAnswer?.(query, result))()
      .catch(complain(logger, 'the answer was not passed on'))
      .finally(() => passing.delete(passed));
    passing.add(passed);
  };
  const closing = new AbortController();

  const askUpstream = async (
    asked: Asked,
    key: string,
    options: { readonly signal: AbortSignal; readonly emit: (event: UpstreamEvent) => void },
  ): Promise<AnswerResult> => {
    const { signal, emit } = options;
    const { model } = asked.profile;
    ledger.open(model);
    const now = clock.now();
    const question = questionFor(asked, await policy.current(), { timezone, now });
    const reply = await upstream.ask(question, {
      signal,
      onEvent: emit,
      onUsage: (usage, output) => ledger.spend(model, usage, countSearches(output)),
    });
    const result = await makeResult(reply, {
      asked,
      config,
      today: today(),
      verify: { probe, clock, signal },
      cost: ledger.cost(model, reply.usage, countSearches(reply.output)),
    });
    const ttl = config.cache.ttlMs ?? timeToLive(asked.recencyDays);
    // A full disk must not cost an answer that is already here.
    await cache?.put(key, result, ttl).catch(complain(logger, 'the answer was not remembered'));
    passOn(asked.query, result);
    return result;
  };

  const answer = async (
    asked: Asked,
    signal: AbortSignal,
    onEvent: (event: UpstreamEvent) => void,
  ): Promise<AnswerResult> => {
    const startedAt = clock.now();
    const key = questionKey(asked, await policy.current(), config);
    const known = asked.fresh ? undefined : await cache?.get(key);
    signal.throwIfAborted();
    if (known !== undefined) {
      ledger.remembered();
      return rememberedResult(known, clock.now() - startedAt);
    }
    const result = await flights.run(
      key,
      (shared, emit) => askUpstream(asked, key, { signal: shared, emit }),
      { signal, onEvent },
    );
    return { ...result, meta: { ...result.meta, elapsed_ms: clock.now() - startedAt } };
  };

  return {
    async ask(name, args, { signal, onProgress = () => {} } = {}) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw unknownTool(name);
      const asked = settleArguments(tool.name, checkArguments(args, tool.inputSchema), config);
      const meter = createProgressMeter(clock, onProgress);
      const ended =
        signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      inFlight++;
      try {
        if (ended.aborted) throw abortError(ended.reason);
        return await answer(asked, ended, ({ message }) => meter.note(message));
      } catch (error) {
        ledger.failed();
        throw error instanceof AnswerError ? error : unexpected(error, ended);
      } finally {
        inFlight--;
        meter.close();
      }
    },
    get inFlight() {
      return inFlight;
    },
    totals: () => ledger.totals(),
    async close() {
      closing.abort(new AnswerError('cancelled', 'the server is closing'));
      await Promise.all([recorder?.settled(), ...passing]);
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}

function createRecorder(
  config: AnswerConfig,
  parts: AnswererDeps & { readonly logger: Logger; readonly today: () => string },
): CassetteFetch | undefined {
  const { replay, cassette, openai } = config;
  if (replay === 'off' || cassette === null) return undefined;
  const key = openai.apiKeyEnv === null ? undefined : parts.env[openai.apiKeyEnv];
  return createCassetteFetch({
    mode: replay,
    cassette: new Cassette(cassette, parts.cassetteFiles ?? cassetteFiles),
    network: parts.fetch ?? fetch,
    image: () => ({
      baseUrl: openai.baseUrl,
      secrets: key === undefined ? [] : [key],
      today: parts.today(),
    }),
    logger: parts.logger,
  });
}

function unknownTool(name: string): AnswerError {
  return new AnswerError('unknown_tool', `unknown tool \`${name}\``, {
    hint: `use one of ${tools.map((tool) => `\`${tool.name}\``).join(', ')}`,
  });
}

/** What is neither ours nor classified is an abort, or a fault that must not hide. */
function unexpected(error: unknown, signal: AbortSignal): AnswerError {
  if (signal.aborted) return abortError(signal.reason);
  const message = error instanceof Error ? error.message : String(error);
  return new AnswerError('failed', `unexpected failure: ${message}`, { cause: error });
}

function complain(logger: Logger, what: string): (error: unknown) => void {
  return (error) => logger.warn(`${what}: ${String(error)}`);
}
