import type { Match } from '../../../service/answer-size.ts';
import type { NoteView } from '../../../service/notes.ts';
import { oneLine, printable, takeGraphemes } from './graphemes.ts';
import type { Paint } from './paint.ts';
import { renderTable } from './table.ts';

const PREVIEW_GRAPHEMES = 60;
const UNTITLED = '(no title)';

/** A note as a search gives it. */
export type FoundNote = NoteView & { readonly score: number; readonly match: Match };

/** The results of a search for a reader. */
export function renderResults(
  results: readonly FoundNote[],
  { bold, dim }: Paint,
  { withReasons = false }: { readonly withReasons?: boolean } = {},
): string {
  if (results.length === 0) return 'No results found.';
  return results
    .map(({ title, text, tags, score, match }, index) => {
      const { head, isWhole } = takeGraphemes(oneLine(text), PREVIEW_GRAPHEMES);
      return [
        `[${index + 1}] ${bold(title === null ? UNTITLED : oneLine(title))} (score: ${score.toFixed(2)})`,
        `    ${head}${isWhole ? '' : ' ...'}`,
        ...(tags.length === 0 ? [] : [dim(`    tags: ${tags.map(oneLine).join(', ')}`)]),
        ...(withReasons ? [dim(`    found by ${reasonsOf(match)}`)] : []),
        '',
      ].join('\n');
    })
    .join('\n');
}

function reasonsOf({ by, words, context = [] }: Match): string {
  const ways = {
    lexical: 'words',
    vector: 'meaning',
    both: 'words and meaning',
    context: 'context',
  };
  const shared = words.length === 0 ? '' : `: ${words.map(oneLine).join(', ')}`;
  return `${ways[by]}${shared}${context.length === 0 ? '' : `; beside ${context.join(', ')}`}`;
}

/** The results of a search for a program. */
export function resultsJson(
  results: readonly FoundNote[],
  { withReasons = false }: { readonly withReasons?: boolean } = {},
): {
  readonly results: readonly object[];
} {
  return {
    results: results.map(({ id, title, text, score, tags, match }) => ({
      id,
      ...(title === null ? {} : { title }),
      text,
      score,
      ...(tags.length === 0 ? {} : { tags }),
      ...(withReasons ? { match } : {}),
    })),
  };
}

/** Notes as a table, one line each. */
export function renderNotes(notes: readonly NoteView[], width: number): string {
  if (notes.length === 0) return 'No notes found.';
  const rows = notes.map(({ id, createdAt, groupId, title, text, tags }) => [
    id,
    createdAt.slice(0, 16).replace('T', ' '),
    groupId,
    oneLine(title ?? text),
    tags.map(oneLine).join(', '),
  ]);
  const columns = [
    { title: 'ID' },
    { title: 'CREATED' },
    { title: 'GROUP' },
    { title: 'NOTE', isFlexible: true },
    { title: 'TAGS', isFlexible: true },
  ];
  return renderTable(columns, rows, width).join('\n');
}

/** Everything about one note. */
export function renderNote(note: NoteView, { bold, dim }: Paint): string {
  const facts = [
    ['id', note.id],
    ['project', note.projectId],
    ['group', note.groupId],
    ['created', note.createdAt],
    ['tags', note.tags.join(', ')],
    ['source', note.source ?? ''],
    ['metadata', note.metadata === null ? '' : JSON.stringify(note.metadata)],
  ] as const;
  return [
    bold(note.title === null ? UNTITLED : oneLine(note.title)),
    ...facts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => dim(`${name.padEnd(9)}${oneLine(value)}`)),
    '',
    printable(note.text),
  ].join('\n');
}
