import type { OptionDefinition } from '../command/verb.ts';

type Options = Readonly<Record<string, OptionDefinition>>;

/** How a server is started; the same for every verb that starts one and talks to it. */
export const processOptions: Options = {
  cwd: { type: 'text', value: 'folder', description: 'working directory of the server' },
  env: {
    type: 'list',
    value: 'NAME=value',
    description: 'a variable for the server; may be repeated',
  },
  'env-policy': {
    type: 'text',
    choices: ['all', 'safe', 'none'],
    default: 'all',
    description:
      'which variables of this shell the server gets; `safe` is what most clients pass on',
  },
};

/** How to talk to a server. */
export const lineOptions: Options = {
  framing: {
    type: 'text',
    choices: ['auto', 'line', 'header'],
    default: 'auto',
    description: 'one message per line, or behind `Content-Length` headers',
  },
  timeout: {
    type: 'number',
    value: 'ms',
    default: 30_000,
    description: 'how long to wait for an answer; progress restarts the timeout',
  },
};

/** Where the token of a remote server is. An argument would show it to every user of the machine. */
export const tokenFileOption: Options = {
  'token-file': {
    type: 'text',
    value: 'path',
    description: 'with `--url`: file with the bearer token to send',
  },
};

/** Which MCP handshake to use. */
export const eraOption: Options = {
  era: {
    type: 'text',
    choices: ['auto', 'legacy', 'modern'],
    default: 'auto',
    description: 'handshake: `initialize` (legacy), `server/discover` (modern), or detect (auto)',
  },
};
