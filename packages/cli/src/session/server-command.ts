import type { StdioServer } from '@tincan/mcp';
import type { EnvPolicy, Framing } from '@tincan/wire';
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
export function parseHeaders(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf(':');
      // The value may be a secret, so that it is not repeated.
      if (at <= 0) throw usageError('expected `name: value` after `--header`');
      return [word.slice(0, at).trim().toLowerCase(), word.slice(at + 1).trim()];
    }),
  );
}
