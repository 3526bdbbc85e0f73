import type { Verb } from '../command/verb.ts';
import { eraOption, lineOptions, processOptions, tokenFileOption } from './server-options.ts';

/** Definition of `tincan call`. */
export const call: Verb = {
  name: 'call',
  summary: 'call a tool or a method of a server and print the result',
  usage: [
    '--tool <name> [argument]… -- <server command>',
    '--method <name> [argument]… -- <server command>',
    '--list -- <server command>',
    '(--tool <name> | --method <name> | --list) [argument]… --url <url>',
  ],
  description: [
    'Starts the server, performs the MCP handshake, makes one call, then stops the server and its child processes. `--raw` skips the handshake, for servers that speak plain JSON-RPC.',
    'Arguments: `key=value` is text, or the type that the tool’s schema has for that key; `key:=json` is any JSON value; `@file` reads a JSON object from a file, `-` from stdin; later ones win. A single JSON object or array is sent as it is.',
    'Prints readable text in a terminal and JSON elsewhere. Progress, log messages and the server’s stderr go to stderr.',
    'Exit code: 0 with a result, 1 when the server answered with an error or the tool failed, 2 for a mistake in the command line, 3 when the server could not be started or broke.',
  ],
  options: {
    tool: { type: 'text', short: 't', value: 'name', description: 'tool to call' },
    method: { type: 'text', short: 'm', value: 'name', description: 'method to call' },
    list: { type: 'flag', short: 'l', description: 'list tools, resources and prompts' },
    raw: { type: 'flag', description: 'skip the MCP handshake' },
    notify: { type: 'flag', description: 'with `--method`: send a notification and do not wait' },
    json: { type: 'flag', description: 'print JSON, also in a terminal' },
    quiet: {
      type: 'flag',
      short: 'q',
      description: 'hide progress, logs and stderr of the server',
    },
    url: { type: 'text', value: 'url', description: 'a remote server (Streamable HTTP) instead' },
    header: { type: 'list', value: 'name: value', description: 'with `--url`: a header to send' },
    ...tokenFileOption,
    record: {
      type: 'text',
      value: 'file',
      description: 'record the session, as `tincan tap` does',
    },
    ...eraOption,
    ...lineOptions,
    ...processOptions,
  },
  examples: [
    {
      command: 'tincan call --list -- npx -y @modelcontextprotocol/server-everything',
      does: 'what a server offers',
    },
    {
      command:
        'tincan call --tool get-sum a=2 b=3 -- npx -y @modelcontextprotocol/server-everything',
      does: 'call a tool',
    },
    {
      command:
        'tincan call --raw --method textDocument/hover @params.json --framing header -- my-lsp',
      does: 'call a plain JSON-RPC server behind Content-Length headers',
    },
    {
      command: 'tincan call --tool search query=tin --json --url https://example.com/mcp | jq .',
      does: 'call a remote server and process the JSON',
    },
  ],
  server: 'optional',
  load: async () => (await import('../call/run-call.ts')).runCall,
};
