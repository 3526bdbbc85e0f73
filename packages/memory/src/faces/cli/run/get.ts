import type { NoteView } from '../../../service/notes.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { present } from '../render/format.ts';
import { renderNote } from '../render/note-text.ts';
import { paintFor } from '../render/paint.ts';
import { withMemory } from './with-memory.ts';

/** `get`: one note as an object, several as a list. */
export const runGet: RunCommand = async (args, io) => {
  if (args.words.length === 0) throw usageError('id is required');
  const notes = await withMemory(args, io, ({ call }) =>
    Promise.all(args.words.map((id) => call<NoteView>('get', { id }))),
  );
  const paint = paintFor(io);
  await present(args, io, {
    json: notes.length === 1 ? notes[0] : notes,
    text: () => notes.map((note) => renderNote(note, paint)).join('\n\n'),
  });
  return ExitCode.Ok;
};
