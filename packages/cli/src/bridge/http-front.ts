import { bridgeBackend, guard, type HttpBackend, HttpEnd, HttpListener } from 'tincan-mcp/http';
import type { Arguments } from '../command/arguments.ts';
import { CliError, ExitCode } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { printable } from '../format/text.ts';
import { serverCommand } from '../session/server-command.ts';
import { SideChannel } from '../session/side-channel.ts';
import { bridgeAccess } from './bridge-access.ts';

/** Serves a stdio server over HTTP until a signal comes. */
export async function serveHttpFront(args: Arguments, io: Io): Promise<number> {
  const host = args.text('host') ?? '127.0.0.1';
  const { access, remark } = bridgeAccess(host, args, io);
  const side = new SideChannel(io, args.flag('quiet'));
  const backend = bridgeBackend({
    ...serverCommand(args),
    // The bridge's own secret is not for the server.
    env: { ...serverCommand(args).env, TINCAN_TOKEN: undefined },
    onConnection: (connection) => {
      connection.on('stderr', (line) => side.stderr(line));
      connection.on('stray', (text) => side.stray(text));
      connection.on('exit', ({ phase, exitCode, signal }) => {
        if (phase !== 'closing')
          io.remark(`the server ended: ${signal ?? `exit code ${exitCode}`}`);
      });
    },
  });
  const tell = (error: Error): void =>
    io.remark(`${io.errorPaint.red('tincan:')} ${printable(error.message)}`);
  const end = new HttpEnd(telling(backend, tell), {
    ...access,
    maxBodyBytes: args.number('max-body') ?? 4 * 1024 * 1024,
    maxSessions: args.number('max-sessions') ?? 1000,
    sessionTimeoutMs: args.number('session-timeout') ?? 600_000,
  });
  const port = args.number('port') ?? 0;
  const listener = await HttpListener.open(
    (request, response) => {
      if (!guard(request, response, access)) end.listener(request, response);
    },
    { host, port },
  ).catch((cause: Error) => {
    throw new CliError('BROKEN', `could not listen on \`${host}:${port}\`: ${cause.message}`, {
      cause,
    });
  });
  io.remark(remark);
  io.remark(`listening on ${listener.url}/mcp`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
  await Promise.all([listener.close(), end.close()]);
  return ExitCode.Ok;
}

/** The same back end, with failures told as they happen: the client hears only that there was one. */
function telling(backend: HttpBackend, tell: (error: Error) => void): HttpBackend {
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: Error) => {
      tell(error);
      throw error;
    });
  return {
    modern: () => told(backend.modern()),
    open: (outlet) => told(backend.open(outlet)),
    close: () => backend.close(),
  };
}
