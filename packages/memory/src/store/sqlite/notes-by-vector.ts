import type { VectorScores } from '../../search/vector-index.ts';
import type { NoteFilter } from '../store.ts';
import { filterSql, isNarrowed, passes } from './filter.ts';
import type { SearchScope } from './notes-by-words.ts';
import type { ProjectRow } from './projects.ts';
import { narrowTokens, scopeQuery } from './scope.ts';
import type { Statements } from './statements.ts';
import type { TermFrequencies } from './term-frequencies.ts';

/** How many of the closest notes are tried against a filter before its notes are listed instead. */
const WALKED_NOTES = 1_000;

/** Of a time with more notes than this enough of the closest pass. */
const COUNTED_NOTES = 4_000;

/** Trying one note against a filter costs as much as listing this many. */
const WALK_COST = 4;

/** What notes and their numbers are read from. */
export interface VectorSources {
  readonly sql: Statements;
  readonly frequencies: TermFrequencies;
}

/** The notes of a filter that are closest by their codes, best first. */
export function notesByVector(
  sources: VectorSources,
  { project, filter, limit, noteCount }: SearchScope,
  scores: VectorScores,
): number[] {
  const { sql, frequencies } = sources;
  if (!isNarrowed(filter)) return scores.best(limit).map(({ note }) => note);
  const tokens = narrowTokens(project.id, filter);
  const counts = [...frequencies.of(tokens, noteCount), notesThen(sql, project, filter)];
  const kept = Math.max(1, Math.min(project.notes, ...counts));
  const steps = (limit * project.notes) / kept;
  if (steps * 2 <= WALKED_NOTES && steps * WALK_COST <= kept) {
    const walked = walkDown(sql, scores, { filter, limit });
    if (walked.length === limit) return walked;
  }
  return scores.bestOf(listNotes(sql, project, filter), limit).map(({ note }) => note);
}

/** How many notes the time of a filter keeps, counted as far as it decides anything. */
function notesThen(
  sql: Statements,
  project: ProjectRow,
  { projectId, since, until }: NoteFilter,
): number {
  if (since === undefined && until === undefined) return project.notes;
  const { where, values } = filterSql(project.id, { projectId, since, until });
  const [count = 0] = sql.column<number>(
    `SELECT count(*) FROM (SELECT 1 FROM note WHERE ${where} LIMIT ${COUNTED_NOTES})`,
    ...values,
  );
  return count < COUNTED_NOTES ? count : project.notes;
}

function listNotes(sql: Statements, project: ProjectRow, filter: NoteFilter): number[] {
  const { tags = [], since, until } = filter;
  // The text index alone knows groups and tags, so it is asked alone where there is no time.
  if (tags.length > 0 && since === undefined && until === undefined) {
    return sql.column<number>(
      'SELECT rowid FROM note_text WHERE note_text MATCH ?',
      scopeQuery(project.id, filter),
    );
  }
  const { where, values } = filterSql(project.id, filter);
  return sql.column<number>(`SELECT seq FROM note WHERE ${where}`, ...values);
}

/** The closest notes that pass a wide filter: most do, so trying beats listing. */
function walkDown(
  sql: Statements,
  scores: VectorScores,
  { filter, limit }: { readonly filter: NoteFilter; readonly limit: number },
): number[] {
  const passing: number[] = [];
  for (const { note: seq } of scores.best(WALKED_NOTES)) {
    const row = sql.get<{ group_id: string; tags: string; created_at: number }>(
      'SELECT group_id, tags, created_at FROM note WHERE seq = ?',
      seq,
    );
    if (row === undefined) continue;
    const { group_id: groupId, created_at: createdAt } = row;
    if (!passes(filter, { groupId, createdAt, tags: JSON.parse(row.tags) })) continue;
    passing.push(seq);
    if (passing.length === limit) break;
  }
  return passing;
}
