import { type Answerer, type AnswererDeps, createAnswerer } from '../../src/answer/answerer.ts';
import { AnswerError } from '../../src/answer-error.ts';
import { type DemoUpstream, startDemoUpstream } from '../../src/demo/upstream.ts';
import { configWith } from './config.ts';
import { FakeClock } from './fake-clock.ts';

/** An answerer wired to a demo upstream of its own, with a clock that skips retry pauses. */
export interface Bench extends AsyncDisposable {
  readonly answerer: Answerer;
  readonly upstream: DemoUpstream;
  readonly clock: FakeClock;
  readonly logged: string[];
  ask(query: string, more?: Readonly<Record<string, unknown>>): ReturnType<Answerer['ask']>;
  /** The error a question fails with. */
  failure(query: string): Promise<AnswerError>;
}

/** Lengths of the timers that guard a call; all others are pauses before a retry. */
const guards = [500, 1_000, 5_000, 10_000, 120_000, 180_000, 300_000];

export async function openBench(
  changes: Readonly<Record<string, unknown>> = {},
  deps: Partial<AnswererDeps> = {},
): Promise<Bench> {
  const upstream = await startDemoUpstream();
  const clock = new FakeClock({ skips: (ms) => !guards.includes(ms) });
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  const config = await configWith({ 'openai.base_url': upstream.baseUrl, ...changes });
  const answerer = createAnswerer(config, {
    env: {},
    clock,
    // Gives pauses of 185, 370 and 740 ms, none of them a guard's.
    random: () => 0.37,
    logger: { debug: log, info: log, warn: log, error: log },
    ...deps,
  });
  const ask: Bench['ask'] = (query, more = {}) => answerer.ask('answer', { query, ...more });
  return {
    answerer,
    upstream,
    clock,
    logged,
    ask,
    async failure(query) {
      const outcome = await ask(query).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!(outcome instanceof AnswerError)) throw new Error(`expected \`${query}\` to fail`);
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      await answerer.close();
      await upstream.close();
    },
  };
}
