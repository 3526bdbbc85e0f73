import { isatty } from 'node:tty';
import { checkCount } from '../check-option.ts';
import { WireError } from '../errors.ts';
import type { MethodTable } from '../jsonrpc/inbound-calls.ts';
import type { Remark } from '../jsonrpc/peer.ts';
import { settlesWithin } from '../settles-within.ts';
import { type ServeOptions, serveStdio } from './serve-stdio.ts';
import { guardStdout } from './stdout-guard.ts';
import { TerminalInput } from './terminal-input.ts';

/** Settings of {@link runServer}. */
export interface RunOptions extends Omit<ServeOptions, 'input' | 'output' | 'signal'> {
  /** How often to look whether the parent process is still there. Default 1,000; 0: never. */
  readonly parentWatchMs?: number;
  /**
   * Called with each line typed in a terminal that is not JSON; without it such a line is a parse error. Says
   * that the server greets the person itself.
   */
  readonly onText?: (line: string) => void;
  /** Called before the process ends, after the last answer. Waited for `drainMs` at most. */
  readonly onClose?: () => void | Promise<void>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes this process a stdio server: guards stdout, serves until the input ends, a signal comes or the
 * parent dies, then ends the process, whatever timers and sockets are still open. Exit code 0, or 1
 * after a failure.
 */
export async function runServer(methods: MethodTable, options: RunOptions = {}): Promise<never> {
  const { parentWatchMs = 1000, onClose, onText, ...serveOptions } = options;
  const { drainMs = 2000 } = serveOptions;
  const stop = new AbortController();
  const end = (reason: string): void => {
    if (stop.signal.aborted) process.exit(0);
    stop.abort(new WireError('SHUTDOWN', reason));
  };
  for (const signal of SIGNALS) process.on(signal, () => end(`received ${signal}`));
  process.on('unhandledRejection', (error) => report('unhandled rejection', error));
  let exitCode = 0;
  try {
    checkCount('parentWatchMs', parentWatchMs);
    if (parentWatchMs > 0) watchParent(parentWatchMs, () => end('the parent process is gone'));
    const isTerminal = isatty(0);
    if (isTerminal && onText === undefined) {
      report('reading JSON-RPC messages from the terminal, one per line; end with Ctrl-D');
    }
    const { input, output } = await guardStdout();
    await serveStdio(methods, {
      onRemark: reportUnfinished,
      ...serveOptions,
      input: isTerminal && onText !== undefined ? input.pipe(new TerminalInput(onText)) : input,
      output,
      signal: stop.signal,
    });
  } catch (error) {
    if (error !== stop.signal.reason && !isBrokenPipe(error)) {
      exitCode = 1;
      report('the server failed', error);
    }
  }
  try {
    const closing = Promise.resolve(onClose?.());
    const hasClosed = await settlesWithin(closing, drainMs);
    if (!hasClosed) throw new WireError('TIMEOUT', `\`onClose\` took longer than ${drainMs} ms`);
    await closing;
  } catch (error) {
    exitCode = 1;
    report('closing failed', error);
  }
  process.exit(exitCode);
}

/** A reader that went away has ended the session as well as an end of input would. */
function isBrokenPipe(error: unknown): boolean {
  const cause = error instanceof WireError ? error.cause : undefined;
  return cause instanceof Error && Reflect.get(cause, 'code') === 'EPIPE';
}

/** A parent that is killed cannot close its end if somebody else holds it too: being adopted tells. */
function watchParent(intervalMs: number, onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, intervalMs);
  timer.unref();
}

function reportUnfinished({ code, message }: Remark): void {
  if (code === 'unfinished') report(message);
}

function report(what: string, error?: unknown): void {
  const detail =
    error === undefined ? '' : `: ${error instanceof Error ? error.message : String(error)}`;
  process.stderr.write(`${what}${detail}\n`);
}
