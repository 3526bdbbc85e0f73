import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { checkCount, checkKeys, checkOneOf } from '../check-option.ts';
import { WireError } from '../errors.ts';
import { childEnvironment, type EnvPolicy } from './environment.ts';
import { LineTail } from './line-tail.ts';
import { findEscaped, isGroupAlive, signalGroup } from './process-group.ts';
import { forgetGroup, watchGroup } from './reaper.ts';
import { resolveCommand } from './resolve-command.ts';

/** Times of the steps that end a process. */
export interface ShutdownTimes {
  /** From closing its stdin to SIGTERM. Default 2,000. */
  readonly stdinMs?: number;
  /** From SIGTERM to SIGKILL. Default 2,000. */
  readonly termMs?: number;
  /** From SIGKILL to giving up. Default 2,000. */
  readonly killMs?: number;
}

/** How to start a server process. */
export interface ProcessOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables set for the child; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Variables passed on besides: a `safe` list (default), `all` or `none`. */
  readonly envPolicy?: EnvPolicy;
  readonly cwd?: string;
  /** Where the child's stderr goes besides the tail and the events. Default nowhere. */
  readonly stderr?: Writable;
  readonly shutdown?: ShutdownTimes;
}

/** How a process ended. */
export interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

const SHUTDOWN_DEFAULTS: Required<ShutdownTimes> = { stdinMs: 2000, termMs: 2000, killMs: 2000 };
const TAIL_CHARS = 8 * 1024;
/** How long to read on after the process ended, while somebody else holds its pipe. */
const GRACE_MS = 250;
const POLL_MS = 10;

/** A child process with its three streams: started in a group of its own, and ended with all of it. */
export class ServerProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly startedMs: number = performance.now();
  /** Resolves when the process has ended and its output was read. */
  readonly ended: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #times: Required<ShutdownTimes>;
  readonly #tail: LineTail;
  #status: ExitStatus | undefined;
  #stopping: Promise<void> | undefined;
  #escaped: readonly number[] = [];
  /** Once seen gone a group is never signalled again: its number may belong to somebody else. */
  #isGroupGone = false;

  private constructor(
    child: ChildProcess,
    options: ProcessOptions,
    onStderr: (line: string) => void,
  ) {
    const { pid, stdin, stdout, stderr } = child;
    if (stdin === null) throw new WireError('STDIN_UNAVAILABLE', 'the child process has no stdin');
    if (stdout === null)
      throw new WireError('STDOUT_UNAVAILABLE', 'the child process has no stdout');
    this.#child = child;
    this.pid = pid ?? 0;
    this.stdin = stdin;
    this.stdout = stdout;
    this.#times = { ...SHUTDOWN_DEFAULTS, ...options.shutdown };
    this.#tail = new LineTail(TAIL_CHARS, onStderr);
    // Always read, whether anybody listens or not: a full pipe would stop the child.
    stderr?.on('data', (chunk: Buffer) => {
      this.#tail.push(chunk);
      options.stderr?.write(chunk);
    });
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => undefined);
    watchGroup(this.pid);
    this.ended = this.#watchEnd();
  }

  /** Starts a process; rejects with `SPAWN` when it cannot be started. */
  static async start(
    options: ProcessOptions,
    onStderr: (line: string) => void,
  ): Promise<ServerProcess> {
    const { command, args = [], cwd, envPolicy = 'safe', env = {}, shutdown = {} } = options;
    if (typeof command !== 'string' || command === '') {
      throw new WireError(
        'BAD_OPTION',
        `expected \`command\` to be a non-empty string, got \`${String(command)}\``,
      );
    }
    checkOneOf('envPolicy', envPolicy, ['safe', 'all', 'none']);
    checkKeys('shutdown', shutdown, Object.keys(SHUTDOWN_DEFAULTS));
    for (const [name, value] of Object.entries(shutdown)) checkCount(`shutdown.${name}`, value);
    const { platform } = process;
    const childEnv = childEnvironment(envPolicy, env, { parent: process.env, platform });
    try {
      const resolved = resolveCommand(command, args, { env: childEnv, platform });
      // Loaded when needed: a server is started much more often than it starts one.
      const { spawn } = process.getBuiltinModule('node:child_process');
      const child = spawn(resolved.file, resolved.args, {
        cwd,
        env: childEnv,
        stdio: ['pipe', 'pipe', 'pipe'],
        // A group of its own, so that wrappers and what they start can be ended together.
        detached: platform !== 'win32',
        windowsHide: true,
        ...(resolved.isVerbatim && { windowsVerbatimArguments: true }),
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
      return new ServerProcess(child, options, onStderr);
    } catch (error) {
      throw error instanceof WireError ? error : spawnError(error, options, childEnv);
    }
  }

  get isRunning(): boolean {
    return this.#status === undefined;
  }

  get stderrTail(): string {
    return this.#tail.text;
  }

  /** Descendants that left the group and so may outlive it; known after {@link stop}. */
  get escaped(): readonly number[] {
    return this.#escaped;
  }

  /** Closes stdin, waits, sends SIGTERM, waits, sends SIGKILL: to the whole group. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#descend();
    return this.#stopping;
  }

  async #descend(): Promise<void> {
    const { stdinMs, termMs, killMs } = this.#times;
    if (this.isRunning) this.#escaped = findEscaped(this.pid);
    this.stdin.end();
    await this.#isGoneWithin(stdinMs, 'leader');
    this.#signal('SIGTERM');
    if (!(await this.#isGoneWithin(termMs, 'group'))) {
      // A stopped process takes SIGKILL as well as a running one.
      this.#signal('SIGKILL');
      if (!(await this.#isGoneWithin(killMs, 'leader'))) {
        throw new WireError('IO', `process ${this.pid} did not end within ${killMs} ms of SIGKILL`);
      }
    }
    forgetGroup(this.pid);
    await this.ended;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#hasGroup()) signalGroup(this.pid, signal);
  }

  #hasGroup(): boolean {
    this.#isGroupGone ||= !isGroupAlive(this.pid);
    return !this.#isGroupGone;
  }

  /** Waits for the process, or for every process of its group, to end. */
  async #isGoneWithin(ms: number, what: 'leader' | 'group'): Promise<boolean> {
    const deadline = performance.now() + ms;
    const exited = new Promise<void>((resolve) => {
      if (!this.isRunning) resolve();
      else this.#child.once('exit', () => resolve());
    });
    const timer = new AbortController();
    await Promise.race([
      exited,
      delay(ms, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    if (what === 'leader') return !this.isRunning;
    while (this.#hasGroup()) {
      if (performance.now() >= deadline) return false;
      await delay(POLL_MS);
    }
    return true;
  }

  async #watchEnd(): Promise<ExitStatus> {
    // Asked for before the exit: where all output was read already, one comes right after the other.
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    const status = await new Promise<ExitStatus>((resolve) => {
      this.#child.once('exit', (exitCode, signal) => {
        this.#status = { exitCode, signal };
        if (!this.#hasGroup()) forgetGroup(this.pid);
        resolve(this.#status);
      });
    });
    // `exit`, not `close`: a grandchild that holds the pipe must not hold us.
    const timer = new AbortController();
    await Promise.race([
      closed,
      delay(GRACE_MS, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    this.#tail.end();
    for (const stream of [this.stdin, this.stdout, this.#child.stderr]) stream?.destroy();
    return status;
  }
}

function spawnError(
  cause: unknown,
  { command, cwd }: ProcessOptions,
  env: Readonly<Record<string, string>>,
): WireError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const place = cwd === undefined ? process.cwd() : cwd;
  if (cwd !== undefined && !isDirectory(cwd)) {
    return new WireError(
      'SPAWN',
      `could not start \`${command}\`: the working directory \`${cwd}\` does not exist or is no directory`,
      { cause },
    );
  }
  const searched = env['PATH'] ?? env['Path'] ?? '';
  const message = `could not start \`${command}\` in \`${place}\`: ${reason}; PATH searched: \`${searched}\``;
  return new WireError('SPAWN', message, { cause });
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
