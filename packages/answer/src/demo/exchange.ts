import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type LooseObject, listOf, objectOf, textOf } from '../loose-json.ts';

/** A request the demo upstream has seen. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: LooseObject;
  /** The question without its hints. */
  readonly query: string;
  /** Resolves when the exchange is over: `true` if the client left before it was answered. */
  readonly over: Promise<boolean>;
  /** Resolves when the first bytes of the answer are out. */
  readonly begun: Promise<void>;
}

/** One request being answered by a scenario. */
export class Exchange {
  readonly body: LooseObject;
  readonly query: string;
  readonly path: string;
  /** How often this question was asked before. */
  readonly earlier: number;
  /** Text after the scenario's name in the marker. */
  readonly argument: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    known: Pick<Exchange, 'body' | 'query' | 'path' | 'earlier' | 'argument'>,
  ) {
    this.#request = request;
    this.#response = response;
    this.body = known.body;
    this.query = known.query;
    this.path = known.path;
    this.earlier = known.earlier;
    this.argument = known.argument;
  }

  /** Answers with a JSON body. */
  json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  /** Answers with any body. */
  raw(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, { ...this.#ids(), ...headers }).end(body);
  }

  /** Sends events; the stream stays open until `end`. */
  events(events: readonly LooseObject[]): void {
    if (!this.#response.headersSent) {
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', ...this.#ids() };
      this.#response.writeHead(200, headers);
    }
    for (const event of events) {
      const type = textOf(event['type']);
      const name = type === undefined ? '' : `event: ${type}\n`;
      this.#response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
  }

  /** Sends text into the stream as it is. */
  text(text: string): void {
    this.#response.write(text);
  }

  end(): void {
    this.#response.end();
  }

  /** Breaks the connection. */
  drop(): void {
    this.#request.socket.destroy();
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  #ids(): Record<string, string> {
    return { 'x-request-id': `req_demo_${this.earlier + 1}` };
  }
}

/** The question in a request body of either API, hints cut off. */
export function queryOf(body: LooseObject): string {
  const last = objectOf(listOf(body['input'] ?? body['messages']).at(-1));
  const content = last['content'];
  const text = typeof content === 'string' ? content : textOf(objectOf(listOf(content)[0])['text']);
  return (text ?? '').replace(/\n\[Hints\][^\n]*$/, '');
}
