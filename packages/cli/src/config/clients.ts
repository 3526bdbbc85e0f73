import { homedir } from 'node:os';
import { join } from 'node:path';
import { usageError } from '../command/cli-error.ts';
import { shellLine, shellWord } from '../command/shell-line.ts';
import type { CLIENT_NAMES } from '../verbs/config.ts';

/** A client's name on the command line. */
export type ClientName = (typeof CLIENT_NAMES)[number];

/** A server as it goes into a configuration. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A server over HTTP as it goes into a configuration. */
export interface RemoteEntry {
  readonly url: string;
  /** The token; undefined where the client reads it from `TINCAN_TOKEN`. */
  readonly token: string | undefined;
}

/** Where a client keeps its servers, and in which form. */
export interface Client {
  readonly format: 'json' | 'toml';
  /** Member, or table, that holds the servers by name. */
  readonly member: string;
  file(scope: 'user' | 'project', place: Place): string;
  entry(server: ServerEntry): Readonly<Record<string, unknown>>;
  remote(server: RemoteEntry): Readonly<Record<string, unknown>>;
  /** Files and folders that show that the client is installed. */
  traces(place: Place): readonly string[];
  /** Its command, if it has one, which may be on the PATH. */
  readonly program?: string;
  /** The client's own command for the same, if it has one. */
  command?(name: string, server: ServerEntry, scope: 'user' | 'project'): string;
}

/** Folders that configurations are in. */
export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** Each client: file, form and entry. */
export const clients: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    traces: (place) => [join(home(place), '.claude'), join(home(place), '.claude.json')],
    program: 'claude',
    format: 'json',
    member: 'mcpServers',
    file: (scope, place) =>
      scope === 'user' ? join(home(place), '.claude.json') : join(place.cwd, '.mcp.json'),
    entry: plainEntry,
    remote: (server) => ({ type: 'http', url: server.url, ...bearer(server, `\${TINCAN_TOKEN}`) }),
    command: (name, server, scope) =>
      `claude mcp add -s ${scope} ${name}${variables(server, '-e')} -- ${line(server)}`,
  },
  'claude-desktop': {
    traces: (place) => [join(configFolder(place), 'Claude')],
    format: 'json',
    member: 'mcpServers',
    file: (scope, place) => {
      if (scope === 'project') throw usageError('Claude Desktop has no project configuration');
      return join(configFolder(place), 'Claude', 'claude_desktop_config.json');
    },
    entry: plainEntry,
    remote: () => {
      throw usageError(
        'Claude Desktop starts servers by a command; add one over HTTP in its settings, under Connectors',
      );
    },
  },
  codex: {
    traces: (place) => [codexFolder(place)],
    program: 'codex',
    format: 'toml',
    member: 'mcp_servers',
    file: (scope, place) =>
      scope === 'user'
        ? join(codexFolder(place), 'config.toml')
        : join(place.cwd, '.codex', 'config.toml'),
    entry: (server) => ({ ...plainEntry(server), startup_timeout_sec: 30 }),
    remote: ({ url, token }) => ({
      url,
      ...(token === undefined
        ? { bearer_token_env_var: 'TINCAN_TOKEN' }
        : { http_headers: { Authorization: `Bearer ${token}` } }),
    }),
    command: (name, server) =>
      `codex mcp add ${name}${variables(server, '--env')} -- ${line(server)}`,
  },
  cursor: {
    traces: (place) => [join(home(place), '.cursor')],
    program: 'cursor',
    format: 'json',
    member: 'mcpServers',
    file: (scope, place) => join(scope === 'user' ? home(place) : place.cwd, '.cursor', 'mcp.json'),
    entry: plainEntry,
    remote: (server) => ({ url: server.url, ...bearer(server, `\${env:TINCAN_TOKEN}`) }),
  },
  vscode: {
    traces: (place) => [join(configFolder(place), 'Code')],
    program: 'code',
    format: 'json',
    member: 'servers',
    file: (scope, place) =>
      scope === 'user'
        ? join(configFolder(place), 'Code', 'User', 'mcp.json')
        : join(place.cwd, '.vscode', 'mcp.json'),
    entry: (server) => ({ type: 'stdio', ...plainEntry(server) }),
    remote: (server) => ({
      type: 'http',
      url: server.url,
      ...bearer(server, `\${env:TINCAN_TOKEN}`),
    }),
    command: (name, server) =>
      `code --add-mcp ${shellWord(JSON.stringify({ name, ...plainEntry(server) }))}`,
  },
  windsurf: {
    traces: (place) => [join(home(place), '.codeium', 'windsurf')],
    program: 'windsurf',
    format: 'json',
    member: 'mcpServers',
    file: (scope, place) => {
      if (scope === 'project') throw usageError('Windsurf has no project configuration');
      return join(home(place), '.codeium', 'windsurf', 'mcp_config.json');
    },
    entry: plainEntry,
    remote: (server) => ({ serverUrl: server.url, ...bearer(server, `\${env:TINCAN_TOKEN}`) }),
  },
  gemini: {
    traces: (place) => [join(home(place), '.gemini')],
    program: 'gemini',
    format: 'json',
    member: 'mcpServers',
    file: (scope, place) =>
      join(scope === 'user' ? home(place) : place.cwd, '.gemini', 'settings.json'),
    entry: plainEntry,
    remote: (server) => ({ httpUrl: server.url, ...bearer(server, '$TINCAN_TOKEN') }),
    command: (name, server, scope) =>
      `gemini mcp add -s ${scope}${variables(server, '-e')} ${name} ${line(server)}`,
  },
  opencode: {
    traces: (place) => [join(xdgFolder(place), 'opencode')],
    program: 'opencode',
    format: 'json',
    member: 'mcp',
    file: (scope, place) =>
      scope === 'user'
        ? join(xdgFolder(place), 'opencode', 'opencode.json')
        : join(place.cwd, 'opencode.json'),
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      ...(Object.keys(env).length > 0 && { environment: env }),
    }),
    remote: (server) => ({
      type: 'remote',
      url: server.url,
      enabled: true,
      ...bearer(server, '{env:TINCAN_TOKEN}'),
    }),
  },
  zed: {
    traces: (place) => [zedFolder(place)],
    program: 'zed',
    format: 'json',
    member: 'context_servers',
    file: (scope, place) =>
      scope === 'user'
        ? join(zedFolder(place), 'settings.json')
        : join(place.cwd, '.zed', 'settings.json'),
    entry: plainEntry,
    remote: (server) => {
      if (server.token === undefined) {
        throw usageError('Zed reads no variable for a token: give it by `--token-file`');
      }
      return { url: server.url, ...bearer(server, '') };
    },
  },
};

function plainEntry({ command, args, env }: ServerEntry): Record<string, unknown> {
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

/** The header with the token, or with the client's way to read it from the environment. */
function bearer({ token }: RemoteEntry, variable: string): { headers: { Authorization: string } } {
  return { headers: { Authorization: `Bearer ${token ?? variable}` } };
}

function home({ env }: Place): string {
  return env['HOME'] ?? env['USERPROFILE'] ?? homedir();
}

/** The folder in which desktop programs keep their configuration. */
function configFolder(place: Place): string {
  const { env, platform } = place;
  if (platform === 'win32') return env['APPDATA'] ?? home(place);
  if (platform === 'darwin') return join(home(place), 'Library', 'Application Support');
  return xdgFolder(place);
}

function xdgFolder(place: Place): string {
  return place.env['XDG_CONFIG_HOME'] ?? join(home(place), '.config');
}

function codexFolder(place: Place): string {
  return place.env['CODEX_HOME'] ?? join(home(place), '.codex');
}

function zedFolder(place: Place): string {
  return place.platform === 'win32'
    ? join(configFolder(place), 'Zed')
    : join(xdgFolder(place), 'zed');
}

function line({ command, args }: ServerEntry): string {
  return shellLine([command, ...args]);
}

function variables({ env }: ServerEntry, option: string): string {
  return Object.entries(env)
    .map(([name, value]) => ` ${option} ${shellWord(`${name}=${value}`)}`)
    .join('');
}
