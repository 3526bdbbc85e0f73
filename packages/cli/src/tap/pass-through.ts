import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { CliError } from '../command/cli-error.ts';
import { killWhenGone } from './kill-when-gone.ts';

/** Gets a copy of the bytes that pass. Must be quick, and must not throw. */
export interface TrafficListener {
  bytes(from: 'client' | 'server' | 'stderr', chunk: Buffer): void;
  end(from: 'client' | 'server' | 'stderr'): void;
  exit(exitCode: number | null, signal: NodeJS.Signals | null): void;
}

/** How the server ended. */
export interface PassedExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGQUIT'] as const;
/** How long to pass on output after the server ended, while somebody it started holds the pipe. */
const GRACE_MS = 250;

/** Starts a server in our place: our streams and signals are its own until it ends. */
export async function passThrough(
  server: { readonly command: string; readonly args: readonly string[] },
  listener: TrafficListener,
): Promise<PassedExit> {
  const child = await start(server);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) {
    throw new CliError('BROKEN', 'the server has no stdin, stdout or stderr');
  }
  // That the client is gone is for the server to feel, and to end by.
  process.stdout.removeAllListeners('error');
  const forget = killWhenGone(child.pid ?? 0);
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  void pass(
    process.stdin,
    stdin,
    (chunk) => listener.bytes('client', chunk),
    () => listener.end('client'),
  );
  const out = pass(
    stdout,
    process.stdout,
    (chunk) => listener.bytes('server', chunk),
    () => listener.end('server'),
  );
  const err = pass(
    stderr,
    process.stderr,
    (chunk) => listener.bytes('stderr', chunk),
    () => listener.end('stderr'),
  );
  const exit = await new Promise<PassedExit>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  forget();
  await Promise.race([Promise.all([out, err]), afterQuiet(stdout)]);
  listener.exit(exit.exitCode, exit.signal);
  await flushed(process.stdout);
  return exit;
}

async function start({
  command,
  args,
}: {
  readonly command: string;
  readonly args: readonly string[];
}): Promise<ChildProcess> {
  // In our own process group, so that signals to the group reach it as they would without us.
  const child = spawn(command, args, { stdio: 'pipe', shell: needsShell(command) });
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child));
    child.once('error', (cause) => {
      reject(new CliError('BROKEN', `could not start \`${command}\`: ${cause.message}`, { cause }));
    });
  });
}

/** On Windows `npx` and its like are batch files, which only a shell runs. */
function needsShell(command: string): boolean {
  return process.platform === 'win32' && !/\.(?:exe|com)$/i.test(command);
}

/** Passes bytes on, waiting where the reader is slow; resolves when all of them are written or lost. */
function pass(
  from: Readable,
  to: Writable,
  copy: (chunk: Buffer) => void,
  onEnd: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    let isDone = false;
    const finish = (): void => {
      if (isDone) return;
      isDone = true;
      onEnd();
      // stdout and stderr of this process cannot be ended; they close when it ends.
      if (to !== process.stdout && to !== process.stderr) to.end();
      resolve();
    };
    from.on('data', (chunk: Buffer) => {
      // First things first: the copy is taken when the bytes are on their way.
      const hasRoom = to.writable ? to.write(chunk) : true;
      copy(chunk);
      if (!hasRoom) from.pause();
    });
    to.on('drain', () => from.resume());
    to.on('error', () => {
      // The reader is gone. stderr has other readers; on the line the writer must feel it.
      from.resume();
      if (to !== process.stderr) from.destroy();
    });
    to.on('close', () => {
      if (to !== process.stderr) from.destroy();
    });
    from.on('end', finish);
    from.on('close', finish);
    from.on('error', finish);
  });
}

/** Resolves when nothing has come for a while. */
function afterQuiet(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, GRACE_MS);
    stream.on('data', () => timer.refresh());
  });
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable || stream.writableLength === 0) resolve();
    else {
      stream.once('drain', resolve);
      stream.once('error', () => resolve());
      stream.once('close', () => resolve());
    }
  });
}
