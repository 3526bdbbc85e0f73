import type { Verb } from '../command/verb.ts';
import { eraOption, lineOptions, processOptions, tokenFileOption } from './server-options.ts';

/** Definition of `tincan repl`. */
export const repl: Verb = {
  name: 'repl',
  summary: 'talk to a server interactively',
  usage: ['[options] -- <server command>', '[options] --url <url>'],
  description: [
    'A line is a tool with arguments (`get-sum a=2 b=3`), a method with arguments (`tools/list`, `resources/read uri=…`), or a command: `tools`, `resources`, `prompts`, `info`, `help`, `exit`. Tab completes commands, tools, methods and the arguments of a tool. Ctrl-C cancels a call, or clears the line.',
    'Each answer shows the time it took. The history file keeps the lines. With a pipe as input, `repl` runs each line in turn, prints no prompt, and exits with code 1 if a line failed.',
  ],
  options: {
    raw: { type: 'flag', description: 'skip the MCP handshake; lines are methods only' },
    json: { type: 'flag', description: 'print results as JSON' },
    history: {
      type: 'text',
      value: 'file',
      description: 'history file; empty for none (default: in the user’s state folder)',
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
      command: 'tincan repl -- npx -y @modelcontextprotocol/server-everything',
      does: 'a session with an MCP server',
    },
    {
      command: "printf 'tools\\necho message=hi\\n' | tincan repl -- my-server",
      does: 'the same from a script',
    },
  ],
  server: 'optional',
  load: async () => (await import('../repl/run-repl.ts')).runRepl,
};
