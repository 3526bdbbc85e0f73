import { type ChildProcess, spawn } from 'node:child_process';
import { encodeFrame, FrameDecoder, type Framing } from 'tincan-wire';
import { CliError } from '../command/cli-error.ts';
import { descendantsOf, isAlive } from './process-tree.ts';

/** How to start the server under test. */
export interface ServerSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** A message the server sent. */
export interface SeenMessage {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly framing: Framing;
  readonly isBatch: boolean;
}

/** How a process ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One run of the server under test, seen byte by byte. */
export class Probe implements AsyncDisposable {
  readonly startedMs: number = performance.now();
  readonly messages: SeenMessage[] = [];
  /** Output on stdout that is no message. */
  readonly strays: string[] = [];
  /** Everything on stdout that was not UTF-8. */
  hasBrokenUtf8 = false;
  stderr = '';
  ended: Ended | undefined;
  /** Ids that were sent with a request. */
  readonly asked: unknown[] = [];
  readonly #child: ChildProcess;
  readonly #decoder = new FrameDecoder({ lenient: true });
  readonly #waiting = new Set<() => void>();
  #framing: Framing = 'line';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => this.#take(this.#decoder.push(chunk)));
    child.stdout?.on('end', () => this.#take(this.#decoder.end()));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString('utf8');
    });
    child.stdin?.on('error', () => undefined);
    child.on('exit', (exitCode, signal) => {
      // Output that is still in the pipe belongs to the run.
      setTimeout(() => {
        this.ended = { exitCode, signal };
        this.#wake();
      }, 50);
    });
  }

  static async start({ command, args, env, cwd }: ServerSpec): Promise<Probe> {
    const child = spawn(command, args, { env, cwd, stdio: 'pipe', detached: true });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (cause) => {
        reject(
          new CliError('BROKEN', `could not start \`${command}\`: ${cause.message}`, { cause }),
        );
      });
    });
    return new Probe(child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Framing of what {@link send} sends. */
  set framing(framing: Framing) {
    this.#framing = framing;
  }

  get framing(): Framing {
    return this.#framing;
  }

  /** Sends a message, or a batch of them. */
  send(message: object): void {
    for (const one of Array.isArray(message) ? message : [message]) {
      if ('id' in one && 'method' in one) this.asked.push(one.id);
    }
    this.write(encodeFrame(JSON.stringify(message), this.#framing));
  }

  write(bytes: string | Buffer): void {
    if (this.#child.stdin?.writable) this.#child.stdin.write(bytes);
  }

  /** Sends a request and waits for its answer; undefined when none comes. */
  async ask(
    message: { readonly id: unknown; readonly method: string; readonly params?: object },
    ms: number,
  ): Promise<SeenMessage | undefined> {
    this.send({ jsonrpc: '2.0', ...message });
    return this.answer(message.id, ms);
  }

  /** Waits for an answer with exactly this id. */
  async answer(id: unknown, ms: number): Promise<SeenMessage | undefined> {
    const find = (): SeenMessage | undefined =>
      this.messages.find(({ value }) => value['method'] === undefined && value['id'] === id);
    await this.until(() => find() !== undefined, ms);
    return find();
  }

  /** Waits until something holds, the process ends, or the time is up. Returns whether it holds. */
  async until(holds: () => boolean, ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (!holds() && this.ended === undefined) {
      const left = deadline - performance.now();
      if (left <= 0) break;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, left);
        this.#waiting.add(done);
      });
    }
    return holds();
  }

  /** Waits for the process to end. */
  async exit(ms: number): Promise<Ended | undefined> {
    await this.until(() => this.ended !== undefined, ms);
    return this.ended;
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends whatever is left of the run, and waits for it to be gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    const all = [this.pid, ...descendantsOf(this.pid)];
    for (const pid of [-this.pid, ...all]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
    }
    if (isAlive(this.pid)) await this.exit(2000);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #take(found: ReturnType<FrameDecoder['push']>): void {
    for (const item of found) {
      if (item.kind === 'message') {
        const isBatch = Array.isArray(item.value);
        for (const value of (isBatch ? item.value : [item.value]) as unknown[]) {
          const { text, framing } = item;
          this.messages.push({ value: Object(value), text, framing, isBatch });
        }
      } else if (item.kind === 'junk') this.strays.push(item.text);
      else if (item.kind === 'warning' && item.reason === 'invalid-utf8') this.hasBrokenUtf8 = true;
      else if (item.kind === 'warning' && item.reason === 'stray') this.strays.push(item.text);
    }
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
