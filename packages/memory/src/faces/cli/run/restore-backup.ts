import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { restoreStore } from '../../../store/backup-store.ts';
import type { RunCommand } from '../command.ts';
import { CommandError, ExitCode, usageError } from '../command-error.ts';
import { present } from '../render/format.ts';
import { contentsText } from '../render/store-contents.ts';
import { settingsFor } from './with-memory.ts';

/** `restore` with a file. */
export const runRestoreBackup: RunCommand = async (args, io) => {
  if (args.number('version') !== undefined) {
    throw usageError('`--version` is for notes: expected the id of a note before it, got a file');
  }
  const [word = ''] = args.words;
  const file = resolve(io.cwd, word);
  const { store } = await settingsFor(args, io);
  // A shortened id ends up here too.
  if (store.path !== null && !existsSync(file)) {
    const what = 'neither the whole id of a note nor a file';
    throw new CommandError('BROKEN', `\`${word}\` is ${what}: there is no \`${file}\``);
  }
  const restored = await restoreStore(store, { file }).catch((cause: unknown) => {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CommandError('BROKEN', `cannot restore \`${file}\`: ${cause.message}`, { cause });
  });
  const { kept, keptLog } = restored;
  await present(args, io, {
    json: { file, store: store.path, ...restored },
    text: () =>
      [
        `Restored ${contentsText(restored)} from ${file}`,
        ...(kept === undefined ? [] : [`The store that was there is kept as ${kept}`]),
        ...(keptLog === undefined ? [] : [`Its log is kept as ${keptLog}`]),
      ].join('\n'),
  });
  return ExitCode.Ok;
};
