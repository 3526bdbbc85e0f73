import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolderSync } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import type { Io } from '../command/io.ts';
import { stateFolder } from '../command/state-folder.ts';
import { LiveView } from '../show/live-view.ts';
import { passThrough } from './pass-through.ts';
import { TrafficCopy } from './traffic-copy.ts';

/** Folder of recordings nobody named. */
export function recordingsFolder(env: NodeJS.ProcessEnv): string {
  return join(stateFolder(env), 'recordings');
}

/** Stands between a client and a server, and ends as the server ended. */
export async function runTap(args: Arguments, io: Io): Promise<number> {
  const file = resolve(io.cwd, args.text('out') ?? defaultFile(io.env));
  const remark = (text: string): void =>
    io.remark(`${io.errorPaint.yellow('tincan tap:')} ${text}`);
  try {
    // Only the folder of our own is made with its parents.
    if (args.has('out')) mkdirSync(dirname(file));
    else makeFolderSync(dirname(file));
  } catch {
    // It is there, as a rule. Where it is not, the recorder will say that it cannot write; the traffic goes on.
  }
  const view = args.flag('ui') ? new LiveView(io.errorPaint, io.width) : undefined;
  const copy = new TrafficCopy({
    file,
    redact: !args.flag('no-redact'),
    maxMessageBytes: args.number('max-bytes') ?? 0,
    ...(view !== undefined && {
      onRecord: (record) => {
        for (const line of view.add(record)) io.remark(line);
      },
    }),
  });
  const [command = '', ...rest] = args.server;
  const exit = await passThrough({ command, args: rest }, copy);
  await copy.close().catch((error: Error) => remark(error.message));
  if (exit.signal !== null) await endBySignal(exit.signal);
  return exit.exitCode ?? 1;
}

function defaultFile(env: NodeJS.ProcessEnv): string {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  return join(recordingsFolder(env), `${stamp}-${process.pid}.ndjson`);
}

/** Ends this process as the server ended, so that whoever waits for it sees the same. */
async function endBySignal(signal: NodeJS.Signals): Promise<void> {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // A signal is delivered a moment later; one that does not end us is followed by an exit code.
  await new Promise((done) => setTimeout(done, 500));
}
