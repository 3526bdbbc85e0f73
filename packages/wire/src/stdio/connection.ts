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

/** Events of more bytes than this before the connection is handed out are dropped, with a remark. */
const MAX_EARLY_BYTES = 16 * 1024 * 1024;

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
  /** Events of the time before anybody could listen. */
  #early: (() => void)[] | undefined = [];
  /** Characters of stderr among them. */
  #earlyChars = 0;
  #dropped = 0;

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
    const onStderr = (line: string): void => connection.#onStderr(line);
    const session = await ServerSession.open(init.process, init.peer, onStderr);
    const connection: Connection = new Connection(init, budget, session);
    const onAbort = (): void => void connection.close();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      signal?.throwIfAborted();
      await connection.#adopt(session);
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
    // Whoever waits for the connection listens by then.
    setImmediate(() => connection.#tellEarly());
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
    options?: RequestOptions,
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
    this.#abort.abort();
    await this.#session.close();
    // A restart under way notices by itself, and leaves no process behind.
    await this.#ready.catch(() => undefined);
    const { escaped } = this.#session.process;
    if (escaped.length === 0) return;
    const message = `left the process group of the server and may outlive it: ${escaped.join(', ')}`;
    this.#tell('remark', { code: 'escaped', message });
  }

  async #adopt(session: ServerSession): Promise<ServerSession> {
    this.#session = session;
    const { peer } = session;
    peer.on('notification', (method, params) => {
      // There may be a million of these, so nothing is made for each.
      if (this.#early === undefined) this.emit('notification', method, params);
      else this.#tell('notification', method, params);
    });
    peer.on('stray', (text) => this.#tell('stray', text));
    peer.on('remark', (remark) => this.#tell('remark', remark));
    session.ended.then(
      (exit) => this.#onEnd(session, exit),
      () => undefined,
    );
    await this.#init.handshake?.(peer);
    session.phase = 'running';
    return session;
  }

  #onEnd(session: ServerSession, exit: ProcessExit): void {
    this.#tapped((tap) => tap.exit?.(exit.exitCode, exit.signal));
    const isWanted = !this.isShutdown && session === this.#session && exit.phase === 'running';
    if (isWanted && this.#budget !== undefined) {
      this.#ready = this.#restart(this.#budget);
      // Whoever sends next is told; nobody waiting is no reason to end the program.
      this.#ready.catch(() => undefined);
    }
    this.#tell('exit', exit);
  }

  async #restart(budget: CrashBudget): Promise<ServerSession> {
    let lastError: unknown;
    for (;;) {
      const waitMs = budget.next(performance.now());
      if (waitMs === undefined) throw lastError ?? this.#gaveUp();
      await delay(waitMs, undefined, { signal: this.#abort.signal }).catch(() => undefined);
      if (this.isShutdown) throw shutdownError();
      try {
        const { process, peer } = this.#init;
        const session = await ServerSession.open(process, peer, this.#onStderr);
        await (this.isShutdown ? session.close() : this.#adopt(session));
        if (this.isShutdown) throw shutdownError();
        this.#tell('restart', budget.crashes);
        return session;
      } catch (error) {
        if (this.isShutdown) throw shutdownError();
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
      const session = await this.#ready;
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

  #tell<K extends keyof ConnectionEvents>(event: K, ...args: ConnectionEvents[K]): void {
    if (this.#early === undefined) this.#emitSafely(event, args);
    else if (event === 'exit' || this.#hasRoomForEarly()) {
      this.#early.push(() => this.#emitSafely(event, args));
    } else this.#dropped++;
  }

  #hasRoomForEarly(): boolean {
    return this.#session.peer.receivedBytes + this.#earlyChars <= MAX_EARLY_BYTES;
  }

  /** A listener that throws ends neither the connection nor the process. */
  #emitSafely<K extends keyof ConnectionEvents>(event: K, args: ConnectionEvents[K]): void {
    try {
      (this.emit as (event: K, ...args: ConnectionEvents[K]) => boolean).call(this, event, ...args);
    } catch (cause) {
      if (event !== 'remark') this.#onListenerFailure(`a listener of \`${event}\` threw`, cause);
    }
  }

  #onListenerFailure(message: string, cause: unknown): void {
    this.#tell('remark', { code: 'listener-failed', message, cause });
  }

  #tapped(use: (tap: Tap) => void): void {
    const { tap } = this.#init;
    if (tap === undefined) return;
    try {
      use(tap);
    } catch (cause) {
      this.#onListenerFailure('the tap threw', cause);
    }
  }

  #tellEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const tell of early) tell();
    if (this.#dropped === 0) return;
    const message = `dropped ${this.#dropped} events that came before the connection was open: more than ${MAX_EARLY_BYTES} bytes`;
    this.#tell('remark', { code: 'events-dropped', message });
  }

  readonly #onStderr = (line: string): void => {
    if (this.#early !== undefined) this.#earlyChars += line.length + 1;
    this.#tapped((tap) => tap.stray?.('stderr', line));
    this.#tell('stderr', line);
  };
}

function shutdownError(): WireError {
  return new WireError('SHUTDOWN', 'the connection was closed');
}
