import type { ServerResponse } from 'node:http';

/** A comment in this interval keeps proxies from closing a silent stream. */
const KEEP_ALIVE_MS = 15_000;

/** A client that leaves this much unread loses its stream. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** Writes server-sent events. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    });
    response.flushHeaders();
    this.#timer = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS).unref();
    response.once('close', () => clearInterval(this.#timer));
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Sends one message. */
  send(text: string, id?: string): void {
    // One message may be longer; a second one behind it may not wait.
    if (this.#response.writableLength > MAX_UNREAD_BYTES) {
      this.#response.destroy();
      return;
    }
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    this.#response.write(`event: message\n${idLine}data: ${text}\n\n`);
  }

  /** Tells the client where it stands before anything was sent, and how soon it may come back. */
  prime(id: string, retryMs: number): void {
    this.#response.write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#response.end();
  }
}
