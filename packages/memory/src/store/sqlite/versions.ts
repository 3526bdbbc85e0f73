import { countFitting } from '../../answer-limit.ts';
import { type NoteEvent, type NoteVersion, VERSIONS_KEPT } from '../note.ts';
import type { Part } from '../store.ts';
import { noteBytes } from './note-bytes.ts';
import { type NoteRow, noteFromRow } from './note-row.ts';
import type { Statements } from './statements.ts';

interface VersionRow extends NoteRow {
  readonly event: NoteEvent;
  readonly changed_at: number;
}

const COLUMNS = `seq, id, version, event, changed_at, project, group_id, title, text, tags, source,
  metadata, created_at`;

/** Keeps what a note is before it changes or goes. */
export function keepVersion(sql: Statements, seq: number): void {
  sql.run(`INSERT INTO note_version (${COLUMNS}) SELECT ${COLUMNS} FROM note WHERE seq = ?`, seq);
}

/** Writes a version as it came, in the place of its note. */
export function insertVersion(
  sql: Statements,
  { seq, project }: { readonly seq: number; readonly project: number },
  { version, event, at, note }: NoteVersion,
): void {
  sql.run(
    `INSERT INTO note_version (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[seq, note.id, version, event, at, project, note.groupId, note.title, note.text],
    JSON.stringify(note.tags),
    note.source,
    note.metadata === null ? null : JSON.stringify(note.metadata),
    note.createdAt,
  );
}

/** Drops the versions beyond the bound, counted from the newest. */
export function pruneVersions(sql: Statements, id: string, newest: number): void {
  sql.run('DELETE FROM note_version WHERE id = ? AND version <= ?', id, newest - VERSIONS_KEPT);
}

/** The last version of a note that is no longer there, and where it lay. */
export function lastVersion(
  sql: Statements,
  id: string,
): { readonly seq: number; readonly project: number; readonly version: number } | undefined {
  return sql.get(
    'SELECT seq, project, version FROM note_version WHERE id = ? ORDER BY version DESC LIMIT 1',
    id,
  );
}

/** The newest versions of a note that fit one answer. */
export function newestVersions(sql: Statements, id: string): Part<NoteVersion> {
  const sizes = sql.column<number>(
    `SELECT bytes FROM (SELECT version, ${noteBytes('note')} AS bytes FROM note WHERE id = ?
     UNION ALL SELECT version, ${noteBytes('note_version')} FROM note_version WHERE id = ?)
     ORDER BY version DESC`,
    id,
    id,
  );
  const count = countFitting(sizes);
  return { first: versionsOf(sql, id, count), omitted: sizes.length - count };
}

/** Versions of a note, newest first; the newest of a note that is there is the note itself. */
export function versionsOf(sql: Statements, id: string, limit = -1): NoteVersion[] {
  const rows = sql.all<VersionRow>(
    `SELECT kept.*, project.key AS project_key FROM
     (SELECT ${COLUMNS} FROM note WHERE id = ? UNION ALL SELECT ${COLUMNS} FROM note_version WHERE id = ?)
     AS kept JOIN project ON project.id = kept.project ORDER BY version DESC LIMIT ?`,
    id,
    id,
    limit,
  );
  return rows.map((row) => ({
    version: row.version,
    event: row.event,
    at: row.changed_at,
    note: noteFromRow(row),
  }));
}
