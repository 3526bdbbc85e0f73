import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandError } from '../command-error.ts';
import type { CommandIo } from '../io.ts';

/** A line of an export and where it stands. */
export interface Line {
  readonly file: string;
  readonly number: number;
  readonly text: string;
  /** Bytes read up to here, over all files. */
  readonly bytes: number;
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

/** The lines of some files that are not blank; `-` is stdin. */
export async function* readLines(
  files: readonly string[],
  { cwd, stdin, signal }: Pick<CommandIo, 'cwd' | 'stdin' | 'signal'>,
): AsyncIterable<Line> {
  let bytes = 0;
  for (const file of files) {
    const input = file === '-' ? stdin : createReadStream(resolve(cwd, file));
    const lines = createInterface({
      input,
      crlfDelay: Number.POSITIVE_INFINITY,
      ...(signal === undefined ? {} : { signal }),
    });
    // A reader of lines keeps a failure of its source to itself.
    let failure: unknown;
    input.once('error', (error: unknown) => {
      failure = error;
      lines.close();
    });
    let number = 0;
    for await (const line of lines) {
      number += 1;
      bytes += Buffer.byteLength(line) + 1;
      const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
      if (text.trim() !== '') yield { file, number, text, bytes };
    }
    signal?.throwIfAborted();
    if (failure !== undefined) throw unreadable(file, failure);
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError('BROKEN', `cannot read \`${file}\`: ${reason}`, { cause });
}
