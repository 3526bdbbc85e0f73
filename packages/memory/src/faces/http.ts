import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { McpServer } from '@tincan/mcp';
import { type AccessOptions, HttpEnd, readBody, refuse, serverBackend } from '@tincan/mcp/http';
import { ErrorCode, handleMessage, type MethodTable } from '@tincan/wire';
import { VERSION } from '../version.ts';
import { answerCors } from './cors.ts';

/** Connections that may wait to be accepted; Node's own default turns a rush of clients away. */
const BACKLOG = 4096;
/** Longer than the pauses of an agent, so that its next request does not meet a closing connection. */
const KEEP_ALIVE_MS = 75_000;

/** What the HTTP face serves, where and for whom. */
export interface HttpFaceOptions {
  readonly methods: MethodTable;
  readonly mcp: McpServer;
  readonly host: string;
  readonly port: number;
  readonly access: AccessOptions;
  readonly maxBodyBytes: number;
}

/** `/rpc`, `/mcp` and `/health` on one port. */
export class HttpFace implements AsyncDisposable {
  readonly #options: HttpFaceOptions;
  readonly #mcp: HttpEnd;
  readonly #server: Server;

  private constructor(options: HttpFaceOptions) {
    const { access, maxBodyBytes } = options;
    this.#options = options;
    this.#mcp = new HttpEnd(serverBackend(options.mcp), { ...access, maxBodyBytes });
    this.#server = createServer((request, response) => {
      this.#route(request, response).catch(() => failRead(response));
    });
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  /** Resolves when the port is open. */
  static async open(options: HttpFaceOptions): Promise<HttpFace> {
    const face = new HttpFace(options);
    const { host, port } = options;
    await new Promise<void>((resolve, reject) => {
      face.#server.once('error', reject);
      face.#server.listen({ host, port, backlog: BACKLOG }, resolve);
    });
    return face;
  }

  /** Where it listens, without a path. */
  get url(): string {
    const address = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { host } = this.#options;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** Takes no new connection, lets requests under way finish for `drainMs`, then ends the rest. */
  async close({ drainMs = 2_000 }: { readonly drainMs?: number } = {}): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    await this.#mcp.close();
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), drainMs);
    await closed;
    clearTimeout(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access } = this.#options;
    const { token: _, ...open } = access;
    const [path] = (request.url ?? '').split('?', 1);
    const isHealth = path === '/health';
    // A browser asks beforehand without the token, and whoever watches the server has none.
    const isOpen = isHealth || request.method === 'OPTIONS';
    const refusal = refuse(request, isOpen ? open : access);
    if (refusal !== undefined) {
      request.resume();
      if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer');
      sendError(response, refusal.status, refusal.message);
    } else if (answerCors(request, response, access.allowedOrigins ?? [])) return;
    else if (path === '/rpc') await this.#rpc(request, response);
    else if (path === '/mcp') this.#mcp.listener(request, response);
    else if (isHealth) sendHealth(request, response);
    else {
      request.resume();
      sendError(response, 404, 'expected `/rpc`, `/mcp` or `/health`');
    }
  }

  async #rpc(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { methods, maxBodyBytes } = this.#options;
    if (request.method !== 'POST') {
      request.resume();
      response.setHeader('allow', 'POST');
      sendError(response, 405, 'expected the method `POST`');
      return;
    }
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
      request.resume();
      sendError(response, 415, 'expected `content-type` to be `application/json`');
      return;
    }
    const body = await readBody(request, maxBodyBytes);
    if (body === undefined) {
      sendError(response, 413, `expected a body of at most ${maxBodyBytes} bytes`);
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await handleMessage(methods, body, { signal: gone.signal });
    if (answer === undefined) response.writeHead(202).end();
    else sendJson(response, 200, answer);
  }
}

function sendHealth(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (request.method === 'GET' || request.method === 'HEAD') {
    sendJson(response, 200, JSON.stringify({ status: 'ok', version: VERSION }));
    return;
  }
  response.setHeader('allow', 'GET, HEAD');
  sendError(response, 405, 'expected the method `GET`');
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
