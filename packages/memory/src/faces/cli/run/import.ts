import { invalidParams, RpcCode } from '../../../errors.ts';
import { RpcError } from '../../../rpc-error.ts';
import type { Memory } from '../../../service/memory.ts';
import type { Taken } from '../../../service/transfer.ts';
import type { Arguments } from '../arguments.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { type CommandIo, remark } from '../io.ts';
import { counted } from '../render/counted.ts';
import { present } from '../render/format.ts';
import { ProgressBar } from '../render/progress-bar.ts';
import { fillVectors } from './fill-vectors.ts';
import { ProjectMap } from './project-map.ts';
import { type Line, readLines, totalBytes } from './read-records.ts';
import { withMemory } from './with-memory.ts';

/** Records in flight: each turn of the event loop is one flush to disk for all of them. */
const BATCH = 256;
/** Long records go in smaller batches, so that memory stays flat. */
const BATCH_BYTES = 8 * 1024 * 1024;
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
  /** Members that are not known: notes keep them as metadata, groups and values have no place for them. */
  readonly unknown: { readonly kept: UnknownMembers; readonly ignored: UnknownMembers };
}

interface UnknownMembers {
  records: number;
  readonly names: string[];
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
  const names = new ProjectMap(args.list('map') ?? []);
  const total = await totalBytes(files, io);
  const dryRun = args.flag('dry-run');
  const vectors = fillVectors(io, 'embedding');
  const summary = await withMemory(
    args,
    io,
    async ({ memory }) => {
      const rename = (projectId: string): string => names.rename(projectId);
      const done = await takeAll(memory, readLines(files, io), {
        ...{ io, total, rename, dryRun, includeErased: args.flag('include-erased') },
      });
      if (!dryRun && done.added.note > 0) await vectors.run(memory);
      return done;
    },
    vectors,
  );
  for (const name of names.unused) {
    remark(io, `warning: \`--map\` found no record of project \`${name}\``);
  }
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
    unknown: { kept: { records: 0, names: [] }, ignored: { records: 0, names: [] } },
  };
  const bar = new ProgressBar(io, 'importing');
  const take = async (line: Line): Promise<string | undefined> => {
    try {
      if (line.refusal !== undefined) throw invalidParams(line.refusal);
      const record = JSON.parse(line.text) as unknown;
      const taken = await memory.transfer.take(record, options);
      const { kind, outcome, id, redacted } = taken;
      if (outcome === 'erased') summary.erased.push(id);
      else summary[outcome][kind] = (summary[outcome][kind] ?? 0) + 1;
      countUnknown(summary.unknown, taken);
      if (redacted.length > 0) summary.redacted += 1;
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const place = `${line.file === '-' ? 'stdin' : line.file}:${line.number}`;
      return `${place}: ${error instanceof SyntaxError ? 'not JSON' : error.message}`;
    }
  };
  const takeInOrder = async (batch: readonly Line[]): Promise<void> => {
    for (const refusal of await takeBatch(batch, take)) {
      summary.refused += 1;
      if (summary.refused <= MAX_REPORTED) remark(io, refusal);
    }
  };
  try {
    let batch: Line[] = [];
    let length = 0;
    for await (const line of lines) {
      io.signal?.throwIfAborted();
      batch.push(line);
      length += line.text.length;
      if (batch.length < BATCH && length < BATCH_BYTES) continue;
      await takeInOrder(batch);
      if (total !== undefined) bar.update(line.bytes, total);
      batch = [];
      length = 0;
    }
    await takeInOrder(batch);
  } finally {
    bar.end();
  }
  return summary;
}

function countUnknown(
  { kept, ignored }: Summary['unknown'],
  { kind, outcome, unknown }: Taken,
): void {
  if (unknown.length === 0 || outcome === 'kept') return;
  const members = kind === 'note' ? kept : ignored;
  members.records += 1;
  const added = unknown.filter((name) => !members.names.includes(name));
  members.names.push(...added.slice(0, MAX_REPORTED - members.names.length));
}

/**
 * Groups and values compare with what is there, so those of one file must not overtake each other. Resolves with
 * the refusals in the order of the lines.
 */
async function takeBatch(
  batch: readonly Line[],
  take: (line: Line) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const refusals = new Map<Line, string>();
  const takeOne = async (line: Line): Promise<void> => {
    const refusal = await take(line);
    if (refusal !== undefined) refusals.set(line, refusal);
  };
  const isNote = ({ text }: Line): boolean => /"kind"\s*:\s*"note"/.test(text.slice(0, 100));
  for (const line of batch.filter((each) => !isNote(each))) await takeOne(line);
  await Promise.all(batch.filter(isNote).map(takeOne));
  return batch.flatMap((line) => refusals.get(line) ?? []);
}

function isRefusal(error: unknown): error is SyntaxError | RpcError {
  if (error instanceof SyntaxError) return true;
  if (!(error instanceof RpcError)) return false;
  return error.rpcCode === RpcCode.InvalidParams || error.rpcCode === RpcCode.InvalidKeyPrefix;
}

async function report(summary: Summary, args: Arguments, io: CommandIo): Promise<void> {
  const hidden = summary.refused - MAX_REPORTED;
  if (hidden > 0) remark(io, `and ${hidden} more ${hidden === 1 ? 'line' : 'lines'}`);
  if (summary.redacted > 0) {
    remark(io, `warning: secrets in ${counted(summary.redacted, 'record')} were redacted`);
  }
  await present(args, io, {
    json: summary,
    text: () =>
      [
        line(args.flag('dry-run') ? 'Would add' : 'Added', summary.added),
        line(args.flag('dry-run') ? 'Would update' : 'Updated', summary.updated),
        line('Already there', summary.kept),
        ...erasedLines(summary.erased),
        ...unknownLines(summary.unknown),
        ...(summary.refused > 0
          ? [`${'Refused'.padEnd(14)} ${counted(summary.refused, 'line')}`]
          : []),
      ].join('\n'),
  });
}

function line(label: string, { note, group, value, deleted, erased }: Counts): string {
  const history = [
    ...(deleted === undefined ? [] : [counted(deleted, 'deleted note')]),
    ...(erased === undefined ? [] : [counted(erased, 'tombstone')]),
  ];
  const counts = [
    counted(note, 'note'),
    counted(group, 'group'),
    counted(value, 'value'),
    ...history,
  ];
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

/** Names are quoted as JSON: a file may hold control characters. */
function unknownLines({ kept, ignored }: Summary['unknown']): string[] {
  const listed = (names: readonly string[]): string =>
    names.map((name) => JSON.stringify(name)).join(', ');
  return [
    ...(kept.records > 0
      ? [`Unknown members of ${kept.records} notes kept under metadata: ${listed(kept.names)}`]
      : []),
    ...(ignored.records > 0
      ? [`Unknown members of ${ignored.records} groups or values ignored: ${listed(ignored.names)}`]
      : []),
  ];
}
