import { type CallContext, ErrorCode } from 'tincan-wire';
import type { ClientCapabilities, Implementation } from '../protocol/capabilities.ts';
import { McpErrorCode } from '../protocol/error-codes.ts';
import { type LogLevel, reaches } from '../protocol/logging.ts';
import type { LegacyVersion, ModernVersion } from '../protocol/revisions.ts';
import type { ObjectSchema } from '../schema/json-schema.ts';
import {
  type ElicitResult,
  type InputRequest,
  InputRequired,
  isAnswerTo,
} from './input-required.ts';
import { ProgressReporter } from './progress-reporter.ts';
import { ProtocolError, ToolError } from './tool-error.ts';

/** Who asks, and in which revision of the protocol. */
export interface Caller {
  readonly era: 'legacy' | 'modern';
  readonly protocolVersion: LegacyVersion | ModernVersion;
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo: Implementation | undefined;
  /** Least severity the client wants to hear of; undefined: nothing. */
  readonly logLevel: LogLevel | undefined;
}

/** What a handler may do besides computing its answer. */
export class RequestContext {
  readonly caller: Caller;
  readonly #call: CallContext;
  readonly #answers: Readonly<Record<string, unknown>>;
  #progress: ProgressReporter | undefined;
  #questions = 0;

  constructor(caller: Caller, call: CallContext, answers: Readonly<Record<string, unknown>> = {}) {
    this.caller = caller;
    this.#call = call;
    this.#answers = answers;
  }

  /** Aborts when the client cancels and when the server shuts down. */
  get signal(): AbortSignal {
    return this.#call.signal;
  }

  /** Reports progress, if the client asked for it: only what moved forward, and not too often. */
  progress(progress: number, total?: number, message?: string): void {
    this.#progress ??= new ProgressReporter(this.#call);
    this.#progress.report(progress, total, message);
  }

  /** Sends a log message to the client, if it wants messages of this severity. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    const { logLevel } = this.caller;
    if (logLevel === undefined || !reaches(level, logLevel)) return;
    const params = logger === undefined ? { level, data } : { level, logger, data };
    this.#call.notify('notifications/message', params).catch(() => undefined);
  }

  /** Asks the person behind the client to fill in a form. Ask before doing anything that must not happen twice. */
  async elicit(
    message: string,
    requestedSchema: ObjectSchema,
    { key = this.#nextKey('elicitation') }: { readonly key?: string } = {},
  ): Promise<ElicitResult> {
    const params = { message, requestedSchema };
    const answers = await this.input({ [key]: { method: 'elicitation/create', params } });
    return answers[key] as ElicitResult;
  }

  /**
   * Puts questions to the client and returns its answers by the same names. Legacy clients are asked at
   * once; for modern ones the handler ends here and runs again, from its beginning, when they have answered.
   */
  async input(
    requests: Readonly<Record<string, InputRequest>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    for (const { method, params } of Object.values(requests)) this.#require(method, params);
    if (this.caller.era === 'legacy') return this.#ask(requests);
    // An answer that does not fit its question is no answer: the client is asked again.
    const open = Object.entries(requests).filter(
      ([key, request]) =>
        !Object.hasOwn(this.#answers, key) || !isAnswerTo(request, this.#answers[key]),
    );
    if (open.length > 0) throw new InputRequired(Object.fromEntries(open));
    return Object.fromEntries(Object.keys(requests).map((key) => [key, this.#answers[key]]));
  }

  async #ask(
    requests: Readonly<Record<string, InputRequest>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    // A person may take long; the caller's own clock and cancellation bound the wait.
    const options = { timeoutMs: 0, signal: this.signal };
    const answers = await Promise.all(
      Object.entries(requests).map(async ([key, request]) => {
        const answer = await this.#call.request(request.method, request.params, options);
        if (isAnswerTo(request, answer)) return [key, answer] as const;
        throw new ToolError(`the client's answer to \`${key}\` does not fit the question`);
      }),
    );
    return Object.fromEntries(answers);
  }

  /** A question may only be put to a client that said it takes such questions. */
  #require(method: InputRequest['method'], params: object): void {
    const needed = requiredCapability(method, params);
    if (hasCapability(this.caller.clientCapabilities, needed)) return;
    const message = `this needs a client with the capability \`${JSON.stringify(needed)}\``;
    if (this.caller.era === 'legacy') throw new ToolError(message);
    const data = { requiredCapabilities: needed };
    throw new ProtocolError(McpErrorCode.MissingClientCapability, message, data);
  }

  #nextKey(kind: string): string {
    this.#questions++;
    return `${kind}-${this.#questions}`;
  }
}

function requiredCapability(method: InputRequest['method'], params: object): ClientCapabilities {
  if (method === 'roots/list') return { roots: {} };
  if (method === 'sampling/createMessage') return { sampling: {} };
  if (method === 'elicitation/create') {
    return { elicitation: Reflect.get(params, 'mode') === 'url' ? { url: {} } : {} };
  }
  throw new ProtocolError(ErrorCode.InternalError, `cannot ask \`${String(method)}\` of a client`);
}

function hasCapability(has: ClientCapabilities, needed: ClientCapabilities): boolean {
  if (needed.roots !== undefined) return has.roots !== undefined;
  if (needed.sampling !== undefined) return has.sampling !== undefined;
  if (has.elicitation === undefined) return false;
  return needed.elicitation?.url === undefined || has.elicitation.url !== undefined;
}
