import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** An answer as it stands on the line. */
export interface Answer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How a program ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built program. */
export const MAIN: string = fileURLToPath(new URL('../../bin/tincan-memory.js', import.meta.url));

/** Environment of a program with a home of its own and nothing of this machine's configuration. */
export function environment(home: string, more: NodeJS.ProcessEnv = {}): Record<string, string> {
  const { PATH = '' } = process.env;
  const all = { PATH, HOME: home, TINCAN_HOME: home, ...more };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The real server on real pipes: lines in, lines out. */
export class MemoryProgram implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  /** Everything that came out, by stream. */
  stdout = '';
  stderr = '';
  readonly #lines: string[] = [];
  readonly #waiting: ((line: string) => void)[] = [];
  #lastId = 0;

  constructor(
    home: string,
    {
      args = [],
      env = {},
      cwd = home,
      node = [],
    }: {
      readonly args?: readonly string[];
      readonly env?: NodeJS.ProcessEnv;
      readonly cwd?: string;
      readonly node?: readonly string[];
    } = {},
  ) {
    this.child = spawn(process.execPath, [...node, MAIN, ...args], {
      cwd,
      env: environment(home, env),
      stdio: 'pipe',
    });
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => resolve({ code, signal }));
    });
    this.child.stdin?.on('error', () => undefined);
    let rest = '';
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.stdout += chunk;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    });
    this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** The next line of the output. */
  line(): Promise<string> {
    const line = this.#lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sends a line and returns the answer to it. */
  async ask(line: string): Promise<Answer> {
    this.write(`${line}\n`);
    return JSON.parse(await this.line()) as Answer;
  }

  /** One request after the other: the next line answers it. */
  async request(method: string, params?: unknown): Promise<Answer> {
    this.#lastId++;
    const id = this.#lastId;
    const answer = await this.ask(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    if (answer.id !== id) throw new Error(`expected the answer to ${id}, got ${answer.id}`);
    return answer;
  }

  /** The result of a request that must succeed. */
  async call(method: string, params?: unknown): Promise<Record<string, unknown>> {
    const { result, error } = await this.request(method, params);
    if (result === undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`);
    return result;
  }

  /** Ends the input and waits for the program. */
  async end(): Promise<Ending> {
    this.child.stdin?.end();
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  #take(line: string): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#lines.push(line);
    else waiting(line);
  }
}

/** Most memory a process ever had, in MB. Linux only. */
export function residentPeak(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Resolves when a process has stopped working. Linux only. */
export async function quiet(pid: number): Promise<void> {
  const cpuTime = (): string =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
  for (let before = ''; before !== cpuTime(); ) {
    before = cpuTime();
    await delay(300);
  }
}
