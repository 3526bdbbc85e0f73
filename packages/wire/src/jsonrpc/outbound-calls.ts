import { setMaxListeners } from 'node:events';
import { checkCount } from '../check-option.ts';
import { RpcError, TimeoutError, toWireError, WireError } from '../errors.ts';
import { excerpt } from '../framing/decoded.ts';
import { Deadlines, Timed } from './deadlines.ts';
import type { Dialect, Progress } from './dialect.ts';
import { rpcErrorFrom } from './error-object.ts';
import { callText, type RawMessage } from './message.ts';

/** How long one request may take, and how it is followed. */
export interface RequestOptions {
  /** Time without an answer (or progress, see `resetOnProgress`). Default 30,000; 0 or Infinity: none. */
  readonly timeoutMs?: number;
  /** Time in all, whatever progress comes. Default none. */
  readonly maxTotalMs?: number;
  /** Cancels the request: the promise rejects with `CANCELLED` and the other end is told. */
  readonly signal?: AbortSignal;
  /** Called for each progress report; asks the other end for them. */
  readonly onProgress?: (progress: Progress) => void;
  /** Whether progress restarts the clock of `timeoutMs`. Default true; `true` also asks for progress. */
  readonly resetOnProgress?: boolean;
  /** Whether giving up tells the other end. Default true. */
  readonly notifyCancel?: boolean;
  /** Called with the id the request goes out under; for relays, which must translate it back. */
  readonly onId?: (id: number) => void;
}

/** One request of a batch. */
export interface BatchCall {
  readonly method: string;
  readonly params?: object;
}

/** Surroundings of the requests of one connection. */
export interface OutboundOptions {
  readonly dialect: Dialect;
  readonly defaultTimeoutMs: number;
  /** One request at a time, and an answer with another id is an error. */
  readonly isLockStep: boolean;
  /** Puts a message on the line, or returns why that cannot be done. `urgent` ones pass a full queue. */
  readonly post: (text: string, urgent?: boolean) => WireError | undefined;
  /** Number of the last message put on the line. */
  readonly posted: () => number;
  /** Adds what is known about a silent peer to the message of a timeout. */
  readonly describeSilence: () => string;
  /** Counts an answer that nobody waits for. */
  readonly onLate: (id: unknown) => void;
  /** Reports an answer that was taken although its id is the string of a number. */
  readonly onStringId: (id: string) => void;
  /** Reports an error without an id, which may be about any request, or about none. */
  readonly onAnonymousError: (error: RpcError) => void;
}

/** One request under way. Made for every request, so it is all there is to make: no closures, no pairs. */
class PendingCall extends Timed {
  readonly id: number;
  readonly method: string;
  readonly options: RequestOptions;
  readonly timeoutMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: WireError) => void;
  readonly #onExpire: (call: PendingCall, clock: 'idle' | 'total', ms: number) => void;
  /** Number of the frame it left in; those the writer never wrote were never seen by the other end. */
  frame = 0;
  total: Timed | undefined;
  onAbort: (() => void) | undefined;
  batch: readonly PendingCall[] | undefined;

  constructor(
    id: number,
    method: string,
    options: RequestOptions,
    timeoutMs: number,
    settle: Settle,
    onExpire: (call: PendingCall, clock: 'idle' | 'total', ms: number) => void,
  ) {
    super();
    this.id = id;
    this.method = method;
    this.options = options;
    this.timeoutMs = timeoutMs;
    this.resolve = settle.resolve;
    this.reject = settle.reject;
    this.#onExpire = onExpire;
  }

  override expire(): void {
    this.#onExpire(this, 'idle', this.timeoutMs);
  }
}

/** The clock of `maxTotalMs`. */
class TotalClock extends Timed {
  readonly #onExpire: () => void;

  constructor(onExpire: () => void) {
    super();
    this.#onExpire = onExpire;
  }

  override expire(): void {
    this.#onExpire();
  }
}

/** The two ends of a promise. */
interface Settle {
  resolve: (value: unknown) => void;
  reject: (error: WireError) => void;
}

/** Takes the ends of the promise just made: one function for all of them instead of one for each. */
const made: Settle = { resolve: () => undefined, reject: () => undefined };
function takeEnds(resolve: (value: unknown) => void, reject: (error: WireError) => void): void {
  made.resolve = resolve;
  made.reject = reject;
}

/** Digits of the largest id that is counted up to. */
const MAX_ID_DIGITS = 16;
const NO_OPTIONS: RequestOptions = {};

/** Requests to the other end that wait for their answers, in any number and any order. */
export class OutboundCalls {
  readonly #options: OutboundOptions;
  readonly #pending = new Map<number, PendingCall>();
  readonly #deadlines = new Deadlines();
  #nextId = 1;
  /** Text of the request opened last. */
  #text = '';
  #failure: WireError | undefined;
  /** The last error without an id since a request was answered, for the message of a timeout. */
  #anonymousError: RpcError | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: OutboundOptions) {
    this.#options = options;
  }

  get pending(): number {
    return this.#pending.size;
  }

  request(method: string, params?: object, options: RequestOptions = NO_OPTIONS): Promise<unknown> {
    if (!this.#options.isLockStep) return this.#send(method, params, options);
    return this.#inTurn(() => this.#send(method, params, options), options.signal);
  }

  /** Sends all calls as one array; settles when each of them has its answer. */
  requestMany(
    calls: readonly BatchCall[],
    options: RequestOptions = NO_OPTIONS,
  ): Promise<PromiseSettledResult<unknown>[]> {
    if (calls.length === 0) return Promise.resolve([]);
    if (!this.#options.isLockStep) return this.#sendMany(calls, options);
    return this.#inTurn(() => this.#sendMany(calls, options));
  }

  #sendMany(
    calls: readonly BatchCall[],
    options: RequestOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    const texts: string[] = [];
    const members: PendingCall[] = [];
    const answers = calls.map(({ method, params }) => {
      const answer = new Promise<unknown>(takeEnds);
      const call = this.#open(method, params, options);
      if (call === undefined) return answer;
      texts.push(this.#text);
      members.push(call);
      call.batch = members;
      return answer;
    });
    const settled = Promise.allSettled(answers);
    const failure = texts.length > 0 ? this.#options.post(`[${texts.join(',')}]`) : undefined;
    const frame = this.#options.posted();
    for (const call of members) {
      call.frame = frame;
      if (failure !== undefined) this.#fail(call, failure);
    }
    return settled;
  }

  /** Takes one answer. */
  accept(message: RawMessage): void {
    const { id, error } = message;
    const call = this.#callOf(id);
    if (call !== undefined) {
      if (typeof id === 'string') this.#options.onStringId(id);
      this.#close(call);
      settleWith(call, message);
      return;
    }
    if (id === null && error !== undefined && this.#pending.size > 0) {
      this.#acceptAnonymous(rpcErrorFrom(error));
      return;
    }
    if (this.#options.isLockStep && this.#pending.size > 0) {
      const shown = showId(id);
      for (const waiting of this.#pending.values()) {
        const message = `expected an answer with id \`${waiting.id}\`, got id \`${shown}\``;
        this.#fail(waiting, new WireError('ID_MISMATCH', message));
      }
      return;
    }
    this.#options.onLate(id);
  }

  /** Takes the answers of a batch; calls of the same batch that are missing there fail. */
  acceptBatch(messages: readonly RawMessage[]): void {
    const batches = new Set<readonly PendingCall[]>();
    for (const message of messages) {
      const call = this.#callOf(message.id);
      if (call?.batch !== undefined) batches.add(call.batch);
      this.accept(message);
    }
    for (const batch of batches) {
      for (const call of batch) {
        if (!this.#pending.has(call.id)) continue;
        this.#fail(
          call,
          new WireError('PARSE', `the answer to \`${call.method}\` is missing from its batch`),
        );
      }
    }
  }

  /**
   * Takes a progress report. Returns whether it belonged to a request under way that asked for progress: a
   * caller's own token may be the number of another request.
   */
  progress(token: unknown, progress: Progress): boolean {
    const call = typeof token === 'number' ? this.#pending.get(token) : undefined;
    if (call === undefined || !wantsProgress(call.options)) return false;
    if (call.options.resetOnProgress !== false) this.#deadlines.set(call, call.timeoutMs);
    call.options.onProgress?.(progress);
    return true;
  }

  /** Rejects the request whose answer was skipped for its size. Returns whether there was one. */
  tooLarge(id: unknown, error: WireError): boolean {
    const call = id === undefined || id === null ? this.#only() : this.#callOf(id);
    if (call !== undefined) this.#fail(call, error);
    return call !== undefined;
  }

  /** Rejects the requests that the other end never got; those it did get may still be answered. */
  failUnsent(written: number, error: WireError): void {
    for (const call of [...this.#pending.values()]) {
      if (call.frame > written) this.#fail(call, error);
    }
  }

  /** Ends everything: what waits rejects now, what comes later at once. */
  failAll(error: WireError): void {
    this.#failure ??= error;
    for (const call of [...this.#pending.values()]) this.#fail(call, error);
    this.#deadlines.stop();
  }

  /** Waits until what was asked before has its answer; an abort ends the wait. */
  #inTurn<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(cancelledBy(signal));
    const turn = this.#turn.then(send);
    this.#turn = turn.catch(() => undefined);
    if (signal === undefined) return turn;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(cancelledBy(signal));
      listenTo(signal, onAbort);
      turn.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  #send(method: string, params: object | undefined, options: RequestOptions): Promise<unknown> {
    const answer = new Promise<unknown>(takeEnds);
    const call = this.#open(method, params, options);
    if (call === undefined) return answer;
    const failure = this.#options.post(this.#text);
    if (failure === undefined) call.frame = this.#options.posted();
    else this.#fail(call, failure);
    return answer;
  }

  /** Registers a request for the promise just made and leaves its text in `#text`, or rejects it. */
  #open(
    method: string,
    params: object | undefined,
    options: RequestOptions,
  ): PendingCall | undefined {
    const { signal } = options;
    if (this.#failure !== undefined) {
      made.reject(this.#failure);
      return undefined;
    }
    if (signal?.aborted) {
      made.reject(cancelledBy(signal));
      return undefined;
    }
    const id = this.#nextId++;
    const timeoutMs = options.timeoutMs ?? this.#options.defaultTimeoutMs;
    const { reject } = made;
    const call = new PendingCall(id, method, options, timeoutMs, made, this.#expire);
    try {
      if (options !== NO_OPTIONS) checkOptions(options);
      // Code of the caller runs here (`toJSON`), and may make requests of its own.
      this.#text = callText(method, this.#paramsText(params, options, id), id);
    } catch (error) {
      reject(toWireError(error, 'SERIALIZE'));
      return undefined;
    }
    this.#pending.set(id, call);
    this.#deadlines.set(call, timeoutMs);
    if (options !== NO_OPTIONS) this.#watch(call);
    options.onId?.(id);
    return call;
  }

  #paramsText(params: object | undefined, options: RequestOptions, id: number): string | undefined {
    if (!wantsProgress(options)) return params === undefined ? undefined : stringify(params);
    if (Array.isArray(params)) {
      throw new WireError(
        'BAD_OPTION',
        'progress needs `params` by name: a token has no place in an array',
      );
    }
    return stringify(this.#options.dialect.withToken(params, id));
  }

  #watch(call: PendingCall): void {
    const { signal, maxTotalMs } = call.options;
    if (maxTotalMs !== undefined) {
      call.total = new TotalClock(() => this.#expire(call, 'total', maxTotalMs));
      this.#deadlines.set(call.total, maxTotalMs);
    }
    if (signal !== undefined) {
      call.onAbort = () => {
        this.#tellCancelled(call, 'cancelled by the caller');
        this.#fail(call, cancelledBy(signal));
      };
      listenTo(signal, call.onAbort);
    }
  }

  readonly #expire = (call: PendingCall, clock: 'idle' | 'total', ms: number): void => {
    this.#tellCancelled(call, 'timed out');
    const reported = this.#anonymousError;
    const silence =
      reported === undefined
        ? this.#options.describeSilence()
        : `; the other end sent an error without an id: ${reported.rpcCode} ${reported.message.slice(0, 200)}`;
    const message = `\`${call.method}\` got no answer within ${ms} ms (${clock} time)${silence}`;
    this.#fail(call, new TimeoutError(message, ms, clock));
  };

  #tellCancelled(call: PendingCall, reason: string): void {
    const { dialect } = this.#options;
    if (call.options.notifyCancel === false || dialect.uncancellable?.has(call.method)) return;
    const { method, params } = dialect.cancelCall(call.id, reason);
    this.#options.post(callText(method, JSON.stringify(params)), true);
  }

  /** The request with this id. Some servers send a number back as a string; lock-step is strict. */
  #callOf(id: unknown): PendingCall | undefined {
    if (typeof id === 'number') return this.#pending.get(id);
    if (typeof id !== 'string' || id.length > MAX_ID_DIGITS || this.#options.isLockStep)
      return undefined;
    const call = this.#pending.get(Number(id));
    return call !== undefined && `${call.id}` === id ? call : undefined;
  }

  /**
   * Any request may still be answered, so it rejects none. Two cases are certain: a request in lock-step, and
   * a batch that is alone under way, because an object came in place of its array.
   */
  #acceptAnonymous(error: RpcError): void {
    const [first] = this.#pending.values();
    if (this.#options.isLockStep || first?.batch?.length === this.#pending.size) {
      for (const call of [...this.#pending.values()]) this.#fail(call, error);
      return;
    }
    this.#anonymousError = error;
    this.#options.onAnonymousError(error);
  }

  #only(): PendingCall | undefined {
    return this.#pending.size === 1 ? this.#pending.values().next().value : undefined;
  }

  #fail(call: PendingCall, error: WireError): void {
    this.#close(call);
    call.reject(error);
  }

  #close(call: PendingCall): void {
    this.#pending.delete(call.id);
    if (this.#pending.size === 0) this.#anonymousError = undefined;
    this.#deadlines.clear(call);
    if (call.total !== undefined) this.#deadlines.clear(call.total);
    if (call.onAbort !== undefined) call.options.signal?.removeEventListener('abort', call.onAbort);
  }
}

function wantsProgress({ onProgress, resetOnProgress }: RequestOptions): boolean {
  return onProgress !== undefined || resetOnProgress === true;
}

/** An id as text, for a report. It may be anything, and nested too deep for JSON. */
export function showId(id: unknown): string {
  if (typeof id === 'object' && id !== null) return Array.isArray(id) ? '[…]' : '{…}';
  return excerpt(JSON.stringify(id) ?? 'none');
}

function settleWith(call: PendingCall, message: RawMessage): void {
  const { result, error } = message;
  if (error === undefined || error === null) {
    if (result !== undefined) call.resolve(result);
    else
      call.reject(
        new WireError('PARSE', `the answer to \`${call.method}\` has neither result nor error`),
      );
    return;
  }
  if (result === undefined) call.reject(rpcErrorFrom(error));
  else {
    const both = `the answer to \`${call.method}\` has a result and an error`;
    call.reject(new WireError('PARSE', both, { cause: new RpcError(0, both, { result, error }) }));
  }
}

function checkOptions({ timeoutMs, maxTotalMs }: RequestOptions): void {
  if (timeoutMs !== undefined) checkCount('timeoutMs', timeoutMs, { infinite: true });
  if (maxTotalMs !== undefined) checkCount('maxTotalMs', maxTotalMs, { infinite: true });
}

function stringify(params: object): string {
  try {
    return JSON.stringify(params);
  } catch (error) {
    throw toWireError(error, 'SERIALIZE');
  }
}

/** Any number of requests may share a signal: that is no leak to warn of. */
function listenTo(signal: AbortSignal, onAbort: () => void): void {
  setMaxListeners(0, signal);
  signal.addEventListener('abort', onAbort, { once: true });
}

function cancelledBy(signal: AbortSignal): WireError {
  return new WireError('CANCELLED', 'the request was cancelled', { cause: signal.reason });
}
