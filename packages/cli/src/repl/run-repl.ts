import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Arguments } from '../command/arguments.ts';
import { CliError, ExitCode } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { stateFolder } from '../command/state-folder.ts';
import { formatMs } from '../format/measure.ts';
import { printable } from '../format/text.ts';
import { openSession } from '../session/open-session.ts';
import { SideChannel } from '../session/side-channel.ts';
import { readHistory, writeHistory } from './history.ts';
import { ReplSession } from './repl-session.ts';

/** Runs lines until they end. */
export async function runRepl(args: Arguments, io: Io): Promise<number> {
  const side = new SideChannel(io);
  await using session = await openSession(args, side);
  const isInteractive = io.isTerminal && Reflect.get(io.stdin, 'isTTY') === true;
  const sources = {
    readFile: (path: string) => readFile(resolve(io.cwd, path), 'utf8'),
    readStdin: async (): Promise<string> => {
      throw new CliError('USAGE', 'stdin is where the lines come from; use @file');
    },
  };
  const settings = { timeoutMs: args.number('timeout') ?? 30_000, asJson: args.flag('json') };
  const repl = new ReplSession(session, { io, side, sources }, settings);
  await repl.prepare();
  const file = args.text('history') ?? join(stateFolder(io.env), 'history');
  const keepsHistory = isInteractive && file !== '';
  const readline = createInterface({
    input: io.stdin,
    ...(isInteractive && {
      output: io.stdout,
      terminal: true,
      completer: (line: string) => repl.complete(line),
      history: keepsHistory ? await readHistory(file) : [],
      historySize: 1000,
      removeHistoryDuplicates: true,
    }),
    prompt: io.paint.bold('> '),
  });
  if (isInteractive) {
    const { name, version } = Object(session.client?.agreement.serverInfo) as {
      name?: unknown;
      version?: unknown;
    };
    const who =
      session.client === undefined ? 'raw session' : `${name ?? 'server'} ${version ?? ''}`;
    io.remark(
      io.errorPaint.dim(
        `${printable(who.trim())}, ready after ${formatMs(session.readyMs)}; \`help\` explains, Tab completes`,
      ),
    );
  }
  // Kept up to date by readline; its type does not say so.
  readline.on('history', (lines: string[]) => {
    if (keepsHistory) writeHistory(file, lines).catch(() => undefined);
  });
  return await runLines(readline, repl, isInteractive);
}

async function runLines(
  readline: Interface,
  repl: ReplSession,
  isInteractive: boolean,
): Promise<number> {
  let failures = 0;
  const prompt = (): void => {
    if (isInteractive) readline.prompt();
  };
  readline.on('SIGINT', () => {
    if (repl.cancel()) return;
    if (readline.line === '') readline.close();
    else {
      for (const name of ['e', 'u']) readline.write(null, { ctrl: true, name });
    }
  });
  prompt();
  try {
    for await (const line of readline) {
      const outcome = await repl.run(line);
      if (outcome === 'exit') break;
      if (!outcome) failures++;
      prompt();
    }
  } catch (error) {
    // Told already, with the line that met it.
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'PROCESS_EXITED') throw error;
    return ExitCode.Broken;
  } finally {
    readline.close();
  }
  return failures > 0 && !isInteractive ? ExitCode.Failed : ExitCode.Ok;
}
