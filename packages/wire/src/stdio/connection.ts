import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessExit, ProcessExitedError, WireError } from '../errors.ts';
import type { BatchCall, RequestOptions } from '../jsonrpc/outbound-calls.ts';
import type { Peer, PeerOptions, Remark } from '../jsonrpc/peer.ts';
import type { Tap } from '../tap/tap.ts';
import { CrashBudget, type RestartOptions } from './crash-budget.ts';
import type { ProcessOptions } from './server-process.ts';
import { ServerSession } from './server-session.ts';

/** Settings of a request to a spawned server. */
export interface ConnectionRequestOptions extends RequestOptions {
  /** May be sent again after a restart, because running it twice does no harm. Default false. */
  readonly safe?: boolean;
}

/** Events of a {@link Connection}. */
export interface ConnectionEvents {
  /** A notification from the server that no handler is registered for. */
  notification: [method: string, params: unknown];
  /** A line the server wrote to stderr. */
  stderr: [line: string];
  /** Text on the server's stdout that is no message. */
  stray: [text: string];
  remark: [remark: Remark];
  /** The server process ended. */
  exit: [exit: ProcessExit];
  /** A new process took the place of one that crashed. */
  restart: [attempt: number];
}

/** What a connection is made of. */
export interface ConnectionInit {
  readonly process: ProcessOptions;
  readonly peer: Partial<PeerOptions>;
  readonly tap: Tap | undefined;
  /** Runs on each new process before it is used. */
  readonly handshake: ((peer: Peer) => Promise<unknown>) | undefined;
  readonly restart: RestartOptions | undefined;
}

/** A connection to a server process that this process started. */
export class Connection extends EventEmitter<ConnectionEvents> implements AsyncDisposable {
  readonly #init: ConnectionInit;
  readonly #budget: CrashBudget | undefined;
  readonly #abort = new AbortController();
  /** The session in use, or the one that is being started in its place. */
  #ready: Promise<ServerSession>;
  #session: ServerSession;
  #closing: Promise<void> | undefined;

  private constructor(
    init: ConnectionInit,
    budget: CrashBudget | undefined,
    session: ServerSession,
  ) {
    super();
    this.#init = init;
    this.#budget = budget;
    this.#session = session;
    this.#ready = Promise.resolve(session);
  }

  /** Starts the process and shakes hands; rejects when either fails, leaving nothing behind. */
  static async open(init: ConnectionInit, signal?: AbortSignal): Promise<Connection> {
    signal?.throwIfAborted();
    const budget = init.restart && new CrashBudget(init.restart);
    // The first lines on stderr may come before there is anybody to tell them to.
    const early: string[] = [];
    let connection: Connection | undefined;
    const onStderr = (line: string): void => {
      if (connection === undefined) early.push(line);
      else connection.#onStderr(line);
    };
    const session = await ServerSession.open(init.process, init.peer, onStderr);
    connection = new Connection(init, budget, session);
    const onAbort = (): void => void connection?.close();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await connection.#adopt(session);
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
    setImmediate(() => {
      for (const line of early) connection.#onStderr(line);
    });
    return connection;
  }

  /** Process id of the server in use. */
  get pid(): number {
    return this.#session.process.pid;
  }

  get isRunning(): boolean {
    return !this.isShutdown && this.#session.process.isRunning;
  }

  /** Whether {@link close} was called. */
  get isShutdown(): boolean {
    return this.#closing !== undefined;
  }

  /** Last 8 KiB of the server's stderr. */
  get stderrTail(): string {
    return this.#session.process.stderrTail;
  }

  /** Requests that wait for an answer. */
  get pending(): number {
    return this.#session.peer.pending;
  }

  /** Counts since the process started. */
  get stats(): Peer['stats'] {
    return this.#session.peer.stats;
  }

  /** Calls a method and waits for its result. */
  request(method: string, params?: object, options?: ConnectionRequestOptions): Promise<unknown> {
    if (this.isShutdown) return Promise.reject(shutdownError());
    if (this.#budget === undefined) return this.#session.peer.request(method, params, options);
    return this.#supervised((peer) => peer.request(method, params, options), options);
  }

  /** Calls many methods with one message (a JSON-RPC batch) and waits for all of them. */
  requestMany(
    calls: readonly BatchCall[],
    options?: ConnectionRequestOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    if (this.isShutdown) return Promise.reject(shutdownError());
    return this.#ready.then((session) => session.peer.requestMany(calls, options));
  }

  /** Sends a notification; resolves when the operating system has it. */
  notify(method: string, params?: object): Promise<void> {
    if (this.isShutdown) return Promise.reject(shutdownError());
    if (this.#budget === undefined) return this.#session.peer.notify(method, params);
    return this.#ready.then((session) => session.peer.notify(method, params));
  }

  /** Ends the server and everything it started. Idempotent; answers that still come are delivered. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#abort.abort(shutdownError());
    this.#ready.catch(() => undefined);
    await this.#session.close();
  }

  async #adopt(session: ServerSession): Promise<ServerSession> {
    this.#session = session;
    const { peer } = session;
    peer.on('notification', (method, params) => this.emit('notification', method, params));
    peer.on('stray', (text) => this.emit('stray', text));
    peer.on('remark', (remark) => this.emit('remark', remark));
    session.ended.then(
      (exit) => this.#onEnd(session, exit),
      () => undefined,
    );
    await this.#init.handshake?.(peer);
    session.phase = 'running';
    return session;
  }

  #onEnd(session: ServerSession, exit: ProcessExit): void {
    this.#init.tap?.exit?.(exit.exitCode, exit.signal);
    const isWanted = !this.isShutdown && session === this.#session && exit.phase === 'running';
    if (isWanted && this.#budget !== undefined) {
      this.#ready = this.#restart(this.#budget);
      // Whoever sends next is told; nobody waiting is no reason to end the program.
      this.#ready.catch(() => undefined);
    }
    this.emit('exit', exit);
  }

  async #restart(budget: CrashBudget): Promise<ServerSession> {
    let lastError: unknown;
    for (;;) {
      const waitMs = budget.next(performance.now());
      if (waitMs === undefined) throw lastError ?? this.#gaveUp();
      await delay(waitMs, undefined, { signal: this.#abort.signal });
      try {
        const session = await ServerSession.open(
          this.#init.process,
          this.#init.peer,
          this.#onStderr,
        );
        await this.#adopt(session);
        this.emit('restart', budget.crashes);
        return session;
      } catch (error) {
        if (this.isShutdown) throw error;
        lastError = error;
        await this.#session.close().catch(() => undefined);
      }
    }
  }

  #gaveUp(): WireError {
    const exit = { phase: 'running', exitCode: null, signal: null, uptimeMs: 0 } as const;
    const { stderrTail } = this;
    const message = 'the server crashed too often and is not restarted any more';
    return new ProcessExitedError(message, { ...exit, stderrTail, strayLines: [] });
  }

  async #supervised<T>(
    call: (peer: Peer) => Promise<T>,
    options: ConnectionRequestOptions = {},
  ): Promise<T> {
    for (;;) {
      const session = await this.#ready.catch((error: unknown) => {
        throw this.isShutdown ? shutdownError() : error;
      });
      try {
        return await call(session.peer);
      } catch (error) {
        const isLost = error instanceof ProcessExitedError;
        if (!isLost || options.safe !== true || this.isShutdown) throw error;
        // The end of a session is told to everybody before the next one is on its way.
        await session.ended;
      }
    }
  }

  readonly #onStderr = (line: string): void => {
    this.#init.tap?.stray?.('stderr', line);
    this.emit('stderr', line);
  };
}

function shutdownError(): WireError {
  return new WireError('SHUTDOWN', 'the connection was closed');
}
