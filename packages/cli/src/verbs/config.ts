import type { Verb } from '../command/verb.ts';
import { tokenFileOption } from './server-options.ts';

/** Clients that `tincan config` knows. */
export const CLIENT_NAMES = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'vscode',
  'windsurf',
  'gemini',
  'opencode',
  'zed',
] as const;

/** Definition of `tincan config`. */
export const config: Verb = {
  name: 'config',
  summary: 'print or install client configuration',
  usage: [
    '',
    '<client> [options] [-- <server command>]',
    '<client> --url <url> [options]',
    'all --install',
  ],
  description: [
    `Without a client, lists the clients and says which are installed here. Clients: ${CLIENT_NAMES.map((name) => `\`${name}\``).join(', ')}; \`all\` means every client that is installed. With a client, prints the block for its configuration file and says where it goes.`,
    '`--install` shows the difference, writes it, keeps a copy of the file as it was, and starts the server once to check that it works. `--dry-run` only shows the difference. `--remove` removes the entry again. The server is the tincan memory unless another is given.',
    'With `--url` the server is one that already runs, over HTTP. The entry sends its token: from the TINCAN_TOKEN variable, in the form the client reads, or the content of `--token-file`.',
    'An existing file keeps every other entry, its comments and its layout. A file that cannot be read as JSON or TOML is not changed. Neither is an entry of the same name with other values, unless `--force` is given. With `all`, such a file does not stop the others; the exit code is then 3.',
  ],
  options: {
    name: {
      type: 'text',
      value: 'name',
      description: 'name of the entry (default: from the command)',
    },
    install: { type: 'flag', description: 'write the entry into the configuration file' },
    remove: { type: 'flag', description: 'remove the entry from the configuration file' },
    'dry-run': { type: 'flag', description: 'show what would change, and change nothing' },
    'no-check': { type: 'flag', description: 'do not start the server after `--install`' },
    force: { type: 'flag', description: 'replace an entry of the same name' },
    scope: {
      type: 'text',
      choices: ['user', 'project'],
      default: 'user',
      description: 'configuration of the user, or of the project in this folder',
    },
    file: { type: 'text', value: 'path', description: 'another configuration file' },
    env: { type: 'list', value: 'NAME=value', description: 'a variable for the server' },
    url: { type: 'text', value: 'url', description: 'a server over HTTP instead' },
    ...tokenFileOption,
    tap: { type: 'text', value: 'file', description: 'put `tincan tap --out <file>` in front' },
  },
  examples: [
    { command: 'tincan config', does: 'which clients are installed here' },
    { command: 'tincan config cursor', does: 'the block for Cursor' },
    { command: 'tincan config claude-code --install', does: 'connect the memory to Claude Code' },
    { command: 'tincan config claude-code --remove', does: 'disconnect it again' },
    {
      command: 'tincan config claude-code --install --scope project -- node server.js',
      does: 'write `.mcp.json` in this folder',
    },
    {
      command: 'tincan config codex --install --tap ~/memory.ndjson',
      does: 'with a recording of every session',
    },
    {
      command:
        'tincan config cursor --url http://127.0.0.1:8765/mcp --token-file ~/.local-mcp-memory/data/token',
      does: 'a memory that runs over HTTP, with its token',
    },
  ],
  server: 'optional',
  words: [...CLIENT_NAMES, 'all'],
  load: async () => (await import('../config/run-config.ts')).runConfig,
};
