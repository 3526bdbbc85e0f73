import { PassThrough, type Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorCode, WireError } from 'tincan-wire';
import { META_VERSION, metaOf } from '../protocol/envelope.ts';
import { encodeHeaderValue } from '../protocol/header-value.ts';
import { type ParamHeader, paramHeadersOf } from '../protocol/param-headers.ts';
import { isToken } from './access.ts';
import { readAnswer, readEvents } from './event-parser.ts';
import { NAMED_PARAMETER, type PostedMessage } from './modern-post.ts';

/** Where a server is, and what to send along. */
export interface HttpServerAddress {
  readonly url: string | URL;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Token to send as `Authorization: Bearer …`. */
  readonly token?: string;
}

/** A remote server as a pair of byte streams that speak newline-delimited JSON-RPC, as a process would. */
export interface HttpStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the session, if there is one, and every stream. */
  close(): Promise<void>;
}

const DEFAULT_RETRY_MS = 1000;
const MAX_RECONNECTS = 5;

/** Opens a remote server over Streamable HTTP. Nothing is sent before the first message. */
export function openHttpStreams(address: HttpServerAddress): HttpStreams {
  return new RemoteServer(address);
}

class RemoteServer implements HttpStreams {
  readonly input = new PassThrough();
  readonly output: Writable;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #abort = new AbortController();
  readonly #requests = new Map<string, AbortController>();
  /** Arguments to repeat in headers, by tool; learnt from the lists that pass by. */
  readonly #paramHeaders = new Map<string, readonly ParamHeader[]>();
  #sessionId: string | undefined;
  #version: string | undefined;
  #rest = '';
  /** What must have arrived before the next message is sent. */
  #gate: Promise<unknown> = Promise.resolve();

  constructor({ url, headers = {}, token }: HttpServerAddress) {
    if (token !== undefined && !isToken(token)) {
      throw new WireError('BAD_OPTION', 'expected `token` to be visible ASCII without spaces');
    }
    this.#url = new URL(url);
    this.#headers = {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    this.output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#take(chunk.toString('utf8'));
        done();
      },
      final: (done) => {
        done();
        void this.close();
      },
    });
  }

  async close(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    const sessionId = this.#sessionId;
    this.#abort.abort();
    if (sessionId !== undefined) {
      const headers = { ...this.#headers, ...this.#sessionHeaders() };
      // The session would expire anyway; a server that cannot be told does no harm.
      await fetch(this.#url, {
        method: 'DELETE',
        headers,
        signal: AbortSignal.timeout(2000),
      }).catch(() => undefined);
    }
    this.input.end();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() === '') continue;
      const posted = this.#gate.then(() => this.#post(line));
      // Each POST travels alone, so that requests after the handshake could overtake its last message.
      if (line.includes('"notifications/initialized"')) this.#gate = posted;
    }
  }

  async #post(line: string): Promise<void> {
    const message = JSON.parse(line) as PostedMessage;
    const key = message.method === undefined ? '' : (JSON.stringify(message.id) ?? '');
    const isModern = metaOf(message.params)?.[META_VERSION] !== undefined;
    if (this.#cancelStream(message)) return;
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.#abort.signal]);
    if (key !== '' && isModern) this.#requests.set(key, abort);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(isModern ? modernHeaders(message, this.#paramHeaders) : this.#sessionHeaders()),
          ...this.#headers,
        },
        body: line,
        signal,
      });
      if (!isModern) this.#sessionId = response.headers.get('mcp-session-id') ?? this.#sessionId;
      await this.#read(response, key, message, signal);
      if (message.method === 'notifications/initialized') await this.#listen();
    } catch (error) {
      if (signal.aborted || key === '') return;
      const problem = error instanceof WireError ? 'bad answer from' : 'could not reach';
      this.#fail(message.id, `${problem} ${this.#place}: ${reasonOf(error)}`);
    } finally {
      this.#requests.delete(key);
    }
  }

  /** In the modern era a request is cancelled by closing its stream. */
  #cancelStream({ method, params }: PostedMessage): boolean {
    if (method !== 'notifications/cancelled') return false;
    const id: unknown = Reflect.get(params ?? {}, 'requestId');
    const request = this.#requests.get(JSON.stringify(id) ?? '');
    request?.abort();
    return request !== undefined;
  }

  async #read(
    response: Response,
    key: string,
    message: PostedMessage,
    signal: AbortSignal,
  ): Promise<void> {
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('text/event-stream') && response.body !== null) {
      const isModern = metaOf(message.params)?.[META_VERSION] !== undefined;
      // A modern request ends with its stream; there is nothing to come back to.
      const isAnswered = await this.#readStream(response, key, signal, !isModern);
      if (!isAnswered && key !== '') {
        this.#fail(message.id, `the stream from ${this.#place} ended before its answer`);
      }
      return;
    }
    const text = response.body === null ? '' : await readAnswer(bytesOf(response.body));
    const isJson = type.includes('application/json') && text !== '';
    if (key === '') {
      if (isJson) this.#deliver(text);
    } else if (isJson && isAnswerTo(text, key)) this.#deliver(text);
    else {
      const reason = isJson ? errorMessageOf(text) : undefined;
      const status = `the server answered HTTP ${response.status}`;
      this.#fail(message.id, reason ?? status);
    }
  }

  /**
   * Delivers a stream to its end; when it ends before its answer, comes back for the rest. Resolves with
   * whether the answer came.
   */
  async #readStream(
    first: Response,
    key: string,
    signal: AbortSignal,
    isResumable = true,
  ): Promise<boolean> {
    let response: Response = first;
    let lastId: string | undefined;
    let retryMs = DEFAULT_RETRY_MS;
    for (let attempt = 0; attempt <= MAX_RECONNECTS; attempt++) {
      if (!response.ok || response.body === null) return false;
      try {
        for await (const event of readEvents(bytesOf(response.body))) {
          lastId = event.id ?? lastId;
          retryMs = event.retryMs ?? retryMs;
          if (event.data === '') continue;
          // A server that goes on sending may end its stream as often as it likes.
          attempt = 0;
          this.#deliver(event.data);
          if (key !== '' && isAnswerTo(event.data, key)) return true;
        }
      } catch (error) {
        if (signal.aborted || error instanceof WireError) throw error;
        // A broken stream is a stream that ended early.
      }
      if (lastId === undefined || !isResumable) return false;
      await delay(retryMs, undefined, { signal });
      response = await this.#openStream({ 'last-event-id': lastId }, signal);
    }
    return false;
  }

  /** Listens to what belongs to no request; resolves when the stream is open. Not every server has one. */
  async #listen(): Promise<void> {
    const { signal } = this.#abort;
    const response = await this.#openStream({}, signal).catch(() => undefined);
    if (response?.ok) this.#readStream(response, '', signal).catch(() => undefined);
    else await response?.body?.cancel();
  }

  #openStream(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    return fetch(this.#url, {
      headers: {
        accept: 'text/event-stream',
        ...this.#sessionHeaders(),
        ...this.#headers,
        ...headers,
      },
      signal,
    });
  }

  #sessionHeaders(): Record<string, string> {
    return {
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  #deliver(text: string): void {
    const value: unknown = JSON.parse(text);
    const { protocolVersion, tools } = (Reflect.get(value as object, 'result') ?? {}) as {
      protocolVersion?: unknown;
      tools?: unknown;
    };
    if (typeof protocolVersion === 'string') this.#version = protocolVersion;
    for (const { name, inputSchema } of Array.isArray(tools) ? tools : []) {
      this.#paramHeaders.set(name, paramHeadersOf(inputSchema) ?? []);
    }
    if (!this.input.writableEnded) this.input.write(`${JSON.stringify(value)}\n`);
  }

  /** The address without what may be secret in it. */
  get #place(): string {
    return `${this.#url.origin}${this.#url.pathname}`;
  }

  #fail(id: unknown, message: string): void {
    this.#deliver(
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } }),
    );
  }
}

/** The types of the compiler's library do not say that a body can be iterated. */
function bytesOf(body: NonNullable<Response['body']>): AsyncIterable<Uint8Array> {
  return body as unknown as AsyncIterable<Uint8Array>;
}

/** The innermost reason: that a fetch failed helps nobody. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

function modernHeaders(
  { method, params }: PostedMessage,
  marked: ReadonlyMap<string, readonly ParamHeader[]>,
): Record<string, string> {
  const member = typeof method === 'string' ? NAMED_PARAMETER[method] : undefined;
  const name: unknown = member === undefined ? undefined : Reflect.get(params ?? {}, member);
  return {
    'mcp-protocol-version': String(metaOf(params)?.[META_VERSION]),
    'mcp-method': String(method),
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
    ...(method === 'tools/call' && argumentHeaders(params, marked.get(String(name)) ?? [])),
  };
}

function argumentHeaders(params: unknown, marked: readonly ParamHeader[]): Record<string, string> {
  const args: unknown = Reflect.get((params ?? {}) as object, 'arguments');
  const headers: Record<string, string> = {};
  for (const { parameter, header } of marked) {
    const value: unknown = Reflect.get((args ?? {}) as object, parameter);
    if (value !== undefined && value !== null) headers[header] = encodeHeaderValue(String(value));
  }
  return headers;
}

function isAnswerTo(text: string, key: string): boolean {
  const value: unknown = JSON.parse(text);
  return (Array.isArray(value) ? value : [value]).some((message) => {
    const { id, method } = Object(message) as PostedMessage;
    return method === undefined && JSON.stringify(id) === key;
  });
}

/** What a server says in an error that names no request, as it does before it has read one. */
function errorMessageOf(text: string): string | undefined {
  const { error } = Object(JSON.parse(text)) as { error?: { message?: unknown } };
  return typeof error?.message === 'string' ? error.message : undefined;
}
