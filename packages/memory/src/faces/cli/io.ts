import type { Readable, Writable } from 'node:stream';
import { printable } from './render/graphemes.ts';

/** What a command sees of the process it runs in. */
export interface CommandIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether a person types, reads the output, reads the remarks. */
  readonly isInputTerminal: boolean;
  readonly isTerminal: boolean;
  readonly isErrorTerminal: boolean;
  /** Columns of the terminal. */
  readonly columns: number;
  /** Ends long work; what was acknowledged stays. */
  readonly signal?: AbortSignal | undefined;
  /** The user's home, where it is not the system's. */
  readonly home?: string | undefined;
}

const DEFAULT_COLUMNS = 80;

/** The streams of this process. */
export function processIo({ signal }: { readonly signal?: AbortSignal } = {}): CommandIo {
  const { stdin, stdout, stderr, env } = process;
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    isInputTerminal: stdin.isTTY === true,
    isTerminal: stdout.isTTY === true,
    isErrorTerminal: stderr.isTTY === true,
    columns: stdout.columns || stderr.columns || DEFAULT_COLUMNS,
    signal,
  };
}

/** Writes and waits where the reader is slower; a reader that is gone, as `head` soon is, ends the work. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (stream.destroyed || stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    stream.on('drain', done).on('close', done).on('error', done);
  });
}

/** Prints a line on stdout. */
export function print({ stdout }: Pick<CommandIo, 'stdout'>, line: string): Promise<void> {
  return write(stdout, `${line}\n`);
}

/** Prints a line on stderr. It may repeat what was given, so nothing in it reaches the terminal as a command. */
export function remark({ stderr }: Pick<CommandIo, 'stderr'>, line: string): void {
  stderr.write(`${printable(line)}\n`);
}
