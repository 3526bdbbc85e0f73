import { RpcCode } from '../../../errors.ts';
import { RpcError } from '../../../rpc-error.ts';
import type { Memory } from '../../../service/memory.ts';
import type { Taken } from '../../../service/transfer.ts';
import type { Arguments } from '../arguments.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { type CommandIo, remark } from '../io.ts';
import { present } from '../render/format.ts';
import { ProgressBar } from '../render/progress-bar.ts';
import { fillVectors } from './fill-vectors.ts';
import { type Line, readLines, totalBytes } from './read-records.ts';
import { withMemory } from './with-memory.ts';

/** Records in flight: each turn of the event loop is one flush to disk for all of them. */
const BATCH = 256;
const MAX_REPORTED = 20;

/** What an import did, record by record. */
interface Summary {
  readonly added: Counts;
  readonly updated: Counts;
  readonly kept: Counts;
  /** Ids that were left out, because what had them was erased here. */
  readonly erased: string[];
  refused: number;
  redacted: number;
}

/** Records by kind; the kinds of an export with history are counted where there are any. */
interface Counts extends Partial<Record<Taken['kind'], number>> {
  note: number;
  group: number;
  value: number;
}

/** `import` */
export const runImport: RunCommand = async (args, io) => {
  const files = args.words.length === 0 ? ['-'] : args.words;
  if (files.includes('-') && io.isInputTerminal) {
    throw usageError('expected a file, or an export on stdin');
  }
  const rename = renamer(args.list('map') ?? []);
  const total = await totalBytes(files, io);
  const dryRun = args.flag('dry-run');
  const vectors = fillVectors(io, 'embedding');
  const summary = await withMemory(
    args,
    io,
    async ({ memory }) => {
      const done = await takeAll(memory, readLines(files, io), {
        ...{ io, total, rename, dryRun, includeErased: args.flag('include-erased') },
      });
      if (!dryRun && done.added.note > 0) await vectors.run(memory);
      return done;
    },
    vectors,
  );
  await report(summary, args, io);
  return summary.refused === 0 ? ExitCode.Ok : ExitCode.Failed;
};

interface TakeAllOptions {
  readonly io: CommandIo;
  readonly total: number | undefined;
  readonly rename: (projectId: string) => string;
  readonly dryRun: boolean;
  readonly includeErased: boolean;
}

async function takeAll(
  memory: Memory,
  lines: AsyncIterable<Line>,
  { io, total, ...options }: TakeAllOptions,
): Promise<Summary> {
  const none = (): Counts => ({ note: 0, group: 0, value: 0 });
  const summary: Summary = {
    ...{ added: none(), updated: none(), kept: none(), erased: [], refused: 0, redacted: 0 },
  };
  const bar = new ProgressBar(io, 'importing');
  const take = async (line: Line): Promise<void> => {
    try {
      const record = JSON.parse(line.text) as unknown;
      const { kind, outcome, id, redacted } = await memory.transfer.take(record, options);
      if (outcome === 'erased') summary.erased.push(id);
      else summary[outcome][kind] = (summary[outcome][kind] ?? 0) + 1;
      if (redacted.length > 0) summary.redacted += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      summary.refused += 1;
      if (summary.refused > MAX_REPORTED) return;
      const place = `${line.file === '-' ? 'stdin' : line.file}:${line.number}`;
      const reason = error instanceof SyntaxError ? 'not JSON' : error.message;
      remark(io, `${place}: ${reason}`);
    }
  };
  try {
    let batch: Line[] = [];
    for await (const line of lines) {
      io.signal?.throwIfAborted();
      batch.push(line);
      if (batch.length < BATCH) continue;
      await takeBatch(batch, take);
      if (total !== undefined) bar.update(line.bytes, total);
      batch = [];
    }
    await takeBatch(batch, take);
  } finally {
    bar.end();
  }
  return summary;
}

/** Groups and values compare with what is there, so those of one file must not overtake each other. */
async function takeBatch(
  batch: readonly Line[],
  take: (line: Line) => Promise<void>,
): Promise<void> {
  const isNote = ({ text }: Line): boolean => /"kind"\s*:\s*"note"/.test(text.slice(0, 100));
  for (const line of batch.filter((each) => !isNote(each))) await take(line);
  await Promise.all(batch.filter(isNote).map(take));
}

function isRefusal(error: unknown): error is SyntaxError | RpcError {
  if (error instanceof SyntaxError) return true;
  if (!(error instanceof RpcError)) return false;
  return error.rpcCode === RpcCode.InvalidParams || error.rpcCode === RpcCode.InvalidKeyPrefix;
}

function renamer(maps: readonly string[]): (projectId: string) => string {
  const names = new Map(
    maps.map((map): [string, string] => {
      const at = map.indexOf('=');
      if (at <= 0 || at === map.length - 1) {
        throw usageError(`expected \`--map\` to be \`from=to\`, got \`${map}\``);
      }
      return [map.slice(0, at), map.slice(at + 1)];
    }),
  );
  return (projectId) => names.get(projectId) ?? projectId;
}

async function report(summary: Summary, args: Arguments, io: CommandIo): Promise<void> {
  const hidden = summary.refused - MAX_REPORTED;
  if (hidden > 0) remark(io, `and ${hidden} more lines`);
  if (summary.redacted > 0) {
    remark(io, `warning: secrets were taken out of ${summary.redacted} records`);
  }
  await present(args, io, {
    json: summary,
    text: () =>
      [
        line('Added', summary.added),
        line('Updated', summary.updated),
        line('Already there', summary.kept),
        ...erasedLines(summary.erased),
        ...(summary.refused > 0 ? [`${'Refused'.padEnd(14)} ${summary.refused} lines`] : []),
      ].join('\n'),
  });
}

function line(label: string, { note, group, value, deleted, erased }: Counts): string {
  const history = [
    ...(deleted === undefined ? [] : [`${deleted} deleted notes`]),
    ...(erased === undefined ? [] : [`${erased} tombstones`]),
  ];
  const counts = [`${note} notes`, `${group} groups`, `${value} values`, ...history];
  return `${label.padEnd(14)} ${counts.join(', ')}`;
}

/** Names what was left out, so that nobody wonders where it is. */
function erasedLines(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const more = ids.length - MAX_REPORTED;
  return [
    `${'Erased here'.padEnd(14)} ${ids.length} left out; \`--include-erased\` takes them:`,
    ...ids.slice(0, MAX_REPORTED).map((id) => `  ${id}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
