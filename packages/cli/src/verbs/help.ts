import type { Verb } from '../command/verb.ts';

/** Definition of `tincan help`. */
export const help: Verb = {
  name: 'help',
  summary: 'explain a verb',
  usage: ['[verb]'],
  description: ['Without a verb, lists the verbs. `tincan <verb> --help` prints the same.'],
  options: {
    markdown: { type: 'flag', description: 'print the whole reference page' },
    man: { type: 'flag', description: 'print it as a manual page' },
  },
  examples: [
    { command: 'tincan help tap', does: 'everything about `tap`' },
    { command: 'tincan help --man | man -l -', does: 'the manual, without installing it' },
  ],
  server: 'none',
  load: async () => (await import('../help/run-help.ts')).runHelp,
};
