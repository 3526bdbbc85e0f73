import type { ServerResponse } from 'node:http';
import { EventStream } from './event-stream.ts';

/** HTTP status of JSON-RPC errors that concern the request rather than its outcome. */
const STATUS_OF_CODE: Readonly<Record<number, number>> = {
  [-32700]: 400,
  [-32600]: 400,
  [-32601]: 404,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** The answer to one POST: plain JSON, or a stream from the moment something else has to be said first. */
export class Reply {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  #stream: EventStream | undefined;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    this.#headers = headers;
  }

  /** The stream of this reply, opened when first asked for. */
  get stream(): EventStream {
    this.#stream ??= new EventStream(this.#response, this.#headers);
    return this.#stream;
  }

  get isStreaming(): boolean {
    return this.#stream !== undefined;
  }

  /** Ends with the answer, or with nothing but an acknowledgement. */
  finish(answer: string | undefined, status = 200): void {
    if (this.#stream !== undefined) {
      if (answer !== undefined) this.#stream.send(answer);
      this.#stream.end();
    } else if (answer === undefined) this.empty(202);
    else this.json(answer, status);
  }

  json(text: string, status = 200): void {
    this.#response.writeHead(status, { 'content-type': 'application/json', ...this.#headers });
    this.#response.end(text);
  }

  empty(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, { ...this.#headers, ...headers });
    this.#response.end();
  }

  /** Refuses a request before it was understood. */
  error(status: number, code: number, message: string, id: unknown = null, data?: unknown): void {
    const error = data === undefined ? { code, message } : { code, message, data };
    this.json(JSON.stringify({ jsonrpc: '2.0', id, error }), status);
  }
}

/** Status for an answer of the modern era, where errors of the request are errors of HTTP too. */
export function statusOf(answer: string | undefined): number {
  if (answer === undefined || !answer.includes('"error"')) return 200;
  const { error } = JSON.parse(answer) as { error?: { code?: unknown } };
  return typeof error?.code === 'number' ? (STATUS_OF_CODE[error.code] ?? 200) : 200;
}
