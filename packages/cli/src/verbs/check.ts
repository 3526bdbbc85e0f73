import type { Verb } from '../command/verb.ts';
import { processOptions } from './server-options.ts';

/** Definition of `tincan check`. */
export const check: Verb = {
  name: 'check',
  summary: 'check a stdio server for common problems',
  usage: ['[options] -- <server command>'],
  description: [
    'Starts the server several times and tries what clients and operating systems do to it: both handshakes, both framings, messages cut and glued, bad JSON, unknown methods, batches, ids of every kind, a large message, the end of input, signals. Each finding is pass, note, warn or fail, with the reason and the fix.',
    'Exit code 0 without failures (with `--strict`: without warnings too), 1 with, 3 when the server cannot be started.',
  ],
  options: {
    json: { type: 'flag', description: 'print the report as JSON' },
    strict: { type: 'flag', description: 'warnings count as failures' },
    only: { type: 'list', value: 'name', description: 'run this check alone; may be repeated' },
    list: { type: 'flag', description: 'list the checks' },
    plain: { type: 'flag', description: 'the server speaks JSON-RPC, not MCP' },
    timeout: {
      type: 'number',
      value: 'ms',
      default: 10_000,
      description: 'how long the server may take to answer the first message',
    },
    'answer-timeout': {
      type: 'number',
      value: 'ms',
      default: 3000,
      description: 'how long the server may take for other answers, and to exit',
    },
    size: {
      type: 'number',
      value: 'bytes',
      default: 5 * 1024 * 1024,
      description: 'size of the large message',
    },
    ...processOptions,
  },
  examples: [
    { command: 'tincan check -- node server.js', does: 'the whole report' },
    { command: 'tincan check --json --strict -- node server.js', does: 'for a build' },
    { command: 'tincan check --only end-of-input -- node server.js', does: 'one check' },
  ],
  server: 'optional',
  load: async () => (await import('../check/run-check.ts')).runCheck,
};
