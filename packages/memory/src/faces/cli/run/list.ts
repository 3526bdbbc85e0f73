import type { NoteView } from '../../../service/notes.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode } from '../command-error.ts';
import { present } from '../render/format.ts';
import { renderNotes } from '../render/note-text.ts';
import { projectOf, remarkProject } from './project.ts';
import { withMemory } from './with-memory.ts';

/** `list` */
export const runList: RunCommand = async (args, io) => {
  const params = {
    projectId: projectOf(args, io),
    groupId: args.text('group'),
    limit: args.number('limit'),
    tags: args.list('tags'),
  };
  const listed = await withMemory(args, io, ({ call }) =>
    call<{ items: readonly NoteView[] }>('list_recent', params),
  );
  await present(args, io, { json: listed, text: () => renderNotes(listed.items, io.columns) });
  if (listed.items.length === 0) remarkProject(params.projectId, args, io);
  return ExitCode.Ok;
};
