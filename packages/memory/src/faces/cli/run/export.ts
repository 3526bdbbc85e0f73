import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Memory } from '../../../service/memory.ts';
import type { RecordOptions } from '../../../service/transfer-records.ts';
import { visibleJson } from '../../visible-text.ts';
import type { RunCommand } from '../command.ts';
import { CommandError, ExitCode } from '../command-error.ts';
import { type CommandIo, remark, write } from '../io.ts';
import { counted } from '../render/counted.ts';
import { withMemory } from './with-memory.ts';

/** `export` */
export const runExport: RunCommand = async (args, io) => {
  const output = args.text('output');
  const scope = { projectId: args.text('project'), history: args.flag('history') };
  await withMemory(args, io, async ({ memory }) => {
    if (output === undefined || output === '-') {
      await writeRecords(memory, { scope, io, stream: io.stdout });
      return;
    }
    const count = await writeFile(memory, { scope, io, path: resolve(io.cwd, output) });
    remark(io, `${counted(count, 'record')} written to ${output}`);
  });
  return ExitCode.Ok;
};

interface Export {
  readonly scope: RecordOptions;
  readonly io: CommandIo;
}

async function writeRecords(
  memory: Memory,
  { scope, io, stream }: Export & { readonly stream: CommandIo['stdout'] },
): Promise<number> {
  let count = 0;
  for await (const record of memory.transfer.records(scope)) {
    io.signal?.throwIfAborted();
    if (stream.destroyed) break;
    await write(stream, `${visibleJson(record)}\n`);
    count += 1;
  }
  return count;
}

/** The file appears whole or not at all: half a backup must not look like one. */
async function writeFile(
  memory: Memory,
  { path, ...options }: Export & { readonly path: string },
): Promise<number> {
  const draft = `${path}.${randomUUID()}.tmp`;
  const stream = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
  try {
    // Listened to from the start, so that a failure on the way is not nobody's.
    const ended = finished(stream);
    const [count] = await Promise.all([
      writeRecords(memory, { ...options, stream }).finally(() => stream.end()),
      ended,
    ]);
    await rename(draft, path);
    return count;
  } catch (cause) {
    stream.destroy();
    await rm(draft, { force: true });
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CommandError('BROKEN', `cannot write \`${path}\`: ${cause.message}`, { cause });
  }
}
