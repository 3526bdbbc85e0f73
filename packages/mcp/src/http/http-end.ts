import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode, WireError } from 'tincan-wire';
import { LEGACY_VERSIONS } from '../protocol/revisions.ts';
import { type AccessOptions, isToken, refuse } from './access.ts';
import { AnswerQueue } from './answer-queue.ts';
import type { HttpBackend } from './backend.ts';
import { sendRefusal } from './guard.ts';
import { LegacySession } from './legacy-session.ts';
import { isModernPost, type PostedMessage, serveModernPost } from './modern-post.ts';
import { discardBody, readBody, sendBodyProblem } from './read-body.ts';
import { Reply } from './reply.ts';

/** Settings of an {@link HttpEnd}. */
export interface HttpEndOptions extends AccessOptions {
  /** Largest body accepted. Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Legacy sessions at the same time; beyond it new ones are refused. Default 1,000. */
  readonly maxSessions?: number;
  /** A legacy session without a call or an open stream ends after this time. Default 600,000. */
  readonly sessionTimeoutMs?: number;
  /** Bounds the answers that wait to be read; give one to share it with other listeners. */
  readonly answers?: AnswerQueue;
}

/** The Streamable HTTP end of a server, both eras: a listener for `node:http`. */
export class HttpEnd implements AsyncDisposable {
  readonly #backend: HttpBackend;
  readonly #options: HttpEndOptions;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #live = new Set<AbortController>();
  readonly #answers: AnswerQueue;
  #opening = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(backend: HttpBackend, options: HttpEndOptions = {}) {
    const { token } = options;
    if (typeof token === 'string' && !isToken(token)) {
      throw new WireError('BAD_OPTION', 'expected `token` to be visible ASCII without spaces');
    }
    this.#backend = backend;
    this.#options = options;
    this.#answers = options.answers ?? new AnswerQueue();
  }

  /** Serves one HTTP request. Never rejects. */
  readonly listener = (request: IncomingMessage, response: ServerResponse): void => {
    this.#serve(request, response).catch((error: unknown) => {
      const reply = new Reply(response);
      // Why it could not, with paths and all, is for the one who runs this.
      const isSpawn = error instanceof WireError && error.code === 'SPAWN';
      if (response.headersSent) response.destroy();
      else if (isSpawn)
        reply.error(502, ErrorCode.InternalError, 'the server could not be started');
      else reply.error(500, ErrorCode.InternalError, 'Internal error');
    });
  };

  /** Ends every session and stream. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    for (const abort of this.#live) abort.abort();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map((session) => session.close()));
    await this.#backend.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = new Reply(response);
    const refusal = refuse(request, this.#options);
    if (refusal !== undefined) {
      sendRefusal(request, response, refusal);
      return;
    }
    if (!(await this.#answers.admit(request, response))) return;
    if (request.method === 'POST') await this.#post(request, response, reply);
    else if (request.method === 'GET') this.#get(request, response, reply);
    else if (request.method === 'DELETE') await this.#delete(request, reply);
    else reply.empty(405, { allow: 'POST, GET, DELETE' });
  }

  async #post(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
    const { headers } = request;
    if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
      discardBody(request);
      reply.error(
        415,
        ErrorCode.InvalidRequest,
        'expected `content-type` to be `application/json`',
      );
      return;
    }
    const { maxBodyBytes = 4 * 1024 * 1024 } = this.#options;
    const body = await readBody(request, { maxBytes: maxBodyBytes });
    if ('problem' in body) {
      sendBodyProblem(response, body.problem, maxBodyBytes);
      return;
    }
    const { text } = body;
    // Others may have filled the queue while the body came.
    if (!(await this.#answers.admit(request, response))) return;
    const value = parseBody(text);
    if (value === undefined) {
      reply.error(400, ErrorCode.ParseError, 'Parse error');
      return;
    }
    const messages = (Array.isArray(value) ? value : [value]) as PostedMessage[];
    const [first] = messages;
    if (
      first === undefined ||
      messages.some((message) => typeof message !== 'object' || message === null)
    ) {
      reply.error(400, ErrorCode.InvalidRequest, 'Invalid Request');
      return;
    }
    if (!Array.isArray(value) && isModernPost(headers, first)) {
      await this.#postModern({ message: first, text, headers }, response, reply);
    } else await this.#postLegacy(messages, text, { request, response, reply });
  }

  async #postModern(
    posted: Parameters<typeof serveModernPost>[1],
    response: ServerResponse,
    reply: Reply,
  ): Promise<void> {
    const abort = new AbortController();
    this.#live.add(abort);
    response.once('close', () => {
      if (!response.writableFinished) abort.abort();
    });
    try {
      await serveModernPost(await this.#backend.modern(), posted, { reply, signal: abort.signal });
    } finally {
      this.#live.delete(abort);
    }
  }

  async #postLegacy(
    messages: readonly PostedMessage[],
    text: string,
    {
      request,
      response,
      reply,
    }: { request: IncomingMessage; response: ServerResponse; reply: Reply },
  ): Promise<void> {
    if (!accepts(request, 'application/json') || !accepts(request, 'text/event-stream')) {
      const message = 'expected `accept` to list `application/json` and `text/event-stream`';
      reply.error(406, ErrorCode.InvalidRequest, message);
      return;
    }
    if (messages.length === 1 && messages[0]?.method === 'initialize') {
      const session = await this.#open(reply);
      if (session === undefined) return;
      await session.post(messages, text, new Reply(response, { 'mcp-session-id': session.id }));
      return;
    }
    const session = this.#sessionOf(request, reply);
    if (session === undefined) return;
    await session.post(messages, text, new Reply(response, { 'mcp-session-id': session.id }));
  }

  #get(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
    if (request.headers['mcp-session-id'] === undefined) {
      reply.empty(405, { allow: 'POST' });
      return;
    }
    if (!accepts(request, 'text/event-stream')) {
      reply.error(406, ErrorCode.InvalidRequest, 'expected `accept` to list `text/event-stream`');
      return;
    }
    const session = this.#sessionOf(request, reply);
    const lastEventId = request.headers['last-event-id'];
    session?.listen(response, typeof lastEventId === 'string' ? lastEventId : undefined);
  }

  async #delete(request: IncomingMessage, reply: Reply): Promise<void> {
    if (request.headers['mcp-session-id'] === undefined) {
      reply.empty(405, { allow: 'POST' });
      return;
    }
    const session = this.#sessionOf(request, reply);
    if (session === undefined) return;
    this.#sessions.delete(session.id);
    await session.close();
    reply.empty(204);
  }

  /** The session a request names; answers it when there is none. */
  #sessionOf(request: IncomingMessage, reply: Reply): LegacySession | undefined {
    const { 'mcp-session-id': id, 'mcp-protocol-version': version } = request.headers;
    if (typeof version === 'string' && !LEGACY_VERSIONS.some((known) => known === version)) {
      reply.error(400, ErrorCode.InvalidRequest, `unsupported protocol version \`${version}\``);
      return undefined;
    }
    if (typeof id !== 'string') {
      const message = 'expected the header `mcp-session-id`, or `_meta` of a modern request';
      reply.error(400, ErrorCode.InvalidParams, message);
      return undefined;
    }
    const session = this.#sessions.get(id);
    if (session === undefined)
      reply.error(404, ErrorCode.InvalidRequest, 'no such session; initialize again');
    return session;
  }

  /** A new session; answers the request when there are too many. */
  async #open(reply: Reply): Promise<LegacySession | undefined> {
    const { maxSessions = 1000, sessionTimeoutMs = 600_000 } = this.#options;
    if (this.#sessions.size + this.#opening >= maxSessions) {
      const message = `expected at most ${maxSessions} sessions; end one, or try again later`;
      reply.error(503, ErrorCode.InternalError, message);
      return undefined;
    }
    this.#opening++;
    try {
      const session = await LegacySession.open(this.#backend);
      this.#sessions.set(session.id, session);
      const everyMs = Math.min(30_000, Math.ceil(sessionTimeoutMs / 4));
      this.#sweep ??= setInterval(() => this.#endIdle(sessionTimeoutMs), everyMs).unref();
      return session;
    } finally {
      this.#opening--;
    }
  }

  #endIdle(sessionTimeoutMs: number): void {
    for (const session of this.#sessions.values()) {
      if (session.idleMs < sessionTimeoutMs) continue;
      this.#sessions.delete(session.id);
      session.close().catch(() => undefined);
    }
  }
}

function accepts(request: IncomingMessage, type: string): boolean {
  const { accept = '' } = request.headers;
  return accept.includes(type) || accept.includes('*/*');
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller answers with a parse error.
    return undefined;
  }
}
