import { ErrorCode, WireError } from '../errors.ts';
import { elementTexts } from '../framing/json-scan.ts';
import { BatchReply } from './batch-reply.ts';
import { Call, type Handler, type Outlet } from './call.ts';
import { cancelledId, cancelledParam, type Dialect } from './dialect.ts';
import { errorObjectFrom } from './error-object.ts';
import { errorText, type RawMessage, resultText } from './message.ts';
import { idText, idValue, isLossy, MAX_NUMBER_CHARS, namedIdText } from './request-id.ts';

/** Where handlers are looked up. */
export interface MethodTable {
  find(method: string): Handler | undefined;
}

/** Surroundings of the calls of one connection. */
export interface InboundOptions {
  readonly methods: MethodTable;
  readonly maxConcurrency: number;
  readonly dialect: Dialect;
  readonly outlet: Outlet;
  /** Takes the text of an answer. */
  readonly send: (text: string) => void;
  /** Takes notifications about calls, such as a cancellation. Returns whether it was one. */
  readonly onControl?: (message: RawMessage, source: string) => boolean;
  /** Takes notifications that no handler is registered for. */
  readonly onNotification?: (method: string, params: unknown) => void;
  /** Takes what a notification handler threw, which no answer can carry. */
  readonly onHandlerError?: (method: string, error: unknown) => void;
  /** Called when a call has ended, for whoever waits for room. */
  readonly onSettled?: () => void;
  /** Whether answers leave: no call starts while this is false. See {@link InboundCalls.advance}. */
  readonly hasRoom?: () => boolean;
}

/** Where a message of a batch answers to. */
interface BatchPlace {
  readonly batch: BatchReply;
  readonly reply: (text: string | undefined) => void;
  /** Its share of the length of the batch. */
  readonly size: number;
}

/** More elements than this in one batch are refused. */
const MAX_BATCH_LENGTH = 10_000;

/** Runs the calls of the other end: admission, order, cancellation, answers. */
export class InboundCalls {
  readonly #options: InboundOptions;
  readonly #live = new Map<string, Call>();
  /** Notification handlers under way, which no id names. */
  readonly #unnamed = new Set<Call>();
  #queue: Call[] = [];
  #queueHead = 0;
  #queuedChars = 0;
  #running = 0;
  #isAdvancing = false;
  readonly #onIdle: (() => void)[] = [];

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  /** Calls that wait for a free place. */
  get queued(): number {
    return this.#queue.length - this.#queueHead;
  }

  /** Length of the messages of the calls that wait. */
  get queuedChars(): number {
    return this.#queuedChars;
  }

  /** Calls that run or wait. */
  get active(): number {
    return this.#running + this.queued;
  }

  /** Takes one message that is not a response. `source` is its text, `place` where it stands in a batch. */
  accept(message: RawMessage, source: string, place?: BatchPlace): void {
    const { id, method, params } = message;
    const answer = place?.reply ?? this.#reply;
    const key = id === undefined ? undefined : idText(id, source);
    const problem = shapeProblem(message, key);
    if (problem !== undefined || typeof method !== 'string') {
      answer(invalidText(key, problem ?? '`method` must be a string'));
      return;
    }
    const handler = this.#options.methods.find(method);
    if (handler === undefined) {
      this.#onUnknown(method, params ?? undefined, key, answer);
      return;
    }
    if (key !== undefined && this.#live.size > 0 && this.#live.has(key)) {
      answer(invalidText(key, 'a request with this id is still being worked on'));
      return;
    }
    const { outlet, dialect } = this.#options;
    this.#admit(
      new Call({
        id: key === undefined ? undefined : idValue(id, key),
        key,
        method,
        params: params ?? undefined,
        handler,
        reply: answer,
        outlet,
        dialect,
        size: place?.size ?? source.length,
        batch: place?.batch,
      }),
    );
  }

  /** Takes the elements of a batch; their answers leave together. */
  acceptBatch(messages: readonly unknown[], source: string): void {
    if (messages.length === 0) {
      this.#options.send(invalidText(undefined, 'a batch must not be empty'));
      return;
    }
    if (messages.length > MAX_BATCH_LENGTH) {
      this.#options.send(
        invalidText(undefined, `a batch has at most ${MAX_BATCH_LENGTH} elements`),
      );
      return;
    }
    const batch = new BatchReply(messages.length, this.#options.send);
    // Elements whose id does not fit a number need their own text; the rest never look at it.
    const sources = messages.some(namesLargeId) ? elementTexts(source) : [];
    const size = Math.ceil(source.length / messages.length);
    messages.forEach((message, index) => {
      const reply = batch.slot(index);
      if (isResponse(message) || this.#isControl(message, sources[index] ?? '')) reply(undefined);
      else if (isObject(message))
        this.accept(message, sources[index] ?? '', { reply, size, batch });
      else reply(invalidText(undefined, 'a message must be an object'));
    });
  }

  /**
   * Stops the call that a cancellation names, if there is one. No answer follows, unless the dialect wants
   * one. `source` is the text of the cancellation.
   */
  cancel(method: string, params: unknown, source: string): void {
    const key = namedIdText(cancelledId(method, params), cancelledParam(method) ?? '', source);
    const call = key === undefined ? undefined : this.#live.get(key);
    const { cancelAnswer, uncancellable } = this.#options.dialect;
    if (call === undefined || uncancellable?.has(call.method)) return;
    call.isCancelled = true;
    this.#live.delete(call.key as string);
    call.reply(cancelAnswer && errorText(call.key as string, cancelAnswer));
    call.abort(new WireError('CANCELLED', 'the caller cancelled the request'));
  }

  /** Aborts every call under way, without taking away its answer. */
  abortAll(reason: WireError): void {
    for (const call of this.#live.values()) call.abort(reason);
    for (const call of this.#unnamed) call.abort(reason);
  }

  /** Methods of the calls under way. */
  get methods(): string[] {
    return [...this.#live.values(), ...this.#unnamed].map(({ method }) => method);
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    if (this.active === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #isControl(message: unknown, source: string): boolean {
    const { onControl } = this.#options;
    return onControl !== undefined && isObject(message) && onControl(message, source);
  }

  readonly #reply = (text: string | undefined): void => {
    if (text !== undefined) this.#options.send(text);
  };

  #onUnknown(
    method: string,
    params: unknown,
    key: string | undefined,
    answer: (text: string | undefined) => void,
  ): void {
    if (key === undefined) {
      this.#options.onNotification?.(method, params);
      answer(undefined);
      return;
    }
    const error = { code: ErrorCode.MethodNotFound, message: 'Method not found', data: { method } };
    answer(errorText(key, error));
  }

  #admit(call: Call): void {
    if (this.#queue.length === 0 && this.#hasPlace()) {
      this.#run(call);
      return;
    }
    if (call.key !== undefined) this.#live.set(call.key, call);
    this.#queue.push(call);
    this.#queuedChars += call.size;
  }

  #hasPlace(): boolean {
    const { maxConcurrency, hasRoom } = this.#options;
    return this.#running < maxConcurrency && (hasRoom === undefined || hasRoom());
  }

  #run(call: Call): void {
    this.#running++;
    const refusal = call.key === undefined ? undefined : call.batch?.refusal;
    if (refusal !== undefined) {
      this.#settle(call, true, refusal);
      return;
    }
    let result: unknown;
    try {
      result = call.handler(call.params, call);
      if (isThenable(result)) {
        if (call.key !== undefined) this.#live.set(call.key, call);
        else this.#unnamed.add(call);
        result.then(
          (value) => this.#settle(call, false, value),
          (error) => this.#settle(call, true, error),
        );
        return;
      }
    } catch (error) {
      this.#settle(call, true, error);
      return;
    }
    this.#settle(call, false, result);
  }

  #settle(call: Call, hasFailed: boolean, outcome: unknown): void {
    // A thenable that is not a promise may settle twice.
    if (call.isDone) return;
    this.#running--;
    call.isDone = true;
    if (call.key !== undefined && !call.isCancelled) {
      if (this.#live.size > 0) this.#live.delete(call.key);
      call.reply(hasFailed ? failureText(call.key, outcome) : successText(call.key, outcome));
    } else if (call.key === undefined) {
      this.#unnamed.delete(call);
      if (hasFailed) this.#options.onHandlerError?.(call.method, outcome);
      call.reply(undefined);
    }
    this.advance();
    this.#options.onSettled?.();
  }

  /** Starts the calls that wait, as far as there is room. */
  advance(): void {
    // A handler that is done at once comes back here from inside the loop: thousands would fill the stack.
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    while (this.#queueHead < this.#queue.length && this.#hasPlace()) {
      const call = this.#queue[this.#queueHead++] as Call;
      this.#queuedChars -= call.size;
      if (this.#queueHead === this.#queue.length) {
        this.#queue = [];
        this.#queueHead = 0;
      }
      if (!call.isCancelled) this.#run(call);
    }
    this.#isAdvancing = false;
    if (this.#onIdle.length > 0 && this.active === 0) {
      for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }
}

/** Whether a value is an answer rather than a call. */
export function isResponse(message: unknown): boolean {
  if (!isObject(message) || message.method !== undefined) return false;
  return message.result !== undefined || message.error !== undefined;
}

/** Whether a message, or one of a batch, answers a request. An error without an id does not. */
export function answersRequest(message: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
  return messages.some((one) => isResponse(one) && (one as RawMessage).id !== null);
}

/** Text of a `-32600` answer. */
export function invalidText(key: string | undefined, reason: string): string {
  const error = { code: ErrorCode.InvalidRequest, message: 'Invalid Request', data: { reason } };
  return errorText(key ?? 'null', error);
}

function shapeProblem(message: RawMessage, key: string | undefined): string | undefined {
  if (message.jsonrpc !== '2.0') return '`jsonrpc` must be "2.0"';
  if (message.id !== undefined && key === undefined) {
    const limit =
      typeof message.id === 'number' ? ` of at most ${MAX_NUMBER_CHARS} characters` : '';
    return `\`id\` must be a string or a number${limit}`;
  }
  const { params } = message;
  if (params !== undefined && typeof params !== 'object')
    return '`params` must be an object or an array';
  return undefined;
}

function successText(key: string, result: unknown): string {
  try {
    return resultText(key, JSON.stringify(result) ?? 'null');
  } catch (error) {
    return failureText(key, error);
  }
}

function failureText(key: string, error: unknown): string {
  try {
    return errorText(key, errorObjectFrom(error));
  } catch {
    // The data of the error is not JSON: the code and the message still are.
    const { code, message } = errorObjectFrom(error);
    return errorText(key, { code, message });
  }
}

function isObject(value: unknown): value is RawMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a message has, or cancels, an id that a JavaScript number cannot hold. */
function namesLargeId(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { id, method, params } = message;
  const named = id === undefined && typeof method === 'string' ? cancelledId(method, params) : id;
  return typeof named === 'number' && isLossy(named);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
  );
}
