import type { Verb } from '../command/verb.ts';
import { processOptions } from './server-options.ts';

/** Definition of `tincan bridge`. */
export const bridge: Verb = {
  name: 'bridge',
  summary: 'put HTTP in front of a stdio server, or stdio in front of a URL',
  usage: ['--port <number> [options] -- <server command>', '--url <url> [--header <name: value>]…'],
  description: [
    'With `--port` clients reach any stdio MCP server over Streamable HTTP, in both eras: one process for each legacy session, one for all modern requests. It listens on loopback unless `--host` is given and refuses foreign `Host` and `Origin` headers. Clients must send a token as `Authorization: Bearer`, on this machine too; the bridge creates one at its first start and prints the file’s path.',
    'With `--url` it is a stdio server that passes everything to a remote one.',
  ],
  options: {
    port: {
      type: 'number',
      short: 'p',
      value: 'number',
      description: 'port to listen on (0 picks a free one)',
    },
    host: {
      type: 'text',
      value: 'address',
      default: '127.0.0.1',
      description: 'address to listen on',
    },
    'token-file': {
      type: 'text',
      value: 'path',
      description:
        'file with the bearer token that clients must send, or that `--url` sends; created if missing. The TINCAN_TOKEN variable replaces the default file',
    },
    'no-token': {
      type: 'flag',
      description: 'let every user of this machine in without a token; loopback only',
    },
    token: {
      type: 'text',
      value: 'secret',
      description: 'refused: other users can read arguments; use TINCAN_TOKEN or `--token-file`',
    },
    'session-timeout': {
      type: 'number',
      value: 'ms',
      default: 600_000,
      description: 'end a legacy session, and its server process, after this time without traffic',
    },
    'max-sessions': {
      type: 'number',
      value: 'number',
      default: 1000,
      description: 'legacy sessions at the same time; more are refused with 503',
    },
    'allow-host': {
      type: 'list',
      value: 'name',
      description: 'another name to accept in `Host`; may be repeated',
    },
    'allow-origin': {
      type: 'list',
      value: 'origin',
      description: 'origin of a web page that may call; may be repeated',
    },
    'max-body': {
      type: 'number',
      value: 'bytes',
      default: 4 * 1024 * 1024,
      description: 'largest request body',
    },
    url: { type: 'text', value: 'url', description: 'remote server to pass everything to' },
    header: { type: 'list', value: 'name: value', description: 'with `--url`: a header to send' },
    quiet: { type: 'flag', short: 'q', description: 'do not pass on stderr of the server' },
    ...processOptions,
  },
  examples: [
    {
      command: 'tincan bridge --port 8080 -- npx -y @modelcontextprotocol/server-memory',
      does: 'clients connect to http://127.0.0.1:8080/mcp',
    },
    {
      command: "tincan bridge --url https://example.com/mcp --header 'authorization: Bearer …'",
      does: 'a remote server for a client that only knows stdio',
    },
  ],
  server: 'optional',
  load: async () => (await import('../bridge/run-bridge.ts')).runBridge,
};
