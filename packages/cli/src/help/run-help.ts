import { nearestName } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { verbs } from '../verbs/index.ts';
import { helpOf, overview } from './help-text.ts';
import { manualPage } from './manual-page.ts';
import { referencePage } from './reference-page.ts';
import { version } from './version.ts';

/** Prints the help of a verb, of all, or the whole reference in one of its forms. */
export async function runHelp(args: Arguments, io: Io): Promise<number> {
  const [name] = args.positionals;
  if (args.flag('markdown')) io.print(referencePage(verbs).trimEnd());
  else if (args.flag('man')) io.print(manualPage(verbs, version()));
  else if (name === undefined) io.print(overview(verbs, io));
  else {
    const verb = verbs.find((candidate) => candidate.name === name);
    if (verb === undefined) throw unknownVerb(name);
    io.print(helpOf(verb, io));
  }
  return ExitCode.Ok;
}

function unknownVerb(name: string): Error {
  const guess = nearestName(
    name,
    verbs.map((verb) => verb.name),
  );
  return usageError(
    `unknown verb \`${name}\`${guess === undefined ? '' : `; did you mean \`${guess}\`?`}`,
  );
}
