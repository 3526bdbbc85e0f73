import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A message as it stood on stdout. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The server that has everything. */
const CONFORMANCE_SERVER: string = fileURLToPath(
  new URL('../conformance/server.mjs', import.meta.url),
);

/** A server process seen from outside: bytes in, lines out, exit code. */
export class StdioProgram implements AsyncDisposable {
  readonly child: ChildProcess;
  /** Each line of stdout, parsed. */
  readonly lines: unknown[] = [];
  /** Exit code and signal, once the process is gone and its output was read. */
  readonly ended: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
  #rest = '';
  #wake: () => void = () => undefined;

  constructor(program: string = CONFORMANCE_SERVER, args: readonly string[] = []) {
    this.child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdin?.on('error', () => undefined);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    this.ended = once(this.child, 'close').then(([code, signal]) => [code, signal]);
    this.ended.then(() => this.#wake()).catch(() => undefined);
  }

  write(bytes: string | Uint8Array): void {
    this.child.stdin?.write(bytes);
  }

  send(...messages: readonly object[]): void {
    for (const message of messages) this.write(line(message));
  }

  end(): void {
    this.child.stdin?.end();
  }

  /** The first line that fits, once it has come. */
  async line(fits: (line: unknown) => boolean): Promise<unknown> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(
          `the program ended without the line; it said ${JSON.stringify(this.lines)}`,
        );
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The answer to a request, once it has come. */
  async answer(id: unknown): Promise<Message> {
    const isIt = (line: unknown): boolean => {
      const { id: found, method } = line as Message;
      return found === id && method === undefined;
    };
    return (await this.line(isIt)) as Message;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    // Whatever is on stdout must be JSON; anything else ends the test here.
    for (const one of lines) this.lines.push(JSON.parse(one));
    this.#wake();
  }
}

/** A message as a line. */
export function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}
