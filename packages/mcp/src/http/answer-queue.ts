import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that a client may send on one connection before it reads the answer to the first. */
const MAX_PIPELINED = 8;

/** Settings of an {@link AnswerQueue}. */
export interface AnswerQueueOptions {
  /** No call starts while more bytes of answers wait to be read. Default 64 MiB. */
  readonly maxQueuedBytes?: number;
  /** While calls wait for room, a client that reads nothing for this long loses its connection. Default 500. */
  readonly stallMs?: number;
}

/** Bounds the memory that answers take while their clients do not read them. */
export class AnswerQueue {
  readonly #maxQueuedBytes: number;
  readonly #stallMs: number;
  readonly #open = new Set<ServerResponse>();
  readonly #pipelines = new WeakMap<Socket, ServerResponse[]>();
  readonly #waiting = new Set<() => void>();
  #isWaking = false;
  #mustWakeAgain = false;

  constructor({ maxQueuedBytes = 64 * 1024 * 1024, stallMs = 500 }: AnswerQueueOptions = {}) {
    this.#maxQueuedBytes = maxQueuedBytes;
    this.#stallMs = stallMs;
  }

  /** Resolves when the call of this request may start: false when its client left before. */
  async admit({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (!this.#open.has(response) && !this.#enter(socket, response)) return false;
    while (this.#mustWait(socket, response)) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    return this.#open.has(response);
  }

  /** Resolves when no more than `maxQueuedBytes` of answers wait to be read. */
  async room(): Promise<void> {
    while (this.#isFull()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #enter(socket: Socket, response: ServerResponse): boolean {
    if (socket.destroyed) return false;
    const pipeline = this.#pipelines.get(socket) ?? [];
    if (pipeline.length === MAX_PIPELINED) {
      socket.destroy();
      return false;
    }
    this.#pipelines.set(socket, pipeline);
    pipeline.push(response);
    this.#open.add(response);
    const leave = (): void => {
      socket.off('close', leave);
      response.off('close', leave);
      if (!this.#open.delete(response)) return;
      pipeline.splice(pipeline.indexOf(response), 1);
      this.#wake();
    };
    // A response behind another one does not hear that the connection closed.
    socket.once('close', leave);
    response.once('close', leave);
    return true;
  }

  #mustWait(socket: Socket, response: ServerResponse): boolean {
    if (!this.#open.has(response)) return false;
    return this.#pipelines.get(socket)?.[0] !== response || this.#isFull();
  }

  #isFull(): boolean {
    let queued = 0;
    for (const { writableLength } of this.#open) queued += writableLength;
    if (queued <= this.#maxQueuedBytes) return false;
    this.#watchReaders();
    return true;
  }

  /** Cuts off who does not read, so that the calls of others get their turn. */
  #watchReaders(): void {
    for (const response of this.#open) {
      if (response.writableLength === 0 || response.listenerCount('timeout') > 0) continue;
      // The socket's clock starts again whenever the client has read something.
      response.setTimeout(this.#stallMs, () => {
        if (response.writableLength > 0) response.destroy();
        else response.setTimeout(0).removeAllListeners('timeout');
      });
      response.once('drain', () => this.#wake());
    }
  }

  /** Lets the calls that wait look again, one a turn: each may fill the room there is. */
  #wake(): void {
    if (this.#isWaking) {
      // A call that has looked already may be the one that can start now.
      this.#mustWakeAgain = true;
      return;
    }
    if (this.#waiting.size === 0) return;
    this.#isWaking = true;
    this.#mustWakeAgain = false;
    const waiting = [...this.#waiting];
    const turn = (index: number): void => {
      const next = waiting[index];
      if (next === undefined) {
        this.#isWaking = false;
        if (this.#mustWakeAgain) this.#wake();
        return;
      }
      this.#waiting.delete(next);
      next();
      setImmediate(turn, index + 1);
    };
    setImmediate(turn, 0);
  }
}
