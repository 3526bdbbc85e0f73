import type { TimeSpan } from '../../search/time-words.ts';
import type { Note } from '../note.ts';
import type { NoteFilter } from '../store.ts';
import type { SqliteValue } from './driver.ts';
import { scopeQuery } from './scope.ts';

/** A filter as a condition on `note`. */
export function filterSql(
  project: number,
  filter: NoteFilter,
): { readonly where: string; readonly values: readonly SqliteValue[] } {
  const conditions = ['note.project = ?'];
  const values: SqliteValue[] = [project];
  if (filter.groupId !== undefined) {
    conditions.push('note.group_id = ?');
    values.push(filter.groupId);
  }
  if (filter.since !== undefined) {
    conditions.push('note.created_at >= ?');
    values.push(filter.since);
  }
  if (filter.until !== undefined) {
    conditions.push('note.created_at < ?');
    values.push(filter.until);
  }
  if (filter.tags !== undefined && filter.tags.length > 0) {
    conditions.push('note.seq IN (SELECT rowid FROM note_text WHERE note_text MATCH ?)');
    values.push(scopeQuery(project, filter));
  }
  return { where: conditions.join(' AND '), values };
}

/** Whether a note is one that a filter keeps. */
export function passes(
  { groupId, tags = [], since, until }: NoteFilter,
  note: Pick<Note, 'groupId' | 'tags' | 'createdAt'>,
): boolean {
  return (
    (groupId === undefined || note.groupId === groupId) &&
    (since === undefined || note.createdAt >= since) &&
    (until === undefined || note.createdAt < until) &&
    tags.every((tag) => note.tags.includes(tag))
  );
}

/** Whether a filter keeps less than its project. */
export function isNarrowed({ groupId, tags, since, until }: NoteFilter): boolean {
  return (
    groupId !== undefined || since !== undefined || until !== undefined || (tags ?? []).length > 0
  );
}

/** What a filter leaves of a stretch of time. */
export function within(
  filter: NoteFilter,
  { from, to }: Pick<TimeSpan, 'from' | 'to'>,
): NoteFilter {
  const { since = from, until = to } = filter;
  return { ...filter, since: Math.max(since, from), until: Math.min(until, to) };
}
