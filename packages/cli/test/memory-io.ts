import { PassThrough } from 'node:stream';
import { createIo, type Io } from '../src/command/io.ts';

/** An {@link Io} whose output is kept. */
export interface MemoryIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
}

/** Streams in memory, with a terminal or without. */
export function memoryIo(
  parts: { isTerminal?: boolean; env?: NodeJS.ProcessEnv; columns?: number; cwd?: string } = {},
): MemoryIo {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const isTerminal = parts.isTerminal ?? false;
  const io = createIo({
    stdin,
    stdout,
    stderr,
    env: parts.env ?? {},
    cwd: parts.cwd ?? '/',
    isTerminal,
    isErrorTerminal: isTerminal,
    columns: parts.columns,
  });
  return {
    ...io,
    // By length: Node 26 otherwise returns one write at a time.
    out: () => String(stdout.read(stdout.readableLength) ?? ''),
    err: () => String(stderr.read(stderr.readableLength) ?? ''),
  };
}
