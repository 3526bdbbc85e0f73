import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { duplicateHandle, type StreamHandle } from './duplicate-handle.ts';

/** The wire, out of reach of everything else in the process. */
export interface GuardedStdio {
  readonly input: Readable;
  readonly output: Writable;
  /**
   * `descriptor`: descriptors 0 and 1 are no longer the wire, so child processes and native code cannot
   * reach it. `stream`: JavaScript writes are kept off it; descriptors could not be moved.
   */
  readonly level: 'descriptor' | 'stream';
}

let guarded: Promise<GuardedStdio> | undefined;

/**
 * Takes stdin and stdout for the protocol: from now on `console.*`, `process.stdout.write`, child processes
 * and native code that write to stdout reach stderr instead. Idempotent; there is no way back.
 */
export function guardStdout(): Promise<GuardedStdio> {
  guarded ??= guard();
  return guarded;
}

async function guard(): Promise<GuardedStdio> {
  const { stdout, stderr } = process;
  const wire = wireStream(stdout);
  // Console output goes through `process.stdout.write`, so one replacement covers both.
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  try {
    const output = await moveOutput();
    const input = await moveInput();
    return { input, output, level: 'descriptor' };
  } catch {
    // Files, terminals and other platforms: the stream level holds.
    return { input: process.stdin, output: wire, level: 'stream' };
  }
}
