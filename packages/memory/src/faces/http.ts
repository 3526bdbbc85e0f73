import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from 'tincan-mcp';
import {
  type AccessOptions,
  AnswerQueue,
  discardBody,
  guard,
  HttpEnd,
  HttpListener,
  readBody,
  refuseForeign,
  sendBodyProblem,
  serverBackend,
} from 'tincan-mcp/http';
import { ErrorCode, handleMessage, type MethodTable } from 'tincan-wire';
import { answerCors } from './cors.ts';

/** What the HTTP face serves, where and for whom. */
export interface HttpFaceOptions {
  readonly methods: MethodTable;
  readonly mcp: McpServer;
  readonly host: string;
  readonly port: number;
  readonly access: AccessOptions;
  readonly maxBodyBytes: number;
  /** How long an MCP session may be without traffic. */
  readonly sessionTimeoutMs?: number | undefined;
}

/** `/rpc`, `/mcp` and `/health` on one port. */
export class HttpFace implements AsyncDisposable {
  readonly #options: HttpFaceOptions;
  readonly #mcp: HttpEnd;
  readonly #answers = new AnswerQueue();
  #listener: HttpListener | undefined;

  private constructor(options: HttpFaceOptions) {
    const { access, maxBodyBytes, sessionTimeoutMs } = options;
    this.#options = options;
    this.#mcp = new HttpEnd(serverBackend(options.mcp), {
      ...access,
      maxBodyBytes,
      answers: this.#answers,
      ...(sessionTimeoutMs !== undefined && { sessionTimeoutMs }),
    });
  }

  /** Resolves when the port is open. */
  static async open(options: HttpFaceOptions): Promise<HttpFace> {
    const face = new HttpFace(options);
    await face.#listen();
    return face;
  }

  /** Where it listens, without a path. */
  get url(): string {
    return this.#listener?.url ?? '';
  }

  /** Resolves when the clients have read enough of their answers for another one to be made. */
  room(): Promise<void> {
    return this.#answers.room();
  }

  /** Takes no new connection, lets requests under way finish for `drainMs`, then ends the rest. */
  async close(options: { readonly drainMs?: number } = {}): Promise<void> {
    await Promise.all([this.#listener?.close(options), this.#mcp.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #listen(): Promise<void> {
    this.#listener = await HttpListener.open((request, response) => {
      this.#route(request, response).catch(() => failRead(response));
    }, this.#options);
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access } = this.#options;
    const isForeign = refuseForeign(request, access) !== undefined;
    if (!isForeign && answerCors(request, response, access.allowedOrigins ?? [])) return;
    if (guard(request, response, access)) return;
    const [path] = (request.url ?? '').split('?', 1);
    if (path === '/rpc') await this.#rpc(request, response);
    else if (path === '/mcp') this.#mcp.listener(request, response);
    else {
      discardBody(request);
      sendError(response, 404, 'expected `/rpc`, `/mcp` or `/health`');
    }
  }

  async #rpc(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { methods, maxBodyBytes } = this.#options;
    if (request.method !== 'POST') {
      discardBody(request);
      response.setHeader('allow', 'POST');
      sendError(response, 405, 'expected the method `POST`');
      return;
    }
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
      discardBody(request);
      sendError(response, 415, 'expected `content-type` to be `application/json`');
      return;
    }
    if (!(await this.#answers.admit(request, response))) return;
    const body = await readBody(request, { maxBytes: maxBodyBytes });
    if ('problem' in body) {
      sendBodyProblem(response, body.problem, maxBodyBytes);
      return;
    }
    // Others may have filled the queue while the body came.
    if (!(await this.#answers.admit(request, response))) return;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await handleMessage(methods, body.text, { signal: gone.signal });
    if (answer === undefined) response.writeHead(202).end();
    else sendJson(response, 200, answer);
  }
}

/** The body broke off or came garbled: nothing that was asked could be told. */
function failRead(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else sendError(response, 400, 'the request could not be read');
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const error = { code: ErrorCode.InvalidRequest, message };
  sendJson(response, status, JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}
