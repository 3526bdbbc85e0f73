import type { Warning } from '../../../service/search.ts';
import type { RunCommand } from '../command.ts';
import { ExitCode, usageError } from '../command-error.ts';
import { remark } from '../io.ts';
import { present } from '../render/format.ts';
import { type FoundNote, renderResults, resultsJson } from '../render/note-text.ts';
import { paintFor } from '../render/paint.ts';
import { projectOf, remarkProject } from './project.ts';
import { textFrom } from './read-input.ts';
import { withMemory } from './with-memory.ts';

interface Found {
  readonly results: readonly FoundNote[];
  readonly omitted?: number;
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
    minScore: minScoreOf(args.text('min-score')),
    maxTokens: args.number('max-tokens'),
    mode: args.text('mode'),
  };
  const found = await withMemory(args, io, ({ call }) => call<Found>('search', params));
  if (found.warning !== undefined) remark(io, `warning: ${found.warning.message}`);
  if (found.omitted !== undefined) remark(io, `${found.omitted} more did not fit in --max-tokens`);
  const withReasons = args.flag('explain');
  await present(args, io, {
    json: resultsJson(found.results, { withReasons }),
    text: () => renderResults(found.results, paintFor(io), { withReasons }),
  });
  if (found.results.length === 0) remarkProject(params.projectId, args, io);
  return ExitCode.Ok;
};

function minScoreOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const score = Number(text);
  if (text.trim() !== '' && score >= 0 && score <= 1) return score;
  throw usageError(`expected --min-score to be a number from 0 to 1, got \`${text}\``);
}
