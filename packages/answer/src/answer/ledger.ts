import { AnswerError } from '../answer-error.ts';
import type { AnswerConfig, ModelPrice } from '../config/config.ts';
import type { Usage } from '../provider/question.ts';

/** What a session has used so far. */
export interface Totals {
  /** Calls that went upstream. */
  readonly calls: number;
  /** Calls answered from memory. */
  readonly cached: number;
  readonly failed: number;
  readonly searches: number;
  readonly usage: Usage;
  /** Present once a priced model was used. */
  readonly cost?: number;
}

/** Keeps account of a session and refuses what would go over its budget. */
export class Ledger {
  readonly #budget: AnswerConfig['budget'];
  #calls = 0;
  #cached = 0;
  #failed = 0;
  #searches = 0;
  #cost: number | undefined;
  #usage: Usage = { input: 0, cached: 0, output: 0, reasoning: 0 };

  constructor(budget: AnswerConfig['budget']) {
    this.#budget = budget;
  }

  /** Enters a call that goes upstream; throws when the budget is spent. */
  open(model: string): void {
    const { maxCalls, maxTokens, maxCost, prices } = this.#budget;
    const tokens = this.#usage.input + this.#usage.output;
    if (maxCalls !== null && this.#calls >= maxCalls) throw spent('max_calls', maxCalls);
    if (maxTokens !== null && tokens >= maxTokens) throw spent('max_tokens', maxTokens);
    if (maxCost !== null) {
      if ((this.#cost ?? 0) >= maxCost) throw spent('max_cost', maxCost);
      // A model without a price would slip through the cap.
      if (!Object.hasOwn(prices, model)) throw unpriced(model);
    }
    this.#calls++;
  }

  /** Enters what a response took, whether or not it was of use. */
  spend(model: string, usage: Usage, searches: number): void {
    this.#usage = add(this.#usage, usage);
    this.#searches += searches;
    const cost = this.cost(model, usage, searches);
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
  }

  remembered(): void {
    this.#cached++;
  }

  failed(): void {
    this.#failed++;
  }

  /** The price of a reply, if the model has one. */
  cost(model: string, usage: Usage, searches: number): number | undefined {
    const { prices } = this.#budget;
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    return price === undefined ? undefined : costOf(price, usage, searches);
  }

  totals(): Totals {
    return {
      calls: this.#calls,
      cached: this.#cached,
      failed: this.#failed,
      searches: this.#searches,
      usage: this.#usage,
      ...(this.#cost !== undefined && { cost: this.#cost }),
    };
  }
}

function costOf(price: ModelPrice, usage: Usage, searches: number): number {
  const { input = 0, cached = input, output = 0, search = 0 } = price;
  const tokens =
    (usage.input - usage.cached) * input + usage.cached * cached + usage.output * output;
  return tokens / 1_000_000 + (searches * search) / 1_000;
}

function add(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

function spent(key: string, limit: number): AnswerError {
  return new AnswerError('budget', `the session's budget is spent: \`budget.${key}\` is ${limit}`, {
    hint: `raise \`budget.${key}\` or start a new session`,
  });
}

function unpriced(model: string): AnswerError {
  return new AnswerError('budget', `\`budget.max_cost\` is set, but \`${model}\` has no price`, {
    hint: `add \`${model}\` to \`budget.prices\``,
  });
}
