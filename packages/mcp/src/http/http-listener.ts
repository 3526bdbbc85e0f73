import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Connections that may wait to be accepted; Node's own default turns a rush of clients away. */
const BACKLOG = 4096;
/** Longer than the pauses of an agent, so that its next request does not meet a closing connection. */
const KEEP_ALIVE_MS = 75_000;

/** A port that serves HTTP and closes without waiting for clients that only keep their connection. */
export class HttpListener {
  readonly #server: Server;
  readonly #host: string;
  /** Requests under way, by connection. */
  readonly #busy = new Map<Socket, number>();
  #isClosing = false;

  private constructor(listener: RequestListener, host: string) {
    this.#host = host;
    this.#server = createServer(listener);
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
    this.#server.on('connection', (socket: Socket) => {
      this.#busy.set(socket, 0);
      socket.once('close', () => this.#busy.delete(socket));
    });
    this.#server.prependListener('request', ({ socket }, response) => {
      this.#count(socket, 1);
      response.once('close', () => this.#count(socket, -1));
    });
  }

  /** Resolves when the port is open. */
  static async open(
    listener: RequestListener,
    { host, port }: { readonly host: string; readonly port: number },
  ): Promise<HttpListener> {
    const opened = new HttpListener(listener, host);
    await new Promise<void>((resolve, reject) => {
      opened.#server.once('error', reject);
      opened.#server.listen({ host, port, backlog: BACKLOG }, resolve);
    });
    return opened;
  }

  /** Where it listens, without a path. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${port}`;
  }

  /** Takes no new connection, lets requests under way finish for `drainMs`, then ends the rest. */
  async close({ drainMs = 2_000 }: { readonly drainMs?: number } = {}): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const [socket, requests] of this.#busy) if (requests === 0) socket.destroy();
    const timer = setTimeout(() => this.#server.closeAllConnections(), drainMs);
    await closed;
    clearTimeout(timer);
  }

  #count(socket: Socket, change: 1 | -1): void {
    const requests = this.#busy.get(socket);
    if (requests === undefined) return;
    this.#busy.set(socket, requests + change);
    if (this.#isClosing && requests + change === 0) socket.destroySoon();
  }
}
