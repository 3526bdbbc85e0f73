import { resolve } from 'node:path';
import type { StdioServer } from 'tincan-mcp';
import { type HttpServerAddress, TokenFile } from 'tincan-mcp/http';
import type { EnvPolicy, Framing } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { usageError } from '../command/cli-error.ts';

/** How to start the server named behind `--`. */
export function serverCommand(args: Arguments): StdioServer {
  const [command, ...rest] = args.server;
  if (command === undefined) throw usageError('expected `-- <server command>`');
  const cwd = args.text('cwd');
  const framing = args.text('framing') as 'auto' | Framing | undefined;
  return {
    command,
    args: rest,
    env: parseVariables(args.list('env')),
    envPolicy: (args.text('env-policy') ?? 'all') as EnvPolicy,
    ...(cwd !== undefined && { cwd }),
    ...(framing !== undefined && { framing }),
  };
}

/** How to reach the server at `--url`. */
export function remoteServer(url: string, args: Arguments): HttpServerAddress {
  const file = args.text('token-file');
  return {
    url,
    headers: parseHeaders(args.list('header')),
    ...(file !== undefined && { token: TokenFile.read(resolve(file)).current() }),
  };
}

/** Variables given as `NAME=value`. */
export function parseVariables(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at <= 0) throw usageError(`expected \`NAME=value\` after \`--env\`, got \`${word}\``);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/** Headers given as `name: value`. */
function parseHeaders(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf(':');
      // The value may be a secret, so that it is not repeated.
      if (at <= 0) throw usageError('expected `name: value` after `--header`');
      return [word.slice(0, at).trim().toLowerCase(), word.slice(at + 1).trim()];
    }),
  );
}
