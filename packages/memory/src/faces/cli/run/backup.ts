import { resolve } from 'node:path';
import { backupStore } from '../../../store/backup-store.ts';
import type { RunCommand } from '../command.ts';
import { CommandError, ExitCode, usageError } from '../command-error.ts';
import { present } from '../render/format.ts';
import { contentsText } from '../render/store-contents.ts';
import { settingsFor } from './with-memory.ts';

/** `backup` */
export const runBackup: RunCommand = async (args, io) => {
  const [word, ...more] = args.words;
  if (word === undefined || word === '') throw usageError('expected a file to write');
  if (more.length > 0) throw usageError(`expected one file, got ${args.words.length}`);
  const file = resolve(io.cwd, word);
  const { store } = await settingsFor(args, io);
  const saved = await backupStore(store, { file, force: args.flag('force') }).catch(
    (cause: unknown) => {
      if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
      throw new CommandError('BROKEN', `cannot write \`${file}\`: ${cause.message}`, { cause });
    },
  );
  await present(args, io, {
    json: { file, ...saved },
    text: () => `Saved ${contentsText(saved)} in ${file}`,
  });
  return ExitCode.Ok;
};
