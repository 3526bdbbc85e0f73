import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  ErrorCode,
  handleMessage,
  type Outlet,
  type RequestOptions,
  RpcError,
  WireError,
} from 'tincan-wire';
import type { BackendSession, HttpBackend } from './backend.ts';
import { EventLog } from './event-log.ts';
import { EventStream } from './event-stream.ts';
import type { PostedMessage } from './modern-post.ts';
import type { Reply } from './reply.ts';

/** Stream for what belongs to no request. */
const STANDALONE = 'session';
/** How soon a client may come back to a stream that ended early. */
const RETRY_MS = 1000;

/** One legacy session over HTTP: its requests, its streams, and the requests the server made in it. */
export class LegacySession {
  readonly id: string = randomUUID();
  readonly #log = new EventLog();
  readonly #streams = new Map<string, EventStream>();
  readonly #running = new Map<string, AbortController>();
  readonly #asked = new Map<number, (message: PostedMessage) => void>();
  #backend: BackendSession | undefined;
  #nextStream = 0;
  #posts = 0;
  #usedAt = performance.now();
  #nextAsked = 1;

  static async open(backend: HttpBackend): Promise<LegacySession> {
    const session = new LegacySession();
    await session.#openBackend(backend);
    return session;
  }

  async #openBackend(backend: HttpBackend): Promise<void> {
    this.#backend = await backend.open(this.#outlet(STANDALONE));
  }

  /** Time since the last call or stream ended; 0 while there is one. */
  get idleMs(): number {
    const isBusy = this.#posts > 0 || [...this.#streams.values()].some(({ isOpen }) => isOpen);
    return isBusy ? 0 : performance.now() - this.#usedAt;
  }

  /** Serves one POST of this session. A lost connection does not cancel: the client may come back for the answer. */
  async post(messages: readonly PostedMessage[], text: string, reply: Reply): Promise<void> {
    this.#posts++;
    try {
      await this.#serve(messages, text, reply);
    } finally {
      this.#posts--;
      this.#usedAt = performance.now();
    }
  }

  async #serve(messages: readonly PostedMessage[], text: string, reply: Reply): Promise<void> {
    for (const message of messages) this.#observe(message);
    const requests = messages.filter(({ id, method }) => method !== undefined && id !== undefined);
    if (messages.every(isAnswer)) {
      reply.empty(202);
      return;
    }
    const stream = `post${this.#nextStream++}`;
    const abort = new AbortController();
    const keys = requests.map(({ id }) => JSON.stringify(id));
    for (const key of keys) this.#running.set(key, abort);
    const outlet = this.#outlet(stream, reply);
    const methods = this.#backend?.methods ?? { find: () => undefined };
    const answer = await handleMessage(methods, text, { signal: abort.signal, outlet });
    for (const key of keys) this.#running.delete(key);
    const isWanted = !abort.signal.aborted;
    if (!reply.isStreaming) {
      reply.finish(isWanted ? answer : undefined);
      return;
    }
    if (answer !== undefined && isWanted) this.#send(stream, answer);
    this.#streams.get(stream)?.end();
    this.#streams.delete(stream);
  }

  /** Serves a GET: the stream of what belongs to no request, or one that was cut off. */
  listen(response: ServerResponse, lastEventId: string | undefined): void {
    const stream = lastEventId === undefined ? STANDALONE : this.#log.streamOf(lastEventId);
    const events = new EventStream(response, { 'mcp-session-id': this.id });
    this.#streams.set(stream, events);
    response.once('close', () => {
      this.#usedAt = performance.now();
    });
    if (lastEventId === undefined) return;
    for (const { id, text } of this.#log.after(lastEventId)) events.send(text, id);
  }

  async close(): Promise<void> {
    for (const abort of this.#running.values())
      abort.abort(new WireError('SHUTDOWN', 'the session ended'));
    for (const stream of this.#streams.values()) stream.end();
    for (const settle of this.#asked.values()) settle({});
    await this.#backend?.close();
  }

  #observe(message: PostedMessage): void {
    if (message.method === 'notifications/cancelled') {
      const id: unknown = Reflect.get(message.params ?? {}, 'requestId');
      this.#running
        .get(JSON.stringify(id) ?? '')
        ?.abort(new WireError('CANCELLED', 'the client cancelled'));
    }
    if (isAnswer(message) && typeof message.id === 'number') this.#asked.get(message.id)?.(message);
  }

  #outlet(stream: string, reply?: Reply): Outlet {
    const open = (): void => {
      if (reply === undefined || this.#streams.has(stream)) return;
      const events = reply.stream;
      this.#streams.set(stream, events);
      events.prime(this.#log.add(stream, '').id, RETRY_MS);
    };
    return {
      notify: async (method, params) => {
        open();
        this.#send(stream, JSON.stringify({ jsonrpc: '2.0', method, params }));
      },
      request: (method, params, options = {}) => {
        open();
        return this.#ask(stream, { method, params }, options);
      },
    };
  }

  /** Sends a request of the server to the client, which answers it with a POST of its own. */
  #ask(
    stream: string,
    { method, params }: { readonly method: string; readonly params: object | undefined },
    { signal }: RequestOptions,
  ): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(cancelled(signal));
    const id = this.#nextAsked++;
    return new Promise((resolve, reject) => {
      const settle = (
        message: PostedMessage & { result?: unknown; error?: RpcErrorLike },
      ): void => {
        this.#asked.delete(id);
        if (message.error !== undefined) {
          const {
            code = ErrorCode.InternalError,
            message: said = 'the client failed',
            data,
          } = message.error;
          reject(new RpcError(code, said, data));
        } else if (message.result !== undefined) resolve(message.result);
        else reject(new WireError('SHUTDOWN', 'the session ended'));
      };
      this.#asked.set(id, settle);
      signal?.addEventListener(
        'abort',
        () => {
          this.#asked.delete(id);
          reject(cancelled(signal));
        },
        { once: true },
      );
      this.#send(stream, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  #send(stream: string, text: string): void {
    const { id } = this.#log.add(stream, text);
    const events = this.#streams.get(stream);
    if (events?.isOpen) events.send(text, id);
  }
}

function cancelled({ reason }: AbortSignal): WireError {
  return new WireError('CANCELLED', 'the request was cancelled', { cause: reason });
}

interface RpcErrorLike {
  readonly code?: number;
  readonly message?: string;
  readonly data?: unknown;
}

function isAnswer(message: PostedMessage): boolean {
  return message.method === undefined && ('result' in message || 'error' in message);
}
