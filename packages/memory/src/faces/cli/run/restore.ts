import type { RunCommand } from '../command.ts';
import { usageError } from '../command-error.ts';

/** The form of every note's id; anything else is a file. */
const NOTE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `restore`: a note by its id, or the store from a backup. */
export const runRestore: RunCommand = async (args, io) => {
  const [word, ...more] = args.words;
  if (word === undefined || word === '') {
    throw usageError('expected the id of a note, or a backup file');
  }
  if (more.length > 0) throw usageError(`expected one id or one file, got ${args.words.length}`);
  const run = NOTE_ID.test(word)
    ? (await import('./restore-note.ts')).runRestoreNote
    : (await import('./restore-backup.ts')).runRestoreBackup;
  return run(args, io);
};
