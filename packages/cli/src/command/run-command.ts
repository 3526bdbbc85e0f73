import { nearestName } from 'tincan-wire';
import { printable } from '../format/text.ts';
import { verbs } from '../verbs/index.ts';
import { parseArguments } from './arguments.ts';
import { CliError, ExitCode, usageError } from './cli-error.ts';
import type { Io } from './io.ts';
import type { Verb } from './verb.ts';

/** Runs a command line and resolves with its exit code, or undefined where the process ends by itself. Problems are told in one line, never as a stack. */
export async function runCommand(argv: readonly string[], io: Io): Promise<number | undefined> {
  let verb: Verb | undefined;
  try {
    verb = verbNamed(argv[0]);
    const rest = verb.name === 'help' && argv[0] !== 'help' ? [] : argv.slice(1);
    if (argv[0] === '--version') return await printVersion(io);
    if (!verb.isDelegate && asksForHelp(rest)) return await printHelp(verb, io);
    const args = parseArguments(verb, rest);
    const run = await verb.load();
    return await run(args, io);
  } catch (error) {
    return report(error, verb, io);
  }
}

function verbNamed(word: string | undefined): Verb {
  const name = word === undefined || word === '--version' || isHelp(word) ? 'help' : word;
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb !== undefined) return verb;
  const guess = nearestName(name, [...verbs.map((each) => each.name), '--help', '--version']);
  const hint = guess === undefined ? '' : `; did you mean \`${guess}\`?`;
  const what = name.startsWith('-') ? 'option' : 'verb';
  throw usageError(`unknown ${what} \`${name}\`${hint}`);
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).some(isHelp);
}

async function printHelp(verb: Verb, io: Io): Promise<number> {
  const { helpOf } = await import('../help/help-text.ts');
  io.print(helpOf(verb, io));
  return ExitCode.Ok;
}

async function printVersion(io: Io): Promise<number> {
  const { version } = await import('../help/version.ts');
  io.print(version());
  return ExitCode.Ok;
}

function report(error: unknown, verb: Verb | undefined, io: Io): number {
  const { red, dim } = io.errorPaint;
  const message = error instanceof Error ? error.message : String(error);
  // The message may quote what a server said.
  io.remark(`${red('tincan:')} ${printable(message)}`);
  if (error instanceof CliError && error.code === 'USAGE') {
    const isOverview = verb === undefined || verb.name === 'help';
    const help = isOverview ? 'tincan --help' : `tincan ${verb.name} --help`;
    io.remark(dim(`try \`${help}\``));
  }
  // What nobody foresaw is a mistake of ours, and its place is worth knowing.
  if (error instanceof Error && !isForeseen(error)) io.remark(dim(printable(error.stack ?? '')));
  return error instanceof CliError ? error.exitCode : ExitCode.Broken;
}

/** Errors of ours and of the system carry a code; of the codes of Node itself, those say a bug. */
function isForeseen(error: Error): boolean {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && !code.startsWith('ERR_');
}
