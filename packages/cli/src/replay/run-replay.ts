import { resolve } from 'node:path';
import { replayClient, replayServer, runServer, spawnServer, type TapRecord } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { CliError, ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { preview, printable } from '../format/text.ts';
import { serverCommand } from '../session/server-command.ts';
import { SideChannel } from '../session/side-channel.ts';
import { readTimeline } from '../show/run-show.ts';
import { type Difference, differencesIn } from './differences.ts';
import { RecordedClient } from './recorded-client.ts';

/** Plays a recording as a server, or as a client where a server is given. */
export async function runReplay(args: Arguments, io: Io): Promise<number> {
  const [file, ...more] = args.positionals;
  if (file === undefined || more.length > 0) throw usageError('expected one recording');
  const { records } = await readTimeline(resolve(io.cwd, file));
  if (args.server.length === 0) return runServer(replayServer(records));
  return playClient(records, args, io);
}

async function playClient(records: readonly TapRecord[], args: Arguments, io: Io): Promise<number> {
  const client = new RecordedClient(records);
  if (client.requests === 0)
    throw new CliError('BROKEN', 'the recording has no requests of a client');
  const side = new SideChannel(io);
  const { onConnection: _, ...server } = serverCommand(args);
  await using connection = await spawnServer({
    ...server,
    defaultFraming: client.framing,
    methods: replayServer(client.answers),
  });
  connection.on('stderr', (line) => side.stderr(line));
  connection.on('stray', (text) => side.stray(text));
  const found = await replayClient(records, client.through(connection), {
    timeoutMs: args.number('timeout') ?? 30_000,
  });
  const ignored = args.list('ignore');
  const differences = found
    .filter(({ method }) => !ignored.includes(method))
    .map((one) => ({ ...one, at: differencesIn(one.expected, one.actual, ignored) }))
    .filter(({ at }) => at.length > 0);
  if (args.flag('json')) io.print(JSON.stringify(differences, null, 2));
  else {
    for (const { method, params, at } of differences) {
      io.print(
        `${io.paint.red('✗')} ${io.paint.bold(printable(method))} ${preview(params, io.width - method.length - 4)}`,
      );
      for (const line of at.slice(0, 20).flatMap((one) => describe(one, io)))
        io.print(`    ${line}`);
      if (at.length > 20) io.print(`    … and ${at.length - 20} more places`);
    }
    const same = client.requests - differences.length;
    io.print(`${same} of ${client.requests} answers are as recorded`);
  }
  return differences.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}

function describe({ path, expected, actual }: Difference, { paint, width }: Io): string[] {
  const show = (value: unknown): string =>
    value === undefined ? 'nothing' : preview(value, width - 18);
  return [
    paint.dim(printable(path)),
    `  recorded ${paint.green(show(expected))}`,
    `  now      ${paint.red(show(actual))}`,
  ];
}
