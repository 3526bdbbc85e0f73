import type { Verb } from '../command/verb.ts';

/** Definition of `tincan tap`. */
export const tap: Verb = {
  name: 'tap',
  summary: 'record the messages between a client and a server',
  usage: ['[--out <file>] [--ui] -- <server command>'],
  description: [
    'Goes in front of the server command in a client’s configuration. stdin, stdout and stderr pass through byte for byte, as do signals, the exit code and the signal that ended the server; a slow reader slows the writer down, as without the tap. The recording has every message with its time, size, framing and latency, and stderr, stray output and the exit. Secrets are redacted.',
    'The recording is made from a copy: a message that cannot be decoded, or a recording that cannot be written, never affects the traffic. Without `--out` the recording goes to the user’s state folder, where `tincan show` finds the latest. In a terminal `tap` waits for messages on stdin; to try a server by hand use `tincan repl --record <file>`.',
  ],
  options: {
    out: {
      type: 'text',
      short: 'o',
      value: 'file',
      description: 'file to append the recording to',
    },
    ui: { type: 'flag', description: 'show the messages on stderr as they pass' },
    'no-redact': { type: 'flag', description: 'keep secrets in the recording' },
    'max-bytes': {
      type: 'number',
      value: 'bytes',
      default: 64 * 1024 * 1024,
      description: 'for messages over this size, record only the size',
    },
  },
  examples: [
    {
      command: 'tincan tap --out session.ndjson -- npx -y @modelcontextprotocol/server-memory',
      does: 'what to put into a client’s configuration',
    },
    { command: 'tincan show session.ndjson', does: 'read it afterwards' },
    { command: 'tincan show --follow', does: 'watch the latest recording grow' },
  ],
  server: 'required',
  load: async () => (await import('../tap/run-tap.ts')).runTap,
};
