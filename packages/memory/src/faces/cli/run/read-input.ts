import { TextDecoder } from 'node:util';
import { usageError } from '../command-error.ts';
import type { CommandIo } from '../io.ts';

/** The words of a command line, or with `--stdin` what comes in. */
export async function textFrom(
  words: readonly string[],
  io: CommandIo,
  { isStdin, what }: { readonly isStdin: boolean; readonly what: string },
): Promise<string> {
  const text = (isStdin ? await readInput(io) : words.join(' ')).trim();
  if (text === '') throw usageError(`${what} is required (or use --stdin)`);
  return text;
}

/** Everything on stdin. */
async function readInput({ stdin, signal }: CommandIo): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stdin) {
    signal?.throwIfAborted();
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk as Buffer, { stream: true });
  }
  return text + decoder.decode();
}
