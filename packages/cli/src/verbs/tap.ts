import type { Verb } from '../command/verb.ts';

/** Definition of `tincan tap`. */
export const tap: Verb = {
  name: 'tap',
  summary: 'record what a client and a server say to each other',
  usage: ['[--out <file>] [--ui] -- <server command>'],
  description: [
    'Stands in for the server command in the set-up of a client. stdin, stdout and stderr pass through byte for byte, as do signals, the exit code and the signal that ended the server; reading follows the slower side. Every message is written to the recording with its time, size, framing and latency, secrets masked, and so are stderr, stray output and the exit.',
    'The recording is made from a copy: a message that cannot be decoded, or a recording that cannot be written, never touches the traffic. Without `--out` it goes to the state folder of the user, where `tincan show` finds the latest.',
  ],
  options: {
    out: { type: 'text', short: 'o', value: 'file', description: 'recording; appended to' },
    ui: { type: 'flag', description: 'show the messages on stderr as they pass' },
    'no-redact': { type: 'flag', description: 'keep secrets in the recording' },
    'max-bytes': {
      type: 'number',
      value: 'bytes',
      default: 64 * 1024 * 1024,
      description: 'messages over this size pass, and are recorded by their size alone',
    },
  },
  examples: [
    {
      command: 'tincan tap --out session.ndjson -- npx -y @modelcontextprotocol/server-memory',
      does: 'what to put into the set-up of a client',
    },
    { command: 'tincan show session.ndjson', does: 'read it afterwards' },
    { command: 'tincan show --follow', does: 'watch the latest recording grow' },
  ],
  server: 'required',
  load: async () => (await import('../tap/run-tap.ts')).runTap,
};
