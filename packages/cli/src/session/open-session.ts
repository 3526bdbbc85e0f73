import { connectLine, httpLine, type Line, type McpClient, stdioLine } from 'tincan-mcp';
import { Dispatcher, ErrorCode, Recorder, RpcError } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { CliError, usageError } from '../command/cli-error.ts';
import { version } from '../help/version.ts';
import { remoteServer, serverCommand } from './server-command.ts';

/** Hears what a server says besides its answers. */
export interface SessionListener {
  stderr(line: string): void;
  stray(text: string): void;
  notification(method: string, params: unknown): void;
}

/** A server that was started or reached, and shaken hands with unless that was not wanted. */
export interface Session extends AsyncDisposable {
  readonly line: Line;
  /** Undefined in a raw session. */
  readonly client: McpClient | undefined;
  /** Time until the server was ready. */
  readonly readyMs: number;
}

/** Opens the server a command line names. */
export async function openSession(args: Arguments, listener: SessionListener): Promise<Session> {
  const url = args.text('url');
  if ((url === undefined) === (args.server.length === 0)) {
    throw usageError('expected either `-- <server command>` or `--url <url>`');
  }
  if (url === undefined && args.list('header').length > 0) {
    throw usageError('`--header` goes with `--url`');
  }
  const file = args.text('record');
  const recorder = file === undefined ? undefined : new Recorder({ file, keep: 0 });
  const inner =
    url === undefined
      ? stdioLine({
          ...serverCommand(args),
          ...(recorder !== undefined && { tap: recorder }),
          onConnection: (connection) => {
            connection.on('stderr', (line) => listener.stderr(line));
            connection.on('stray', (text) => listener.stray(text));
          },
        })
      : httpLine(remoteServer(checkUrl(url), args));
  const started = performance.now();
  let line: Line | undefined;
  const open: typeof inner = async (methods) => {
    line = await inner(methods);
    line.onNotification((method, params) => listener.notification(method, params));
    return line;
  };
  try {
    const client = args.flag('raw')
      ? undefined
      : await connectLine(open, {
          name: 'tincan',
          version: version(),
          era: (args.text('era') ?? 'auto') as 'auto',
          timeoutMs: args.number('timeout') ?? 30_000,
        });
    const opened = line ?? (await open(new Dispatcher({})));
    return {
      line: opened,
      client,
      readyMs: performance.now() - started,
      [Symbol.asyncDispose]: async () => {
        await opened.close().catch(() => undefined);
        await recorder?.close();
      },
    };
  } catch (error) {
    await recorder?.close();
    throw explained(error);
  }
}

/** Adds the option that helps, where the server's own words cannot know it. */
function explained(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const { message } = error;
  if (error.rpcCode === ErrorCode.MethodNotFound) {
    const what = `the server refused the MCP handshake: ${message}`;
    const fix = 'a server that speaks JSON-RPC but not MCP needs `--raw`';
    return new CliError('BROKEN', `${what}; ${fix}`, { cause: error });
  }
  if (!message.includes('Authorization')) return error;
  return new CliError('BROKEN', `${message}. Send it with \`--token-file <path>\``, {
    cause: error,
  });
}

function checkUrl(url: string): string {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw usageError(`expected \`--url\` to be an http or https URL, got \`${url}\``);
  }
  return url;
}
