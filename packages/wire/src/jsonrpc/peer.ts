import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { checkCount, checkOneOf } from '../check-option.ts';
import { ErrorCode, toWireError, WireError } from '../errors.ts';
import { type Decoded, type DecodedOversize, excerpt } from '../framing/decoded.ts';
import { FrameDecoder } from '../framing/frame-decoder.ts';
import {
  CLIENT_QUEUE_BYTES,
  FrameWriter,
  queueFull,
  SERVER_QUEUE_BYTES,
} from '../framing/frame-writer.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, type Framing } from '../framing/framing.ts';
import { findRawId } from '../framing/json-scan.ts';
import { settlesWithin } from '../settles-within.ts';
import type { Direction, Tap } from '../tap/tap.ts';
import { cancelledId, type Dialect, mcpDialect, readProgress } from './dialect.ts';
import {
  answersRequest,
  InboundCalls,
  invalidText,
  isResponse,
  type MethodTable,
} from './inbound-calls.ts';
import { JunkAnswers } from './junk-answers.ts';
import { callText, errorText, type RawMessage } from './message.ts';
import { type BatchCall, OutboundCalls, type RequestOptions, showId } from './outbound-calls.ts';
import { idText } from './request-id.ts';

/** Settings both ends share. */
export interface LineOptions {
  /** `auto` answers in the framing of the first message received; the others are fixed. Default `auto`. */
  readonly framing?: 'auto' | Framing;
  /** Framing until something was received. Default `line`. */
  readonly defaultFraming?: Framing;
  /** Largest message accepted. Default 64 MiB. */
  readonly maxMessageBytes?: number;
  /** Calls of the other end that run at the same time; 1 gives strict order. Default 256. */
  readonly maxConcurrency?: number;
  /**
   * Bytes of answers that wait to be read before no further call starts, and of calls that wait before reading
   * pauses. While more wait, requests and notifications of this end are refused with `QUEUE_FULL`.
   * Default 16 MiB in a server, 64 MiB in a client.
   */
  readonly maxQueuedBytes?: number;
  /** Default of `timeoutMs` of a request. Default 30,000. */
  readonly timeoutMs?: number;
  /** Spelling of cancellation and progress. Default that of MCP. */
  readonly dialect?: Dialect;
  /** Time after which an unfinished message is reported. Default 10,000. */
  readonly partialMs?: number;
  readonly tap?: Tap;
}

/** Settings of a {@link Peer}. */
export interface PeerOptions extends LineOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The server end answers what it cannot understand; the client end reports it. */
  readonly role: 'server' | 'client';
  /** What the other end may call. Default nothing. */
  readonly methods?: MethodTable;
  /** What to do with a message over the limit. Default `reject`: refuse it alone. */
  readonly oversize?: 'reject' | 'fail';
  /** One request at a time, answers checked for their id. Default false. */
  readonly lockStep?: boolean;
}

/** Something worth knowing that ends nothing. */
export interface Remark {
  readonly code:
    | 'late-answer'
    | 'string-id'
    | 'anonymous-error'
    | 'partial-message'
    | 'handler-failed'
    | 'unfinished'
    | 'listener-failed'
    | 'message-failed'
    | 'events-dropped'
    | 'oversize'
    | 'junk'
    | 'invalid-utf8'
    | 'nul-bytes'
    | 'glued'
    | 'stray'
    | 'header-line'
    | 'bad-length'
    | 'escaped';
  readonly message: string;
  readonly cause?: unknown;
}

/** Events of a {@link Peer}. */
export interface PeerEvents {
  /** A notification no handler is registered for. */
  notification: [method: string, params: unknown];
  /** Text from the other end that is no message (client end). */
  stray: [text: string];
  remark: [remark: Remark];
  /** The other end sends nothing more. */
  end: [];
  /** The line is broken. */
  failure: [error: WireError];
  /** The connection is about to end: what would stay open for ever should be answered now. */
  draining: [];
}

/** Time between a write that fails and the end of the other end that is taken for one event. */
const WRITE_FAILURE_LAG_MS = 250;
const NO_METHODS: MethodTable = { find: () => undefined };

/** One end of a JSON-RPC connection over two byte streams: calls and is called. */
export class Peer extends EventEmitter<PeerEvents> {
  readonly #options: PeerOptions;
  readonly #input: Readable;
  readonly #decoder: FrameDecoder;
  readonly #writer: FrameWriter;
  readonly #inbound: InboundCalls;
  readonly #outbound: OutboundCalls;
  readonly #junkAnswers = new JunkAnswers();
  readonly #isServer: boolean;
  readonly #maxQueued: number;
  readonly #partialMs: number;
  readonly #tap: Tap | undefined;
  readonly #isFramingSettled: boolean;
  #hasReceived = false;
  #isPaused = false;
  #isStopped = false;
  #isReading = true;
  #writeFailure: WireError | undefined;
  #partialTimer: NodeJS.Timeout | undefined;
  #received = 0;
  #receivedBytes = 0;
  #strays = 0;
  #late = 0;

  constructor(options: PeerOptions) {
    super();
    this.#options = options;
    const { input, output, framing = 'auto', defaultFraming = 'line' } = options;
    const { maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, maxConcurrency = 256 } = options;
    const { timeoutMs = 30_000, dialect = mcpDialect } = options;
    this.#isServer = options.role === 'server';
    const { maxQueuedBytes = this.#isServer ? SERVER_QUEUE_BYTES : CLIENT_QUEUE_BYTES } = options;
    checkOneOf('framing', framing, ['auto', 'line', 'header']);
    checkOneOf('defaultFraming', defaultFraming, ['line', 'header']);
    checkOneOf('oversize', options.oversize ?? 'reject', ['reject', 'fail']);
    checkCount('maxMessageBytes', maxMessageBytes, { min: 1 });
    checkCount('maxConcurrency', maxConcurrency, { min: 1, infinite: true });
    checkCount('timeoutMs', timeoutMs, { infinite: true });
    this.#maxQueued = checkCount('maxQueuedBytes', maxQueuedBytes, { min: 1, infinite: true });
    const partialMs = checkCount('partialMs', options.partialMs ?? 10_000, { infinite: true });
    // Node fires a longer timer at once.
    this.#partialMs = Math.min(partialMs, 2 ** 31 - 1);
    this.#tap = options.tap;
    this.#input = input;
    this.#isFramingSettled = framing !== 'auto';
    this.#decoder = new FrameDecoder({ maxMessageBytes, lenient: !this.#isServer });
    this.#writer = new FrameWriter(output, {
      framing: framing === 'auto' ? defaultFraming : framing,
      // A client goes on reading: what the server answers before it ends is still worth having.
      onError: (error) => (this.#isServer ? this.#onFailure(error) : this.#onWriteFailure(error)),
      onDrain: () => {
        if (this.#inbound.queued > 0) this.#inbound.advance();
        if (this.#isPaused) this.#balance();
      },
    });
    this.#inbound = new InboundCalls({
      methods: options.methods ?? NO_METHODS,
      maxConcurrency,
      dialect,
      outlet: this,
      send: (text) => this.#post(text),
      onControl: (message, source) => this.#onControl(message, source),
      onNotification: (method, params) => this.#tell('notification', method, params),
      onHandlerError: (method, cause) =>
        this.#remark('handler-failed', `the handler of \`${method}\` failed`, cause),
      onSettled: () => {
        if (this.#isPaused) this.#balance();
      },
      // A client answers whatever waits: the server may need the answer before it reads on.
      hasRoom: () => !this.#isServer || !this.#isCongested,
    });
    this.#outbound = new OutboundCalls({
      dialect,
      defaultTimeoutMs: timeoutMs,
      isLockStep: options.lockStep ?? false,
      post: (text, isUrgent = false) => {
        const failure = this.#isServer ? this.#writer.failure : this.#writeFailure;
        if (failure !== undefined) return failure;
        if (this.#isCongested && !isUrgent) return this.#queueFull();
        this.#post(text);
        // A handler that asks back must be able to read the answer.
        if (this.#isPaused) this.#balance();
        return undefined;
      },
      posted: () => this.#writer.posted,
      describeSilence: () => this.#describeSilence(),
      onLate: (id) => {
        this.#late++;
        this.#remark('late-answer', `received a response for unknown request id ${showId(id)}`);
      },
      onStringId: (id) =>
        this.#remark(
          'string-id',
          `the answer to request ${id} came with the string "${id}" as its id`,
        ),
      onAnonymousError: (error) =>
        this.#remark('anonymous-error', `received an error without an id: ${error.message}`, error),
    });
    this.#listen();
  }

  /** Requests that wait for an answer. */
  get pending(): number {
    return this.#outbound.pending;
  }

  /** Calls of the other end under way. */
  get active(): number {
    return this.#inbound.active;
  }

  /** Counts since the beginning. */
  get stats(): { readonly received: number; readonly strays: number; readonly late: number } {
    return { received: this.#received, strays: this.#strays, late: this.#late };
  }

  /** Bytes received since the beginning. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Calls a method and waits for its result. */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown> {
    return this.#outbound.request(method, params, options);
  }

  /** Calls many methods with one message and waits for all of them. */
  requestMany(
    calls: readonly BatchCall[],
    options?: RequestOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return this.#outbound.requestMany(calls, options);
  }

  /** Sends a notification; resolves when the operating system has it. */
  notify(method: string, params?: object): Promise<void> {
    if (this.#isCongested) return quiet(Promise.reject(this.#queueFull()));
    let text: string;
    try {
      text = callText(method, params === undefined ? undefined : JSON.stringify(params));
    } catch (error) {
      return Promise.reject(toWireError(error, 'SERIALIZE'));
    }
    this.#tapOut(text);
    return this.#writer.send(text);
  }

  /** Waits for calls under way and for their answers to be written, at most `ms`; then aborts the rest. */
  async drain(ms: number): Promise<void> {
    this.#tell('draining');
    const isIdle = await settlesWithin(this.#inbound.idle(), ms);
    if (!isIdle) {
      this.#inbound.abortAll(new WireError('SHUTDOWN', 'the server is shutting down'));
      if (!(await settlesWithin(this.#inbound.idle(), 50))) {
        const names = [...new Set(this.#inbound.methods)].map((name) => `\`${name}\``).join(', ');
        this.#remark('unfinished', `${this.active} calls did not end: ${names}`);
      }
    }
    await this.flushed(Math.max(ms, 50));
  }

  /** Waits, at most `ms`, until everything sent so far is with the operating system. */
  async flushed(ms: number): Promise<void> {
    await settlesWithin(this.#writer.drained(), ms);
  }

  /**
   * Resolves at once, or when everything has left if more than `maxQueuedBytes` wait to be written. For handlers
   * that make large answers: calls that started together would otherwise make them together.
   */
  async room(): Promise<void> {
    if (this.#isCongested) await this.#writer.drained().catch(() => undefined);
  }

  /** Stops reading without letting go of the answers under way. */
  stopReading(): void {
    this.#isReading = false;
    this.#input.off('data', this.#onData);
    this.#input.pause();
    clearTimeout(this.#partialTimer);
  }

  /** Lets go of both streams. Requests that wait reject with `error`, handlers under way are aborted. */
  stop(error: WireError): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.stopReading();
    this.#input.off('end', this.#onEnd);
    this.#input.off('close', this.#onEnd);
    this.#outbound.failAll(error);
    this.#inbound.abortAll(error);
    this.#writer.stop(error);
  }

  #listen(): void {
    const input = this.#input;
    input.on('error', (error) => {
      const { message } = error;
      this.#onFailure(new WireError('IO', `could not read: ${message}`, { cause: error }));
    });
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
    else {
      input.on('data', this.#onData);
      // An input that was served before, or handed over paused, does not flow by itself.
      input.resume();
    }
  }

  readonly #onData = (data: Buffer | string): void => {
    const chunk = typeof data === 'string' ? Buffer.from(data) : data;
    this.#receivedBytes += chunk.length;
    this.#take(this.#decoder.push(chunk));
    this.#writer.flush();
    this.#watchPartial();
    this.#balance();
  };

  readonly #onEnd = (): void => {
    this.#input.off('end', this.#onEnd);
    this.#input.off('close', this.#onEnd);
    if (this.#isStopped) return;
    clearTimeout(this.#partialTimer);
    this.#take(this.#decoder.end());
    this.#tell('end');
  };

  #take(decoded: readonly Decoded[]): void {
    for (const item of decoded) {
      if (!this.#isReading) return;
      if (item.kind === 'message') {
        if (!this.#hasReceived) this.#settleFraming(item.framing, item.value);
        this.#received++;
        this.#tapIn(item.text, item.framing);
        try {
          this.#onMessage(item.value, item.text);
        } catch (cause) {
          this.#onMessageFailure(item.value, item.text, cause);
        }
      } else if (item.kind === 'oversize') this.#onOversize(item);
      else if (item.kind === 'junk') this.#onJunk(item.reason, item.text, item.framing);
      else if (item.reason === 'stray') this.#onStray(item.text);
      else this.#remark(item.reason, item.text);
    }
  }

  #onMessage(value: unknown, text: string): void {
    if (Array.isArray(value)) {
      this.#onBatch(value, text);
      return;
    }
    if (typeof value !== 'object' || value === null) {
      if (this.#isServer) this.#post(invalidText(undefined, 'a message must be an object'));
      else this.#onStray(text);
      return;
    }
    const message = value as RawMessage;
    const { method } = message;
    if (typeof method === 'string' && message.id === undefined)
      this.#onNotification(method, message, text);
    else if (this.#isAnswer(message)) this.#outbound.accept(message);
    else if (this.#isServer || (typeof method === 'string' && message.jsonrpc === '2.0')) {
      this.#inbound.accept(message, text);
    } else this.#onStray(text);
  }

  /** A message that cannot be processed fails alone: nothing that arrives may end the process. */
  #onMessageFailure(value: unknown, text: string, cause: unknown): void {
    this.#remark('message-failed', 'a message could not be processed', cause);
    if (!isCall(value)) return;
    const key = idText((value as RawMessage).id, text);
    if (key === undefined) return;
    this.#post(errorText(key, { code: ErrorCode.InternalError, message: 'Internal error' }));
  }

  #isAnswer(message: RawMessage): boolean {
    const { jsonrpc, id, method } = message;
    // An "error" without an id or a version is what a JSON logger writes.
    if (isResponse(message)) return jsonrpc !== undefined || id !== undefined;
    // An id and nothing else is an answer gone wrong; to a server it is a request gone wrong.
    return !this.#isServer && jsonrpc === '2.0' && id !== undefined && method === undefined;
  }

  #onBatch(values: readonly unknown[], text: string): void {
    const answers = values.filter(isResponse) as RawMessage[];
    if (answers.length > 0) this.#outbound.acceptBatch(answers);
    if (answers.length > 0 && answers.length === values.length) return;
    const isClean = values.every((value) => isCall(value) || isResponse(value));
    if (!this.#isServer && !(isClean && values.length > 0)) this.#onStray(text);
    else this.#inbound.acceptBatch(values, text);
  }

  #onNotification(method: string, message: RawMessage, text: string): void {
    const first = method.charCodeAt(0);
    // Only `notifications/…` and `$/…` can be about calls: the rest is spared the comparisons.
    if ((first === 0x6e || first === 0x24) && this.#onControl(message, text)) return;
    if (!this.#isServer && message.jsonrpc !== '2.0') this.#onStray(text);
    else this.#inbound.accept(message, text);
  }

  #onControl({ method, id, params }: RawMessage, text: string): boolean {
    if (typeof method !== 'string' || id !== undefined) return false;
    const cancelled = cancelledId(method, params);
    if (cancelled === undefined) return this.#onProgress(method, params);
    this.#inbound.cancel(method, params, text);
    return true;
  }

  #onProgress(method: string, params: unknown): boolean {
    if (typeof params !== 'object' || params === null) return false;
    const report = readProgress(method, params);
    if (report === undefined) return false;
    try {
      return this.#outbound.progress(report.token, report.progress);
    } catch (error) {
      this.#remark('listener-failed', 'a progress callback threw', error);
      return true;
    }
  }

  #onOversize({ head, size, limit, framing }: DecodedOversize): void {
    if (!this.#hasReceived && this.#isServer) this.#useFraming(framing);
    const said = `a message of ${size} bytes is over the limit of ${limit}`;
    if (this.#options.oversize === 'fail') {
      this.#onFailure(new WireError('TOO_LARGE', said));
      return;
    }
    this.#remark('oversize', said);
    if (!this.#isServer && framing === 'line' && !/^\s*[{[]/.test(head)) {
      this.#onStray(head);
      return;
    }
    const raw = findRawId(head);
    const isCallHead = /"method"\s*:/.test(head);
    if (!isCallHead) {
      const id: unknown = raw === undefined ? undefined : JSON.parse(raw);
      if (this.#outbound.tooLarge(id, new WireError('TOO_LARGE', said))) return;
    }
    // The client end answers requests alone.
    if (!this.#isServer && !(isCallHead && raw !== undefined)) return;
    const error = { code: ErrorCode.InvalidRequest, message: said, data: { limit, size } };
    this.#post(errorText(raw ?? 'null', error));
  }

  #onJunk(reason: string, text: string, framing: Framing): void {
    if (!this.#isServer) {
      this.#onStray(text);
      return;
    }
    this.#strays++;
    if (!this.#hasReceived) this.#useFraming(framing);
    this.#remark('junk', `${reason}: ${excerpt(text)}`);
    const answer = this.#junkAnswers.next(reason, performance.now());
    if (answer !== undefined) this.#post(answer);
  }

  #onStray(text: string): void {
    this.#strays++;
    try {
      this.#tap?.stray?.('stdout', text);
    } catch (cause) {
      this.#remark('listener-failed', 'the tap threw', cause);
    }
    this.#tell('stray', text);
  }

  #onFailure(error: WireError): void {
    if (this.#isStopped) return;
    this.stopReading();
    this.#tell('failure', error);
  }

  /** Most often the other end is ending, and whoever stops us knows why: that reason comes first. */
  #onWriteFailure(error: WireError): void {
    setTimeout(() => {
      this.#writeFailure = error;
      this.#outbound.failUnsent(this.#writer.written, error);
    }, WRITE_FAILURE_LAG_MS).unref();
  }

  #settleFraming(framing: Framing, first: unknown): void {
    this.#hasReceived = true;
    // An answer proves that the server reads what this client writes.
    if (this.#isServer || !answersRequest(first)) this.#useFraming(framing);
  }

  #useFraming(framing: Framing): void {
    if (!this.#isFramingSettled) this.#writer.framing = framing;
  }

  #post(text: string): void {
    this.#tapOut(text);
    this.#writer.post(text);
  }

  /** Whether so much waits to be written that nothing may be added. */
  get #isCongested(): boolean {
    return this.#writer.queued > this.#maxQueued;
  }

  #queueFull(): WireError {
    return queueFull(this.#writer.queued, this.#maxQueued);
  }

  #tapOut(text: string): void {
    if (this.#tap !== undefined) this.#tapFrame(this.#outward, text, this.#writer.framing);
  }

  #tapIn(text: string, framing: Framing): void {
    if (this.#tap !== undefined) this.#tapFrame(this.#inward, text, framing);
  }

  #tapFrame(direction: Direction, text: string, framing: Framing): void {
    try {
      this.#tap?.frame(direction, text, framing);
    } catch (cause) {
      this.#remark('listener-failed', 'the tap threw', cause);
    }
  }

  get #outward(): Direction {
    return this.#isServer ? 'server→client' : 'client→server';
  }

  get #inward(): Direction {
    return this.#isServer ? 'client→server' : 'server→client';
  }

  /** The pipe is the back-pressure: what cannot be worked on or sent stays in it. */
  #balance(): void {
    const inbound = this.#inbound;
    // While a handler waits for the other end's answer, that answer may be behind the next request.
    const isCrowded = inbound.queuedChars > this.#maxQueued && this.#outbound.pending === 0;
    const isFull = isCrowded || (this.#isServer && this.#isCongested);
    if (isFull === this.#isPaused || this.#isStopped) return;
    this.#isPaused = isFull;
    if (isFull) this.#input.pause();
    else this.#input.resume();
  }

  #watchPartial(): void {
    if (!this.#decoder.isInsideMessage) {
      if (this.#partialTimer !== undefined) {
        clearTimeout(this.#partialTimer);
        this.#partialTimer = undefined;
      }
      return;
    }
    const received = this.#received;
    this.#partialTimer ??= setTimeout(() => {
      this.#partialTimer = undefined;
      if (received === this.#received) {
        this.#remark('partial-message', `an unfinished message: ${this.#decoder.partialHead}`);
      } else this.#watchPartial();
    }, this.#partialMs).unref();
  }

  #describeSilence(): string {
    if (this.#hasReceived) return '';
    const isGuessing = !this.#isFramingSettled && this.#writer.framing === 'line';
    const hint = isGuessing
      ? '; if it expects Content-Length frames, set `framing` to `header`'
      : '';
    const seen = this.#strays > 0 ? `only ${this.#strays} lines of stray text` : 'nothing';
    return `: the other end has sent ${seen} so far${hint}`;
  }

  #remark(code: Remark['code'], message: string, cause?: unknown): void {
    if (this.listenerCount('remark') === 0) return;
    this.#tell('remark', cause === undefined ? { code, message } : { code, message, cause });
  }

  /** A listener that throws must not end the connection. */
  #tell<K extends keyof PeerEvents>(event: K, ...args: PeerEvents[K]): void {
    try {
      (this.emit as (event: K, ...args: PeerEvents[K]) => boolean).call(this, event, ...args);
    } catch (cause) {
      if (event !== 'remark')
        this.#remark('listener-failed', `a listener of \`${event}\` threw`, cause);
    }
  }
}

function isCall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { jsonrpc, method } = value as RawMessage;
  return jsonrpc === '2.0' && typeof method === 'string';
}

/** Whoever awaits the promise sees the error; whoever does not must not be ended by it. */
function quiet(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}
