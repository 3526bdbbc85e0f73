import { WireError } from '../errors.ts';
import type { BatchReply } from './batch-reply.ts';
import type { Dialect, Progress, ProgressToken } from './dialect.ts';
import type { RpcId } from './message.ts';
import type { RequestOptions } from './outbound-calls.ts';

/** What a handler may do besides computing its result. */
export interface CallContext {
  /** Id of the request; undefined for a notification. */
  readonly id: RpcId | undefined;
  readonly method: string;
  /** Aborts when the caller cancels and when the server shuts down. */
  readonly signal: AbortSignal;
  /** Whether the caller asked for progress. */
  readonly wantsProgress: boolean;
  /** Reports progress; does nothing when the caller did not ask for it or has its answer. */
  readonly progress: (progress: Progress) => void;
  /** Sends a notification to the caller. */
  readonly notify: Outlet['notify'];
  /** Sends a request to the caller and waits for its answer. */
  readonly request: Outlet['request'];
}

/** A function behind a method name. Throw an `RpcError` to choose the error answer. */
export type Handler = {
  // Written as a method so that a handler may name the type of its params.
  handle(params: unknown, context: CallContext): unknown;
}['handle'];

/** The way back to the caller. */
export interface Outlet {
  notify(method: string, params?: object): Promise<void>;
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
}

/** One call from the other end, from arrival to answer. */
export class Call implements CallContext {
  readonly id: RpcId | undefined;
  readonly method: string;
  readonly params: unknown;
  /** JSON text of the id, the key among live calls; undefined for a notification. */
  readonly key: string | undefined;
  readonly handler: Handler;
  /** Length of the message, for the budget of what waits. */
  readonly size: number;
  /** Takes the text of the answer, or undefined when there is none. */
  readonly reply: (text: string | undefined) => void;
  /** The batch that it came in. */
  readonly batch: BatchReply | undefined;
  isCancelled = false;
  isDone = false;
  readonly #outlet: Outlet;
  readonly #dialect: Dialect;
  #controller: AbortController | undefined;
  #abortReason: unknown;

  constructor(init: {
    readonly id: RpcId | undefined;
    readonly key: string | undefined;
    readonly method: string;
    readonly params: unknown;
    readonly handler: Handler;
    readonly reply: (text: string | undefined) => void;
    readonly outlet: Outlet;
    readonly dialect: Dialect;
    readonly size: number;
    readonly batch: BatchReply | undefined;
  }) {
    this.id = init.id;
    this.key = init.key;
    this.method = init.method;
    this.params = init.params;
    this.handler = init.handler;
    this.reply = init.reply;
    this.size = init.size;
    this.batch = init.batch;
    this.#outlet = init.outlet;
    this.#dialect = init.dialect;
  }

  /** Made when first asked for: most handlers never look. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get wantsProgress(): boolean {
    return this.#token() !== undefined;
  }

  abort(reason: WireError): void {
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }

  /** The functions are made when asked for, so that a handler may take them out of its context. */
  get progress(): CallContext['progress'] {
    return (progress) => this.#report(progress);
  }

  get notify(): CallContext['notify'] {
    return (method, params) => this.#outlet.notify(method, params);
  }

  get request(): CallContext['request'] {
    return (method, params, options) => this.#outlet.request(method, params, options);
  }

  #report(progress: Progress): void {
    if (this.isDone || this.isCancelled) return;
    const token = this.#token();
    if (token === undefined) return;
    const { method, params } = this.#dialect.progressCall(token, progress);
    // Whoever waits for the answer learns of a dead line by that.
    this.#outlet.notify(method, params).catch(() => undefined);
  }

  #token(): ProgressToken | undefined {
    return this.id === undefined ? undefined : this.#dialect.tokenOf(this.params);
  }
}

/** An outlet for calls that have no line behind them. */
export const noOutlet: Outlet = {
  notify: () => Promise.resolve(),
  request: () =>
    Promise.reject(
      new WireError('BAD_STATE', 'this call came without a connection to ask back on'),
    ),
};
