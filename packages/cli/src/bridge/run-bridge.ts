import type { Arguments } from '../command/arguments.ts';
import { usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';

const MAX_PORT = 65_535;

/** Bridges in the direction the options say. */
export async function runBridge(args: Arguments, io: Io): Promise<number> {
  const url = args.text('url');
  if (url !== undefined) {
    if (args.server.length > 0 || args.has('port')) {
      throw usageError(
        '`--url` is for a remote server; it goes with no port and no server command',
      );
    }
    return (await import('./stdio-front.ts')).serveStdioFront(url, args, io);
  }
  if (args.server.length === 0) throw usageError('expected `-- <server command>` or `--url <url>`');
  const port = args.number('port');
  if (port === undefined) throw usageError('expected `--port <number>`');
  if (port > MAX_PORT) {
    throw usageError(`expected \`--port\` to be at most ${MAX_PORT}, got \`${port}\``);
  }
  return (await import('./http-front.ts')).serveHttpFront(args, io);
}
