import { TOOLSETS } from '../../../config/settings.ts';
import type { Command } from '../command.ts';
import { projectOption } from './note-commands.ts';

/** Commands that agents start. */
export const serverCommands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'serve the memory to agents (default)',
    usage: '[options]',
    description: [
      'On stdio one process speaks MCP and the plain JSON-RPC methods `memory.*`. Over HTTP they are at `/mcp` and `/rpc`, with `/health` beside them. HTTP clients must send a token as `Authorization: Bearer`, on this machine too: `tincan-memory token` prints it.',
    ],
    options: {
      transport: {
        type: 'text',
        short: 't',
        value: 'transport',
        choices: ['stdio', 'http'],
        description: 'stdio or http (default: the configuration’s, stdio)',
      },
      host: { type: 'text', value: 'host', description: 'HTTP: address (default: 127.0.0.1)' },
      port: {
        type: 'number',
        short: 'p',
        value: 'port',
        description: 'HTTP: port (default: 8765)',
      },
      toolset: {
        type: 'text',
        value: 'toolset',
        choices: TOOLSETS,
        description:
          'tools that MCP clients get: core (notes and global values) or all (also groups and configuration); default: the configuration’s, core',
      },
      'no-token': {
        type: 'flag',
        description: 'HTTP: let every user of this machine in without a token; loopback only',
      },
      'session-timeout': {
        type: 'number',
        value: 'ms',
        description: 'HTTP: end MCP sessions without traffic after this time (default: 600000)',
      },
    },
    examples: [
      { command: 'tincan-memory', does: 'on stdio, as an agent starts it' },
      { command: 'tincan-memory serve --transport http --port 8765', does: 'for several agents' },
      {
        command: 'tincan-memory serve --toolset all',
        does: 'with tools for groups and configuration',
      },
    ],
    words: 'none',
    load: async () => (await import('../run/serve.ts')).runServe,
  },
  {
    name: 'token',
    summary: 'print or replace the token of the HTTP server',
    usage: '[--rotate]',
    description: [
      'Clients send it as `Authorization: Bearer <token>`. The first use creates it in the file `token` in the data folder, which only its owner can read. `TINCAN_TOKEN` or `http.token` in the configuration replaces it.',
    ],
    options: {
      rotate: {
        type: 'flag',
        description: 'replace the token; running servers refuse the old one at once',
      },
    },
    examples: [
      { command: 'tincan-memory token', does: 'print the token' },
      {
        command:
          'curl -H "Authorization: Bearer $(tincan-memory token)" -H "Content-Type: application/json" -d \'{"jsonrpc":"2.0","id":1,"method":"memory.get_config"}\' http://127.0.0.1:8765/rpc',
        does: 'call a running server',
      },
    ],
    words: 'none',
    load: async () => (await import('../run/token.ts')).runToken,
  },
  {
    name: 'hook',
    summary: 'print what an agent should know when a session starts',
    usage: '[options]',
    description: [
      'Prints the conventions of the project and its recent notes, marked as data with their origin, within a token budget. Prints nothing if the project has no notes. An agent’s hook may pipe its JSON in: its `cwd` names the project.',
    ],
    options: {
      project: {
        ...projectOption.project,
        description:
          'path or name of the project (default: `cwd` of the JSON on stdin, or the repository or folder you are in)',
      },
      'max-tokens': {
        type: 'number',
        value: 'n',
        default: 1500,
        description: 'budget for everything printed',
      },
      limit: {
        type: 'number',
        short: 'n',
        value: 'n',
        default: 20,
        description: 'maximum number of notes',
      },
      format: {
        type: 'text',
        short: 'f',
        value: 'format',
        choices: ['text', 'json'],
        default: 'text',
        description: 'text, or json for agent hooks (`hookSpecificOutput`)',
      },
    },
    examples: [
      { command: 'tincan-memory hook', does: 'see what an agent would get here' },
      {
        command: 'tincan-memory hook --max-tokens 800',
        does: 'as the command of a SessionStart hook',
      },
    ],
    words: 'none',
    load: async () => (await import('../run/hook.ts')).runHook,
  },
];
