import type { NoteView } from '../../../service/notes.ts';
import type { Warning } from '../../../service/search.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { remark } from '../io.ts';
import { present } from '../render/format.ts';
import { renderResults, resultsJson } from '../render/note-text.ts';
import { paintFor } from '../render/paint.ts';
import { projectOf } from './project.ts';
import { textFrom } from './read-input.ts';
import { withMemory } from './with-memory.ts';

interface Found {
  readonly results: readonly (NoteView & { readonly score: number })[];
  readonly warning?: Warning;
}

/** `search` */
export const runSearch: RunCommand = async (args, io) => {
  const isStdin = args.flag('stdin');
  const text = await textFrom(args.words, io, { isStdin, what: 'query' });
  if (args.number('top-k') === 0) throw usageError('top-k must be greater than 0');
  const params = {
    projectId: projectOf(args, io),
    query: isStdin ? text.split('\n', 1).join('').trim() : text,
    groupId: args.text('group'),
    topK: args.number('top-k'),
    tags: args.list('tags'),
    since: args.text('since'),
    until: args.text('until'),
  };
  const found = await withMemory(args, io, ({ call }) => call<Found>('search', params));
  if (found.warning !== undefined) remark(io, `warning: ${found.warning.message}`);
  await present(args, io, {
    json: resultsJson(found.results),
    text: () => renderResults(found.results, paintFor(io)),
  });
  return ExitCode.Ok;
};
