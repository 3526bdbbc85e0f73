import type { Verb } from '../command/verb.ts';
import { eraOption, lineOptions, processOptions, tokenFileOption } from './server-options.ts';

/** Definition of `tincan repl`. */
export const repl: Verb = {
  name: 'repl',
  summary: 'talk to a server interactively',
  usage: ['[options] -- <server command>', '[options] --url <url>'],
  description: [
    'A line is a tool with arguments (`get-sum a=2 b=3`), a method with arguments (`tools/list`, `resources/read uri=…`), or a command of the session: `tools`, `resources`, `prompts`, `info`, `help`, `exit`. Tab completes commands, tools, methods and the arguments of a tool. Ctrl-C gives up a call, or the line.',
    'Each answer comes with the time it took. Lines are kept in the history file. With a pipe as input it runs each line in turn, prints no prompt, and ends with exit code 1 if one of them failed.',
  ],
  options: {
    raw: { type: 'flag', description: 'no MCP handshake: lines are methods alone' },
    json: { type: 'flag', description: 'print results as JSON' },
    history: {
      type: 'text',
      value: 'file',
      description: 'history file; empty for none. Default in the state folder of the user',
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
