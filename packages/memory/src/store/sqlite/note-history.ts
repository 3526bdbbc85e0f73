import type { NoteVersion } from '../note.ts';
import { dropNote, insertNote, type NotePlace } from './notes.ts';
import { ensureProject } from './projects.ts';
import type { Statements } from './statements.ts';
import { insertVersion, pruneVersions } from './versions.ts';

/**
 * Inserts a note with its earlier versions, newest first. A note whose newest version is its deletion gets
 * its versions only; `undefined` is returned for it, because nothing is left to embed.
 */
export function insertHistory(
  sql: Statements,
  [newest, ...earlier]: readonly [NoteVersion, ...NoteVersion[]],
): NotePlace | undefined {
  const { note, version, event, at } = newest;
  const isDeleted = event === 'deleted';
  const place = insertNote(sql, note, { at, version, event });
  if (place === undefined) return undefined;
  // Dropped again: the versions need a place that no other note will ever have.
  if (isDeleted) dropNote(sql, note.id);
  for (const kept of isDeleted ? [newest, ...earlier] : earlier) {
    insertVersion(sql, { seq: place.seq, project: ensureProject(sql, kept.note.projectId) }, kept);
  }
  pruneVersions(sql, note.id, version);
  return isDeleted ? undefined : place;
}

/** A page of the ids of deleted notes whose versions are kept; ids come in their own order. */
export function deletedAfter(
  sql: Statements,
  { id, limit, projectId }: { id: string; limit: number; projectId: string | undefined },
): string[] {
  return sql.column<string>(
    `SELECT DISTINCT note_version.id FROM note_version JOIN project ON project.id = note_version.project
     WHERE note_version.id > ? AND event = 'deleted' AND (? IS NULL OR project.key = ?)
     AND version = (SELECT max(version) FROM note_version AS other WHERE other.id = note_version.id)
     AND NOT EXISTS (SELECT 1 FROM note WHERE note.id = note_version.id)
     ORDER BY note_version.id LIMIT ?`,
    id,
    projectId ?? null,
    projectId ?? null,
    limit,
  );
}
