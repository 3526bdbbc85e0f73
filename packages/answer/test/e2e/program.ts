import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** The built program. */
export const bin: string = fileURLToPath(new URL('../../bin/tincan-answer.js', import.meta.url));

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** An environment with a home of its own and none of this machine's settings. */
export function cleanEnv(more: Record<string, string> = {}): Record<string, string> {
  const home = mkdtempSync(join(tmpdir(), 'answer-e2e-'));
  homes.push(home);
  return { PATH: process.env['PATH'] ?? '', HOME: home, ...more };
}

/** What a finished run left behind. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program under way. */
export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  stdout = '';
  stderr = '';
  readonly #waiting: { test: (text: string) => boolean; resolve: () => void }[] = [];

  constructor(args: readonly string[], env: Record<string, string> = cleanEnv()) {
    this.child = spawn(process.execPath, [bin, ...args], { env });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      for (const one of this.#waiting) if (one.test(this.stdout)) one.resolve();
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // A program that ended early breaks our writes; its exit tells the story.
    this.child.stdin.on('error', () => {});
    this.finished = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  send(...messages: readonly object[]): void {
    for (const message of messages) this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Resolves when standard output satisfies the test. */
  said(test: (text: string) => boolean): Promise<void> {
    if (test(this.stdout)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ test, resolve }));
  }

  /** Ends the input and waits for the program. */
  end(): Promise<Finished> {
    this.child.stdin.end();
    return this.finished;
  }
}

/** Runs the program to its end. */
export function run(args: readonly string[], env?: Record<string, string>): Promise<Finished> {
  return new Program(args, env).end();
}
