import { createReadStream, readdirSync, statSync, watch } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { TapRecord } from 'tincan-wire';
import type { Arguments } from '../command/arguments.ts';
import { CliError, ExitCode, usageError } from '../command/cli-error.ts';
import type { Io } from '../command/io.ts';
import { printable } from '../format/text.ts';
import { recordingsFolder } from '../tap/run-tap.ts';
import { calledName, itemLine } from './item-line.ts';
import { LiveView } from './live-view.ts';
import { RecordReader } from './record-reader.ts';
import { statsOf, statsTable } from './stats.ts';
import { summaryOf } from './summary.ts';
import { isFailed, Timeline, type TimelineItem } from './timeline.ts';

/** Shows a recording in the way that was asked for. */
export async function runShow(args: Arguments, io: Io): Promise<number> {
  if (args.positionals.length > 1) throw usageError('expected one recording');
  const [named] = args.positionals;
  const file = named === undefined ? latestRecording(io.env) : resolve(io.cwd, named);
  if (named === undefined) io.remark(io.errorPaint.dim(file));
  if (args.flag('follow')) return follow(file, io);
  const { items, badLines } = await readTimeline(file);
  const html = args.text('html');
  if (html !== undefined) {
    const { timelinePage } = await import('./html-page.ts');
    const page = timelinePage(items, basename(file));
    await writeFile(resolve(io.cwd, html), page).catch((cause: Error) => {
      throw new CliError('BROKEN', `could not write \`${html}\`: ${cause.message}`, { cause });
    });
    io.remark(`wrote ${html}`);
  } else if (args.flag('json')) {
    io.print(
      JSON.stringify(args.flag('stats') ? statsOf(items) : items.filter(isWanted(args)), null, 2),
    );
  } else if (args.flag('stats'))
    for (const line of statsTable(statsOf(items), io.paint)) io.print(line);
  else printItems(items, args, io);
  if (badLines > 0)
    io.remark(
      io.errorPaint.yellow(
        `skipped ${badLines} ${badLines === 1 ? 'line that is not a record' : 'lines that are not records'}`,
      ),
    );
  return ExitCode.Ok;
}

/** Everything in a recording. */
export async function readTimeline(
  file: string,
): Promise<{ items: TimelineItem[]; badLines: number; records: TapRecord[] }> {
  const reader = new RecordReader();
  const records: TapRecord[] = [];
  try {
    for await (const chunk of createReadStream(file)) records.push(...reader.push(chunk as Buffer));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError('BROKEN', `could not read \`${file}\`: ${reason}`, { cause });
  }
  records.push(...reader.end());
  if (records.length === 0 && reader.badLines > 0) {
    throw new CliError(
      'BROKEN',
      `\`${file}\` is not a recording: expected a file that \`tincan tap --out\` wrote`,
    );
  }
  const timeline = new Timeline();
  for (const record of records) timeline.add(record);
  return { items: timeline.items, badLines: reader.badLines, records };
}

function printItems(items: readonly TimelineItem[], args: Arguments, io: Io): void {
  const startMs = items[0]?.timeMs ?? 0;
  const wanted = items.filter(isWanted(args));
  for (const item of wanted) {
    io.print(itemLine(item, { paint: io.paint, width: io.width, startMs }));
    if (args.flag('full'))
      for (const line of fullOf(item)) io.print(io.paint.dim(`             ${line}`));
  }
  io.print('');
  io.print(summaryOf(items, io.paint));
}

function isWanted(args: Arguments): (item: TimelineItem) => boolean {
  const method = args.text('method');
  return (item) => {
    if (method !== undefined && !nameOf(item).includes(method)) return false;
    return !args.flag('errors') || isTrouble(item);
  };
}

/** The method of an item and, of a call, what it is about. */
function nameOf(item: TimelineItem): string {
  if (item.kind === 'call') return `${item.method} ${calledName(item)}`;
  return item.kind === 'notification' ? item.method : '';
}

function isTrouble(item: TimelineItem): boolean {
  if (item.kind === 'call') return item.answer === undefined || isFailed(item);
  if (item.kind === 'stray') return item.source === 'stdout';
  return item.kind === 'odd' || (item.kind === 'exit' && item.exitCode !== 0);
}

function fullOf(item: TimelineItem): string[] {
  const parts: [string, unknown][] =
    item.kind === 'call'
      ? [
          ['params', item.params],
          [
            item.answer?.error === undefined ? 'result' : 'error',
            item.answer?.error ?? item.answer?.result,
          ],
        ]
      : item.kind === 'notification'
        ? [['params', item.params]]
        : [];
  return parts
    .filter(([, value]) => value !== undefined)
    .flatMap(([label, value]) =>
      printable(`${label} ${JSON.stringify(value, null, 2)}`).split('\n'),
    );
}

/** Prints what is there, then what is added, until the recorded session ends or Ctrl-C. */
async function follow(file: string, io: Io): Promise<number> {
  const view = new LiveView(io.paint, io.width);
  const reader = new RecordReader();
  const handle = await open(file).catch((cause: Error) => {
    throw new CliError('BROKEN', `could not read \`${file}\`: ${cause.message}`, { cause });
  });
  const buffer = Buffer.alloc(64 * 1024);
  let hasEnded = false;
  const readOn = async (): Promise<void> => {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      for (const record of reader.push(buffer.subarray(0, bytesRead))) {
        for (const line of view.add(record)) io.print(line);
        hasEnded = record.type === 'exit';
      }
    }
  };
  await readOn();
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  while (!hasEnded && !stop.signal.aborted) {
    await change(file, stop.signal);
    await readOn();
  }
  await handle.close();
  return ExitCode.Ok;
}

/** Resolves when a file changed, or after a moment: not every file system tells. */
function change(file: string, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, 500);
    const watcher = watch(file, finish);
    watcher.on('error', finish);
    signal.addEventListener('abort', finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      watcher.close();
      signal.removeEventListener('abort', finish);
      done();
    }
  });
}

function latestRecording(env: NodeJS.ProcessEnv): string {
  const folder = recordingsFolder(env);
  let names: string[] = [];
  try {
    // A server that could not be started leaves an empty recording.
    names = readdirSync(folder).filter(
      (name) => name.endsWith('.ndjson') && statSync(join(folder, name)).size > 0,
    );
  } catch {
    // No recording was ever made.
  }
  // Named after the time they began.
  const latest = names.sort().at(-1);
  if (latest === undefined) {
    throw usageError(`expected a recording; \`tincan tap\` made none in \`${folder}\` yet`);
  }
  return join(folder, latest);
}
