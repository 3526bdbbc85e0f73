import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { ListedTool } from 'tincan-mcp';
import { nearestName, RpcError } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { CliError, ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { printable } from '../format/text.ts';
import { openSession, type Session } from '../session/open-session.ts';
import { SideChannel } from '../session/side-channel.ts';
import { readCallArguments } from './call-arguments.ts';
import { listOffers, renderOffers } from './list-offers.ts';
import { jsonText, renderResult } from './render-result.ts';

/** Makes one call and prints what came of it. */
export async function runCall(args: Arguments, io: Io): Promise<number> {
  checkTarget(args);
  const side = new SideChannel(io, args.flag('quiet'));
  await using session = await openSession(args, side);
  const asJson = args.flag('json') || !io.isTerminal;
  try {
    if (args.flag('list')) return await list(session, args, io, asJson);
    const result = await callOnce(session, args, { io, side });
    if (result === NOTHING) return ExitCode.Ok;
    const isError = Object(result).isError === true;
    if (asJson) io.print(jsonText(result));
    else {
      const text = renderResult(result, io.paint);
      io.print(isError ? io.paint.red(text) : text);
    }
    return isError ? ExitCode.Failed : ExitCode.Ok;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    printRpcError(error, io, asJson);
    return ExitCode.Failed;
  }
}

/** Tells an error answer: to a person on stderr, to a program as JSON on stdout. */
export function printRpcError(error: RpcError, io: Io, asJson: boolean): void {
  const { rpcCode: code, message, data } = error;
  const object = data === undefined ? { code, message } : { code, message, data };
  if (asJson) io.print(jsonText({ error: object }));
  io.remark(`${io.errorPaint.red(`error ${code}:`)} ${printable(message)}`);
  if (!asJson && data !== undefined) io.remark(printable(jsonText(data)));
}

const NOTHING = Symbol('a notification has no result');

function checkTarget(args: Arguments): void {
  const given = ['tool', 'method', 'list'].filter((name) => args.has(name));
  if (given.length !== 1) {
    const [word] = args.positionals;
    const isName = given.length === 0 && word !== undefined && !/[=@{[]/.test(word);
    const option = word?.includes('/') ? '--method' : '--tool';
    const hint = isName ? `; did you mean \`${option} ${word}\`?` : '';
    throw usageError(`expected one of \`--tool\`, \`--method\` and \`--list\`${hint}`);
  }
  if (args.flag('raw') && !args.has('method'))
    throw usageError('`--raw` goes with `--method` only');
  if (args.flag('notify') && !args.has('method')) {
    throw usageError('`--notify` goes with `--method` only');
  }
}

async function list(session: Session, args: Arguments, io: Io, asJson: boolean): Promise<number> {
  if (session.client === undefined) throw usageError('`--list` needs the MCP handshake');
  const offers = await listOffers(session.client, args.number('timeout') ?? 30_000);
  if (asJson) io.print(jsonText(offers));
  else for (const line of renderOffers(offers, io)) io.print(line);
  return ExitCode.Ok;
}

async function callOnce(
  { client, line }: Session,
  args: Arguments,
  { io, side }: { readonly io: Io; readonly side: SideChannel },
): Promise<unknown> {
  const options = { timeoutMs: args.number('timeout') ?? 30_000 };
  const onProgress = side.progress.bind(side);
  const read = (tool?: ListedTool): Promise<object | undefined> =>
    readCallArguments(args.positionals, sourcesOf(io), tool?.inputSchema);
  const tool = args.text('tool');
  if (tool !== undefined && client !== undefined) {
    const tools = await client.listTools(options);
    const found = tools.find(({ name }) => name === tool);
    if (found === undefined) throw unknownTool(tool, tools);
    const given = (await read(found)) as Record<string, unknown> | undefined;
    return client.callTool(tool, given, { ...options, onProgress });
  }
  const method = args.text('method') ?? '';
  const params = await read();
  if (args.flag('notify')) {
    await line.notify(method, params);
    return NOTHING;
  }
  if (client === undefined) return line.request(method, params, options);
  return client.request(method, params, { ...options, onProgress });
}

function unknownTool(name: string, tools: readonly ListedTool[]): CliError {
  const names = tools.map((tool) => tool.name);
  const guess = nearestName(name, names);
  const hint =
    guess === undefined ? `it has ${names.join(', ') || 'none'}` : `did you mean \`${guess}\`?`;
  return new CliError('USAGE', `the server has no tool \`${name}\`; ${hint}`);
}

function sourcesOf(io: Io): Parameters<typeof readCallArguments>[1] {
  return {
    readFile: (path) => readFile(resolve(io.cwd, path), 'utf8'),
    readStdin: () => readAll(io.stdin),
  };
}
