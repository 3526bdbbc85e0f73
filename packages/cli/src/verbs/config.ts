import type { Verb } from '../command/verb.ts';
import { tokenFileOption } from './server-options.ts';

/** Clients that `tincan config` knows. */
export const CLIENT_NAMES = [
  'claude-code',
  'codex',
  'cursor',
  'vscode',
  'gemini',
  'opencode',
] as const;

/** Definition of `tincan config`. */
export const config: Verb = {
  name: 'config',
  summary: 'print or install the set-up of a server for a client',
  usage: ['<client> [options] [-- <server command>]', '<client> --url <url> [options]'],
  description: [
    `Clients: ${CLIENT_NAMES.map((name) => `\`${name}\``).join(', ')}. Prints the block for the configuration file of the client and says where it goes; \`--install\` puts it there. The server is \`npx -y @tincan/memory\` unless another is given.`,
    'With `--url` the server is one that runs already, over HTTP. The entry sends its token: from the TINCAN_TOKEN variable, in the form the client reads, or the content of `--token-file`.',
    'An existing file keeps every other entry, its comments and its layout, and a copy of it is kept beside it. A file that cannot be understood is left alone, and so is an entry of the same name, unless `--force` is given.',
  ],
  options: {
    name: {
      type: 'text',
      value: 'name',
      description: 'name of the entry. Default from the command',
    },
    install: { type: 'flag', description: 'write it into the configuration file' },
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
    { command: 'tincan config cursor', does: 'the block for Cursor' },
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
  words: CLIENT_NAMES,
  load: async () => (await import('../config/run-config.ts')).runConfig,
};
