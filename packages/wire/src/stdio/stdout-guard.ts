import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';
import { HandleDuplicator, type PipeHandle } from './duplicate-handle.ts';

/** The wire, out of reach of everything else in the process. */
export interface GuardedStdio {
  readonly input: Readable;
  readonly output: Writable;
  /**
   * `descriptor`: descriptor 1 is no longer the wire, so child processes and native code cannot reach it.
   * `stream`: JavaScript writes are kept off it; the descriptor could not be moved.
   */
  readonly level: 'descriptor' | 'stream';
}

let guarded: Promise<GuardedStdio> | undefined;

/**
 * Takes stdin and stdout for the protocol: from now on what `console.*`, `process.stdout.write`, child
 * processes and native code write to stdout reaches stderr. Idempotent; there is no way back.
 */
export function guardStdout(): Promise<GuardedStdio> {
  guarded ??= guard();
  return guarded;
}

async function guard(): Promise<GuardedStdio> {
  const openFallback = redirectStream();
  const descriptors = new StandardDescriptors();
  try {
    const { output, level } = await guardOutput(descriptors, openFallback);
    return { input: await guardInput(descriptors), output, level };
  } finally {
    await descriptors.close();
  }
}

async function guardOutput(
  descriptors: StandardDescriptors,
  openFallback: () => Writable,
): Promise<Omit<GuardedStdio, 'input'>> {
  let output: Socket;
  try {
    output = openSocket(await descriptors.take(1), { readable: false, writable: true });
  } catch {
    // Files, terminals and other platforms: the descriptor cannot be moved, the stream level holds.
    return { output: openFallback(), level: 'stream' };
  }
  try {
    await descriptors.replaceStdout();
    return { output, level: 'descriptor' };
  } catch {
    // The wire has moved, and what is at its old place is no more than the stream level knows.
    return { output, level: 'stream' };
  }
}

async function guardInput(descriptors: StandardDescriptors): Promise<Readable> {
  try {
    const input = await descriptors.take(0);
    closeSync(0);
    openSync('/dev/null', constants.O_RDONLY);
    return openSocket(input, { readable: true, writable: false });
  } catch {
    // Nobody but this process reads a file or a terminal by accident.
    return process.stdin;
  }
}

type Stdout = typeof process.stdout;

interface Redirected {
  readonly stdout: Stdout;
  /** What `stdout.write` was. */
  readonly write: Stdout['write'];
}

/** Sends JavaScript's writes to stderr; what it returns opens a stream that still reaches stdout. */
function redirectStream(): () => Writable {
  redirectConsole(globalThis.console);
  const property = Object.getOwnPropertyDescriptor(process, 'stdout');
  let redirected: Redirected | undefined;
  const redirect = (): Redirected => {
    redirected ??= redirectWrites(property?.get?.call(process) ?? property?.value);
    return redirected;
  };
  // A stream that nobody writes to takes longer than all the rest here: it is made when it is asked for.
  if (property?.get === undefined || !isUntouched()) redirect();
  else Object.defineProperty(process, 'stdout', { ...property, get: () => redirect().stdout });
  return () => openWire(redirect());
}

/** Methods of `console` that write to stdout. */
const PRINTERS = ['log', 'info', 'debug', 'dir', 'dirxml', 'table', 'group', 'groupCollapsed'];

/** Bun and Deno write what `console` is given past `process.stdout`; on Node the stream is enough. */
function redirectConsole(target: Console): void {
  const { bun, deno } = process.versions as Readonly<Record<string, string | undefined>>;
  if (bun === undefined && deno === undefined) return;
  const print = target.error.bind(target);
  for (const name of PRINTERS) Reflect.set(target, name, print);
}

/** Whether nobody holds `process.stdout` yet: Node makes its pipe non-blocking. Elsewhere there is no telling. */
function isUntouched(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const stat = fstatSync(1);
    if (!stat.isFIFO() && !stat.isSocket()) return false;
    const info = readFileSync('/proc/self/fdinfo/1', 'utf8');
    const flags = Number.parseInt(info.split('flags:')[1] ?? '', 8);
    return !Number.isNaN(flags) && (flags & constants.O_NONBLOCK) === 0;
  } catch {
    return false;
  }
}

function redirectWrites(stdout: Stdout): Redirected {
  const write = stdout.write.bind(stdout);
  stdout.write = ((...args: Parameters<typeof stdout.write>) =>
    process.stderr.write(...args)) as typeof stdout.write;
  return { stdout, write };
}

function openWire({ stdout, write }: Redirected): Writable {
  const wire = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, encoding, done) => {
      if (typeof chunk === 'string') write(chunk, encoding, done);
      else write(chunk, done);
    },
  });
  stdout.on('error', (error) => wire.destroy(error));
  return wire;
}

/** Descriptors 0 to 2, and what moves them. */
class StandardDescriptors {
  #duplicator: Promise<HandleDuplicator> | undefined;

  /** A private duplicate of one: its number, or the handle it came with. */
  async take(fd: 0 | 1): Promise<number | PipeHandle> {
    // Deno numbers its files itself: a socket cannot be made of such a number.
    if (process.versions['deno'] !== undefined) throw new Error('no descriptors to move');
    const stat = fstatSync(fd);
    const mode = fd === 0 ? constants.O_RDONLY : constants.O_WRONLY;
    if (stat.isFIFO()) return openSync(descriptorPath(fd), mode | constants.O_NONBLOCK);
    if (!stat.isSocket()) throw new Error('neither a pipe nor a socket');
    if (process.platform !== 'linux') return openSync(descriptorPath(fd), mode);
    return (await this.#open()).duplicate(fd);
  }

  /** Puts a duplicate of stderr in the place of descriptor 1. */
  async replaceStdout(): Promise<void> {
    if (process.platform === 'linux' && fstatSync(2).isSocket()) {
      const { fd } = await (await this.#open()).duplicate(2, () => closeSync(1));
      if (fd === 1) return;
      // Another thread took the number first, or took none: whatever is at 1 now must not be a hole.
      openSync('/dev/null', constants.O_WRONLY);
      return;
    }
    closeSync(1);
    try {
      openSync(descriptorPath(2), constants.O_WRONLY | constants.O_APPEND);
    } catch {
      // No stderr to speak of: what is written there is lost either way.
      openSync('/dev/null', constants.O_WRONLY);
    }
  }

  async close(): Promise<void> {
    const opened = await this.#duplicator?.catch(() => undefined);
    opened?.close();
  }

  #open(): Promise<HandleDuplicator> {
    this.#duplicator ??= HandleDuplicator.open();
    return this.#duplicator;
  }
}

function openSocket(
  from: number | PipeHandle,
  direction: { readonly readable: boolean; readonly writable: boolean },
): Socket {
  if (typeof from === 'number') return new Socket({ fd: from, ...direction });
  return new Socket({ handle: from, ...direction } as ConstructorParameters<typeof Socket>[0]);
}

function descriptorPath(fd: number): string {
  return process.platform === 'linux' ? `/proc/self/fd/${fd}` : `/dev/fd/${fd}`;
}
