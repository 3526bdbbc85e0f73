import type { Arguments } from '../command/arguments.ts';
import { ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { verbs } from '../verbs/index.ts';
import { completionScript } from './completion-script.ts';

/** Prints the completion script of a shell. */
export async function runCompletion(args: Arguments, io: Io): Promise<number> {
  const [shell] = args.positionals;
  const script = shell === undefined ? undefined : completionScript(shell, verbs);
  if (script === undefined) {
    const got = shell === undefined ? '' : `, got \`${shell}\``;
    throw usageError(`expected a shell: \`bash\`, \`zsh\` or \`fish\`${got}`);
  }
  io.print(script);
  return ExitCode.Ok;
}
