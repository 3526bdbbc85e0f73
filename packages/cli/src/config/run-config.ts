import type { Arguments } from '../command/arguments.ts';
import { CliError, ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { printable } from '../format/text.ts';
import { changeClient } from './change-client.ts';
import { checkEntry } from './check-entry.ts';
import type { Client } from './clients.ts';
import { listClients } from './list-clients.ts';
import {
  chooseClients,
  entryFor,
  fileOf,
  type Request,
  readRequest,
  tokenHint,
} from './request.ts';
import { renderTable } from './toml-edit.ts';

/** Lists the clients, or prints, installs or removes the configuration of a server for one of them. */
export async function runConfig(args: Arguments, io: Io): Promise<number> {
  const place = { cwd: io.cwd, env: io.env, platform: process.platform };
  const request = readRequest(args, io, place);
  if (args.positionals.length === 0) {
    listClients(request, io);
    return ExitCode.Ok;
  }
  const isChange = args.flag('install') || args.flag('remove') || args.flag('dry-run');
  if (args.flag('install') && args.flag('remove')) {
    throw usageError('expected either `--install` or `--remove`');
  }
  const chosen = chooseClients(args.positionals, place);
  if (!isChange) {
    for (const client of chosen) printBlock(client, request, args, io);
    return ExitCode.Ok;
  }
  let changed = 0;
  for (const client of chosen) {
    if (await isChanged(client, request, args, io)) changed += 1;
  }
  const isWritten = changed > 0 && args.flag('install') && !args.flag('dry-run');
  const code = isWritten && !args.flag('no-check') ? await checkServer(request, io) : ExitCode.Ok;
  return changed < chosen.length ? ExitCode.Broken : code;
}

/** Changes a client's configuration; a file that cannot be changed is reported and does not stop the others. */
async function isChanged(
  client: Client,
  request: Request,
  args: Arguments,
  io: Io,
): Promise<boolean> {
  try {
    await changeClient(client, request, args, io);
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    io.remark(`${io.errorPaint.red('tincan:')} ${printable(error.message)}`);
    return false;
  }
}

/** Starts the server as the client will, and says what is wrong if it does not answer. */
async function checkServer(request: Request, io: Io): Promise<number> {
  const { server, remote, name, scope, place } = request;
  if (remote !== undefined) return ExitCode.Ok;
  // A client starts the servers of a project in its folder, and those of the user anywhere.
  const cwd = scope === 'project' ? place.cwd : (io.env['HOME'] ?? io.cwd);
  try {
    const count = await checkEntry(server, cwd);
    io.remark(`checked: the server starts and offers ${count} ${count === 1 ? 'tool' : 'tools'}`);
    return ExitCode.Ok;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.remark(`the entry \`${name}\` was written, but its server does not start: ${reason}`);
    io.remark(
      `fix the command and run this again with \`--force\`, or undo it with \`--remove --name ${name}\``,
    );
    return ExitCode.Failed;
  }
}

function printBlock(client: Client, request: Request, args: Arguments, io: Io): void {
  const { name, server, remote, scope } = request;
  io.remark(io.errorPaint.dim(`# ${fileOf(client, request, args)}`));
  io.print(blockOf(client, name, entryFor(client, request)).trimEnd());
  if (remote !== undefined && remote.token === undefined) {
    io.remark(io.errorPaint.dim(`# ${tokenHint()}`));
  }
  const command = client.command?.(name, server, scope);
  if (command !== undefined && remote === undefined) {
    io.remark(io.errorPaint.dim(`# or: ${command}`));
  }
}

function blockOf(client: Client, name: string, value: Readonly<Record<string, unknown>>): string {
  if (client.format === 'toml') return renderTable([client.member, name], value);
  return JSON.stringify({ [client.member]: { [name]: value } }, null, 2);
}
