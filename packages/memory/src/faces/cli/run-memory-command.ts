import { MemoryError, RpcCode } from '../../errors.ts';
import { RpcError } from '../../rpc-error.ts';
import { loadRedactor } from '../../service/redactor.ts';
import { VERSION } from '../../version.ts';
import { parseArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { CommandError, ExitCode, usageError } from './command-error.ts';
import { commands } from './commands/commands.ts';
import { helpOf, overview } from './help.ts';
import { type CommandIo, print, remark } from './io.ts';
import { paintFor } from './render/paint.ts';

/** Options before a command read as options of `serve`. */
const ORDER = 'a command comes before its options: `tincan-memory <command> [options]`';

/** Runs a command line of the memory, without the program's name, and resolves with its exit code. */
export async function runMemoryCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await run(argv, io);
  } catch (error) {
    if (io.signal?.aborted) return ExitCode.Interrupted;
    const { redactText } = await loadRedactor();
    remark(io, `error: ${redactText(messageOf(error))}`);
    return exitCodeOf(error);
  }
}

async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  const [first, ...rest] = argv;
  if (first === 'version' || first === '-v' || first === '--version') {
    await print(io, `tincan-memory ${VERSION}`);
    return ExitCode.Ok;
  }
  if (first === 'help' || first === '-h' || first === '--help') return help(rest[0], io);
  // An agent's configuration may name no command and still give options.
  const isServe = first === undefined || first.startsWith('-');
  const command = await commandNamed(isServe ? 'serve' : first);
  const args = isServe ? parseArguments(command, argv, ORDER) : parseArguments(command, rest);
  if (args.flag('help')) return help(command.name, io);
  return (await command.load())(args, io);
}

async function help(name: string | undefined, io: CommandIo): Promise<number> {
  const paint = paintFor(io);
  const text =
    name === undefined
      ? overview(commands, paint)
      : helpOf(await commandNamed(name), paint, io.columns);
  await print(io, text);
  return ExitCode.Ok;
}

async function commandNamed(name: string): Promise<Command> {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  const names = commands.map((each) => each.name);
  const { nearestName } = await import('tincan-wire');
  const guess = nearestName(name, names);
  const hint = guess === undefined ? '' : `; did you mean \`${guess}\`?`;
  throw usageError(`expected a command (${names.join(', ')}), got \`${name}\`${hint}`);
}

/** What to tell a person; an unforeseen error keeps its own words, which the faces of agents do not show. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOpaque = error instanceof RpcError && error.message === 'Internal error';
  return isOpaque && error.cause instanceof Error ? error.cause.message : error.message;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof MemoryError) return ExitCode.Broken;
  if (!(error instanceof RpcError)) return ExitCode.Broken;
  switch (error.rpcCode) {
    case RpcCode.InvalidParams:
    case RpcCode.InvalidKeyPrefix:
      return ExitCode.Usage;
    case RpcCode.NotFound:
    case RpcCode.Conflict:
      return ExitCode.Failed;
    default:
      return ExitCode.Broken;
  }
}
