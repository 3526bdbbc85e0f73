import { basename, resolve } from 'node:path';
import { TokenFile } from '@tincan/mcp/http';
import { nearestName } from '@tincan/wire';
import type { Arguments } from '../command/arguments.ts';
import { ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { parseVariables } from '../session/server-command.ts';
import { CLIENT_NAMES } from '../verbs/config.ts';
import {
  type Client,
  type ClientName,
  clients,
  type RemoteEntry,
  type ServerEntry,
} from './clients.ts';
import { editFile } from './install.ts';
import { putJsonEntry } from './json-edit.ts';
import { putTomlEntry, renderTable } from './toml-edit.ts';

const DEFAULT_SERVER: readonly string[] = ['npx', '-y', '@tincan/memory'];

const NEEDS_VARIABLE =
  'the client reads the token from TINCAN_TOKEN: export TINCAN_TOKEN="$(tincan-memory token)"';

/** Prints the set-up of a server for a client, or installs it. */
export async function runConfig(args: Arguments, io: Io): Promise<number> {
  const client = clientNamed(args.positionals);
  const words = args.server.length === 0 ? DEFAULT_SERVER : args.server;
  const remote = remoteOf(args, io);
  const name = args.text('name') ?? (remote === undefined ? nameOf(words) : hostOf(remote.url));
  const server = entryOf(words, args);
  const scope = (args.text('scope') ?? 'user') as 'user' | 'project';
  const place = { cwd: io.cwd, env: io.env, platform: process.platform };
  const file = resolve(io.cwd, args.text('file') ?? client.file(scope, place));
  const value = remote === undefined ? client.entry(server) : client.remote(remote);
  if (args.flag('install')) {
    const put = client.format === 'toml' ? putTomlEntry : putJsonEntry;
    const backup = await editFile(file, (text) =>
      put(text, [client.member, name], value, { force: args.flag('force') }),
    );
    io.remark(`added \`${name}\` to ${file}`);
    if (backup !== undefined) io.remark(`the file as it was: ${backup}`);
    if (remote !== undefined && remote.token === undefined) io.remark(NEEDS_VARIABLE);
    return ExitCode.Ok;
  }
  io.remark(io.errorPaint.dim(`# ${file}`));
  io.print(blockOf(client, name, value).trimEnd());
  if (remote !== undefined && remote.token === undefined) {
    io.remark(io.errorPaint.dim(`# ${NEEDS_VARIABLE}`));
  }
  const command = client.command?.(name, server, scope);
  if (command !== undefined && remote === undefined)
    io.remark(io.errorPaint.dim(`# or: ${command}`));
  return ExitCode.Ok;
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
    tap === undefined
      ? words
      : ['npx', '-y', 'tincan', 'tap', '--out', resolve(tap), '--', ...words];
  const [command = '', ...rest] = all;
  return { command, args: rest, env: parseVariables(args.list('env')) };
}

function blockOf(client: Client, name: string, value: Readonly<Record<string, unknown>>): string {
  if (client.format === 'toml') return renderTable([client.member, name], value);
  return JSON.stringify({ [client.member]: { [name]: value } }, null, 2);
}

/** A short name from a command: the package or the program, without what every server is called. */
function nameOf(words: readonly string[]): string {
  const [command = '', ...rest] = words;
  const isRunner = /^(?:npx|bunx|uvx|node|python3?|deno|bun)(?:\.exe)?$/.test(basename(command));
  const word = isRunner ? (rest.find((one) => !one.startsWith('-')) ?? command) : command;
  const name = basename(word)
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/\.(?:[cm]?[jt]s|py|exe)$/, '')
    .replace(/^(?:mcp-)?server-|-mcp(?:-server)?$|-server$/g, '');
  return name.replace(/[^\w-]+/g, '-') || 'server';
}
