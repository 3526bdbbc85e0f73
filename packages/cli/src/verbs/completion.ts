import type { Verb } from '../command/verb.ts';

/** Shells there is a completion script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Definition of `tincan completion`. */
export const completion: Verb = {
  name: 'completion',
  summary: 'print a completion script for a shell',
  usage: ['<shell>'],
  description: [
    `Shells: ${SHELLS.map((name) => `\`${name}\``).join(', ')}. Completes verbs, options, their values and file names.`,
  ],
  options: {},
  examples: [
    { command: 'source <(tincan completion bash)', does: 'in ~/.bashrc' },
    {
      command: 'tincan completion zsh > ~/.zfunc/_tincan',
      does: 'for zsh, with ~/.zfunc in fpath',
    },
    {
      command: 'tincan completion fish > ~/.config/fish/completions/tincan.fish',
      does: 'for fish',
    },
  ],
  server: 'none',
  words: SHELLS,
  load: async () => (await import('../help/run-completion.ts')).runCompletion,
};
