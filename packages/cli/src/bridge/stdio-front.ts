import type { Readable, Writable } from 'node:stream';
import { openHttpStreams } from 'tincan-mcp/http';
import { type Decoded, ErrorCode, encodeFrame, FrameDecoder, type Framing } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { remoteServer } from '../session/server-command.ts';

/** How long answers may take after the end of input. */
const DRAIN_MS = 10_000;

/** Is a stdio server, in either framing, that passes everything to a remote one. */
export async function serveStdioFront(url: string, args: Arguments, io: Io): Promise<number> {
  if (!URL.canParse(url)) throw usageError(`expected \`--url\` to be a URL, got \`${url}\``);
  const streams = openHttpStreams(remoteServer(url, args));
  await relay(io, streams);
  await streams.close();
  return ExitCode.Ok;
}

/** Copies messages both ways until the client is gone and its requests are answered. */
export async function relay(
  client: { readonly stdin: Readable; readonly stdout: Writable },
  remote: { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  let framing: Framing | undefined;
  const open = new Set<string>();
  let onAnswered = (): void => undefined;
  const send = (text: string): void => {
    client.stdout.write(encodeFrame(text, framing ?? 'line'));
  };
  const inward = new FrameDecoder();
  const take = (item: Decoded): void => {
    if ('framing' in item) framing ??= item.framing;
    if (item.kind === 'message') {
      for (const id of idsOf(item.value, true)) open.add(id);
      remote.output.write(`${JSON.stringify(item.value)}\n`);
    } else if (item.kind === 'junk') {
      send(errorAnswer(ErrorCode.ParseError, 'Parse error'));
    } else if (item.kind === 'oversize') {
      send(errorAnswer(ErrorCode.InvalidRequest, 'the message is too large'));
    }
  };
  const outward = new FrameDecoder();
  remote.input.on('data', (chunk: Buffer) => {
    for (const item of outward.push(chunk)) {
      if (item.kind !== 'message') continue;
      send(item.text);
      for (const id of idsOf(item.value, false)) open.delete(id);
    }
    if (open.size === 0) onAnswered();
  });
  const isGone = new Promise<void>((resolve) => client.stdout.once('error', () => resolve()));
  const ended = new Promise<void>((resolve) => {
    client.stdin.on('data', (chunk: Buffer) => inward.push(chunk).forEach(take));
    client.stdin.on('end', resolve);
    client.stdin.on('error', () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await Promise.race([ended, isGone]);
  inward.end().forEach(take);
  const answered = new Promise<void>((resolve) => {
    onAnswered = resolve;
    if (open.size === 0) resolve();
    setTimeout(resolve, DRAIN_MS).unref();
  });
  await Promise.race([answered, isGone]);
}

/** Ids of the requests, or of the answers, in a message or batch. */
function idsOf(value: unknown, isCall: boolean): string[] {
  const messages: unknown[] = Array.isArray(value) ? value : [value];
  return messages.flatMap((message) => {
    const { id, method } = Object(message) as { id?: unknown; method?: unknown };
    return id !== undefined && (method !== undefined) === isCall ? [JSON.stringify(id)] : [];
  });
}

function errorAnswer(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}
