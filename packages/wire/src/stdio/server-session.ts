import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessExit, ProcessExitedError, WireError } from '../errors.ts';
import { Peer, type PeerOptions } from '../jsonrpc/peer.ts';
import { redactText } from '../tap/redact.ts';
import { type ExitStatus, type ProcessOptions, ServerProcess } from './server-process.ts';

const STRAY_LINES = 10;
/** Time between the end of a child's output and its exit that is taken for one event. */
const EXIT_LAG_MS = 250;

/** One server process and the connection to it, from start to end. */
export class ServerSession {
  readonly process: ServerProcess;
  readonly peer: Peer;
  /** Resolves when the connection is over, whichever side ended it. */
  readonly ended: Promise<ProcessExit>;
  phase: ProcessExit['phase'] = 'handshake';
  readonly #command: string;
  readonly #strayLines: string[] = [];
  #closing: Promise<void> | undefined;

  private constructor(
    child: ServerProcess,
    options: ProcessOptions,
    peerOptions: Partial<PeerOptions>,
  ) {
    this.process = child;
    this.#command = [options.command, ...(options.args ?? [])].join(' ');
    this.peer = new Peer({
      ...peerOptions,
      input: child.stdout,
      output: child.stdin,
      role: 'client',
    });
    this.peer.on('stray', (text) => {
      this.#strayLines.push(text);
      if (this.#strayLines.length > STRAY_LINES) this.#strayLines.shift();
    });
    this.ended = this.#watchEnd();
  }

  static async open(
    options: ProcessOptions,
    peerOptions: Partial<PeerOptions>,
    onStderr: (line: string) => void,
  ): Promise<ServerSession> {
    return new ServerSession(await ServerProcess.start(options, onStderr), options, peerOptions);
  }

  /** Sends what is queued, then ends the process. Answers that still come are delivered. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.phase = 'closing';
    await this.peer.flushed(500);
    await this.process.stop();
    await this.ended;
  }

  async #watchEnd(): Promise<ProcessExit> {
    const { process: child, peer } = this;
    // A server that closes its output is of no more use, though it may live.
    const outputEnded = new Promise<undefined>((resolve) =>
      peer.once('end', () => resolve(undefined)),
    );
    let status = await Promise.race([child.ended, outputEnded]);
    status ??= await Promise.race([child.ended, delay(EXIT_LAG_MS, undefined, { ref: false })]);
    const exit = this.#describeExit(status);
    const error =
      this.phase === 'closing'
        ? new WireError('SHUTDOWN', 'the connection was closed')
        : new ProcessExitedError(this.#message(exit), exit);
    peer.stop(error);
    // Whatever the process left behind in its group goes with it.
    if (this.phase !== 'closing') child.stop().catch(() => undefined);
    return exit;
  }

  #describeExit(status: ExitStatus | undefined): ProcessExit {
    return {
      phase: this.phase,
      exitCode: status?.exitCode ?? null,
      signal: status?.signal ?? null,
      uptimeMs: Math.round(performance.now() - this.process.startedMs),
      stderrTail: this.process.stderrTail,
      strayLines: this.#strayLines,
    };
  }

  #message(exit: ProcessExit): string {
    const { exitCode, signal, phase, uptimeMs } = exit;
    const how =
      signal !== null
        ? `was ended by ${signal}`
        : exitCode !== null
          ? `exited with code ${exitCode}`
          : 'closed its stdout';
    const lastLine = exit.stderrTail.trimEnd().split('\n').at(-1) ?? '';
    const said = lastLine === '' ? '' : `; last on stderr: ${redactText(lastLine.slice(0, 500))}`;
    return `\`${redactText(this.#command)}\` ${how} after ${uptimeMs} ms (${phase})${said}`;
  }
}
