import type { Verb } from '../command/verb.ts';

/** Definition of `tincan help`. */
export const help: Verb = {
  name: 'help',
  summary: 'explain a verb',
  usage: ['[verb]'],
  description: ['Without a verb it lists them. `tincan <verb> --help` says the same.'],
  options: {
    markdown: { type: 'flag', description: 'print the whole reference page' },
  },
  examples: [{ command: 'tincan help tap', does: 'everything about `tap`' }],
  server: 'none',
  load: async () => (await import('../help/run-help.ts')).runHelp,
};
