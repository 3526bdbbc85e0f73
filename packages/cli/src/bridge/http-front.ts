import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bridgeBackend, type HttpBackend, HttpEnd } from '@tincan/mcp/http';
import type { Arguments } from '../command/arguments.ts';
import { CliError, ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { serverCommand } from '../session/server-command.ts';
import { SideChannel } from '../session/side-channel.ts';

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/** Serves a stdio server over HTTP until a signal comes. */
export async function serveHttpFront(args: Arguments, io: Io): Promise<number> {
  const host = args.text('host') ?? '127.0.0.1';
  const token = args.text('token') ?? io.env['TINCAN_TOKEN'];
  if (!LOOPBACK.includes(host) && token === undefined) {
    throw usageError(
      `\`--host ${host}\` is open to others: give a token, in TINCAN_TOKEN or by \`--token\``,
    );
  }
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
    io.remark(`${io.errorPaint.red('tincan:')} ${error.message}`);
  const end = new HttpEnd(telling(backend, tell), {
    allowedHosts: args.list('allow-host'),
    allowedOrigins: args.list('allow-origin'),
    maxBodyBytes: args.number('max-body') ?? 4 * 1024 * 1024,
    ...(token !== undefined && { token }),
  });
  const http = createServer(end.listener);
  const port = await listen(http, args.number('port') ?? 0, host);
  const name = host.includes(':') ? `[${host}]` : host;
  io.remark(`listening on http://${name}:${port}/mcp`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
  await end.close();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
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

function listen(http: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause) => {
      reject(
        new CliError('BROKEN', `could not listen on \`${host}:${port}\`: ${cause.message}`, {
          cause,
        }),
      );
    });
    http.listen(port, host, () => resolve((http.address() as AddressInfo).port));
  });
}
