import { basename, resolve } from 'node:path';
import { TokenFile } from 'tincan-mcp/http';
import { nearestName } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { shellLine } from '../command/shell-line.ts';
import { parseVariables } from '../session/server-command.ts';
import { CLIENT_NAMES } from '../verbs/config.ts';
import {
  type Client,
  type ClientName,
  clients,
  type Place,
  type RemoteEntry,
  type ServerEntry,
} from './clients.ts';
import { findClients } from './find-clients.ts';
import { memoryCommand, tincanCommand } from './own-command.ts';

/** What the command line asks for, the same for every client. */
export interface Request {
  readonly name: string;
  readonly server: ServerEntry;
  readonly remote: RemoteEntry | undefined;
  readonly scope: 'user' | 'project';
  readonly place: Place;
}

/** Said wherever an entry leaves the token to the environment. */
export function tokenHint(): string {
  const hint = 'the client reads the token from TINCAN_TOKEN';
  try {
    return `${hint}: export TINCAN_TOKEN="$(${shellLine([...memoryCommand(), 'token'])})"`;
  } catch {
    // The memory is not installed here: only the machine that runs it can print its token.
    return hint;
  }
}

export function readRequest(args: Arguments, io: Io, place: Place): Request {
  const remote = remoteOf(args, io);
  const name = args.text('name') ?? defaultName(args.server, remote);
  // Removing an entry works where the memory is no longer installed.
  const isNeeded = remote === undefined && !args.flag('remove');
  const words = args.server.length === 0 && isNeeded ? memoryCommand() : args.server;
  const scope = (args.text('scope') ?? 'user') as 'user' | 'project';
  return { name, server: entryOf(words, args), remote, scope, place };
}

function defaultName(words: readonly string[], remote: RemoteEntry | undefined): string {
  if (remote !== undefined) return hostOf(remote.url);
  return words.length === 0 ? 'memory' : nameOf(words);
}

/** The client with this name, or every client that is installed for `all`. */
export function chooseClients(positionals: readonly string[], place: Place): readonly Client[] {
  if (positionals.join(' ') !== 'all') return [clientNamed(positionals)];
  const found = findClients(place);
  if (found.length > 0) return found.map((name) => clients[name]);
  throw usageError(`found none of the clients: ${CLIENT_NAMES.join(', ')}`);
}

function clientNamed([name, ...more]: readonly string[]): Client {
  const known = CLIENT_NAMES.find((one) => one === name);
  if (known !== undefined && more.length === 0) return clients[known satisfies ClientName];
  if (known !== undefined)
    throw usageError(`expected one client, got \`${more.join(' ')}\` besides`);
  if (name === undefined) throw usageError(`expected a client: ${CLIENT_NAMES.join(', ')}`);
  const guess = nearestName(name, CLIENT_NAMES);
  const hint =
    guess === undefined ? `expected ${CLIENT_NAMES.join(', ')}` : `did you mean \`${guess}\`?`;
  throw usageError(`unknown client \`${name}\`; ${hint}`);
}

/** The server at `--url`, if that was given. */
function remoteOf(args: Arguments, io: Io): RemoteEntry | undefined {
  const url = args.text('url');
  const file = args.text('token-file');
  if (url === undefined) {
    if (file !== undefined) throw usageError('`--token-file` goes with `--url`');
    return undefined;
  }
  if (args.server.length > 0) throw usageError('expected either a server command or `--url`');
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw usageError(`expected \`--url\` to be an http or https URL, got \`${url}\``);
  }
  if (args.has('tap') || args.has('env')) {
    throw usageError('`--tap` and `--env` go with a server command, not with `--url`');
  }
  if (file !== undefined && args.text('scope') === 'project') {
    throw usageError(
      'a project file is shared: leave out `--token-file`, and the client reads TINCAN_TOKEN',
    );
  }
  const token = file === undefined ? undefined : TokenFile.read(resolve(io.cwd, file)).current();
  return { url, token };
}

/** A name for a remote server; on this machine it is most likely the memory. */
function hostOf(url: string): string {
  const { hostname } = new URL(url);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return isLoopback ? 'memory' : hostname.replace(/[^\w-]+/g, '-');
}

function entryOf(words: readonly string[], args: Arguments): ServerEntry {
  const tap = args.text('tap');
  const all =
    tap === undefined ? words : [...tincanCommand(), 'tap', '--out', resolve(tap), '--', ...words];
  const [command = '', ...rest] = all;
  return { command, args: rest, env: parseVariables(args.list('env')) };
}

/** A short name from a command: the package or the program, without what every server is called. */
function nameOf(words: readonly string[]): string {
  const [command = '', ...rest] = words;
  const isRunner = /^(?:npx|bunx|uvx|node|python3?|deno|bun)(?:\.exe)?$/.test(basename(command));
  const word = isRunner ? (rest.find((one) => !one.startsWith('-')) ?? command) : command;
  const name = basename(word)
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/\.(?:[cm]?[jt]s|py|exe)$/, '')
    .replace(/^(?:mcp-)?server-|^tincan-|-mcp(?:-server)?$|-server$/g, '');
  return name.replace(/[^\w-]+/g, '-') || 'server';
}

export function fileOf(client: Client, { scope, place }: Request, args: Arguments): string {
  return resolve(place.cwd, args.text('file') ?? client.file(scope, place));
}

export function entryFor(
  client: Client,
  { server, remote }: Request,
): Readonly<Record<string, unknown>> {
  return remote === undefined ? client.entry(server) : client.remote(remote);
}
