import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { CommandError } from '../command-error.ts';
import type { CommandIo } from '../io.ts';
import { LineSplitter, type SplitLine } from './line-splitter.ts';

/** A line of an export and where it stands; `bytes` counts over all files. */
export interface Line extends SplitLine {
  readonly file: string;
}

/** Bytes of all files together; `undefined` where one is a pipe. */
export async function totalBytes(
  files: readonly string[],
  { cwd }: Pick<CommandIo, 'cwd'>,
): Promise<number | undefined> {
  let total = 0;
  for (const file of files) {
    if (file === '-') return undefined;
    const found = await stat(resolve(cwd, file)).catch((cause: unknown) => {
      throw unreadable(file, cause);
    });
    if (!found.isFile()) return undefined;
    total += found.size;
  }
  return total;
}

/** The lines of some files that are not blank; `-` is stdin. No line is held beyond the longest allowed. */
export async function* readLines(
  files: readonly string[],
  { cwd, stdin, signal }: Pick<CommandIo, 'cwd' | 'stdin' | 'signal'>,
): AsyncIterable<Line> {
  let before = 0;
  for (const file of files) {
    const input = file === '-' ? stdin : createReadStream(resolve(cwd, file));
    if (signal !== undefined) addAbortSignal(signal, input);
    const splitter = new LineSplitter();
    try {
      for await (const chunk of input) {
        for (const line of splitter.push(Buffer.from(chunk as Buffer | string))) {
          yield { file, ...line, bytes: before + line.bytes };
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw isSystemError(error) ? unreadable(file, error) : error;
    }
    for (const line of splitter.end()) yield { file, ...line, bytes: before + line.bytes };
    before += splitter.bytes;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unreadable(file: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError('BROKEN', `cannot read \`${file}\`: ${reason}`, { cause });
}
