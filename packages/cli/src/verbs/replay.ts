import type { Verb } from '../command/verb.ts';
import { lineOptions, processOptions } from './server-options.ts';

/** Definition of `tincan replay`. */
export const replay: Verb = {
  name: 'replay',
  summary: 'play a recording as a server, or against a server',
  usage: ['<file>', '<file> [options] -- <server command>'],
  description: [
    'Alone it is a stdio server that answers as the recorded one did, without anything that one needed. Method and params must match; what the recording does not have is answered with error -32001.',
    'With a server command it is the recorded client: it sends the recorded requests and notifications in order, answers what the server asks as the recorded client did, and reports each answer that differs. Exit code 1 if one does.',
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
    { command: 'tincan replay session.ndjson', does: 'be the recorded server' },
    {
      command: 'tincan replay session.ndjson --ignore result.serverInfo -- node server.js',
      does: 'see whether a new version answers as the recorded one',
    },
  ],
  server: 'optional',
  load: async () => (await import('../replay/run-replay.ts')).runReplay,
};
