import type { Verb } from '../command/verb.ts';
import { lineOptions, processOptions } from './server-options.ts';

/** Definition of `tincan replay`. */
export const replay: Verb = {
  name: 'replay',
  summary: 'play a recording as a server, or against a server',
  usage: ['<file>', '<file> [options] -- <server command>'],
  description: [
    'Without a server command, `replay` is a stdio server that answers as the recorded server did. Method and params must match; other requests get error -32001.',
    'With a server command, `replay` is the recorded client: it sends the recorded requests and notifications in order, answers the server’s requests as the recorded client did, and reports each answer that differs. The exit code is then 1.',
  ],
  options: {
    ignore: {
      type: 'list',
      value: 'path',
      description:
        'a method (`initialize`) or a member of answers (`result.serverInfo.version`) to leave out of the comparison; may be repeated',
    },
    json: { type: 'flag', description: 'print the differences as JSON' },
    ...lineOptions,
    ...processOptions,
  },
  examples: [
    { command: 'tincan replay session.ndjson', does: 'stand in for the recorded server' },
    {
      command: 'tincan replay session.ndjson --ignore result.serverInfo -- node server.js',
      does: 'compare a new version with the recorded one',
    },
  ],
  server: 'optional',
  load: async () => (await import('../replay/run-replay.ts')).runReplay,
};
