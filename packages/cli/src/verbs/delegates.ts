import type { Verb } from '../command/verb.ts';

/** A verb of a package of its own, which reads the rest of the line itself. */
function delegate(name: string, packageName: string, summary: string): Verb {
  return {
    name,
    summary,
    usage: ['…'],
    description: [
      `Runs the command of \`${packageName}\`, which must be installed beside this one. \`tincan ${name} --help\` is its own help.`,
    ],
    options: {},
    examples: [{ command: `tincan ${name} --help`, does: 'what it can do' }],
    server: 'none',
    isDelegate: true,
    load: async () => {
      const { delegateTo } = await import('../command/delegate.ts');
      return (args) => delegateTo(packageName, args.positionals);
    },
  };
}

/** Verbs of the other packages. */
export const delegates: readonly Verb[] = [
  delegate('memory', 'tincan-memory', 'the memory server and its commands'),
  delegate('answer', 'tincan-answer', 'the answer server and its commands'),
];
