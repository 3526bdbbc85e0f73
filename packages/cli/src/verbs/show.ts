import type { Verb } from '../command/verb.ts';

/** Definition of `tincan show`. */
export const show: Verb = {
  name: 'show',
  summary: 'read a recording: calls, latencies, errors, stray output',
  usage: ['[file] [--stats | --follow | --html <out.html> | --json]'],
  description: [
    'Prints the calls of a recording in order, with latency, size and outcome; notifications; what the server wrote to stderr, and stray output on stdout; requests without an answer; and how the server ended. Without a file it reads the latest recording of `tincan tap`.',
    '`→` is what the client sent, `←` what the server sent.',
  ],
  options: {
    stats: { type: 'flag', description: 'counts, errors, p50 and p99 and bytes by method' },
    follow: { type: 'flag', short: 'f', description: 'keep printing as the recording grows' },
    html: { type: 'text', value: 'file', description: 'write one self-contained page' },
    json: { type: 'flag', description: 'print the calls as JSON' },
    full: { type: 'flag', description: 'print whole params and results' },
    errors: { type: 'flag', description: 'show errors only' },
    method: {
      type: 'text',
      value: 'text',
      description: 'only methods, tools, prompts and resources that contain this',
    },
  },
  examples: [
    { command: 'tincan show session.ndjson', does: 'the sequence of calls' },
    { command: 'tincan show session.ndjson --stats', does: 'latency and size by method' },
    { command: 'tincan show session.ndjson --html session.html', does: 'a page with a timeline' },
    { command: 'tincan show --errors', does: 'what went wrong in the latest recording' },
  ],
  server: 'none',
  load: async () => (await import('../show/run-show.ts')).runShow,
};
