import type { Note } from '../note.ts';
import { supersededBy } from '../supersedes.ts';
import type { NotePlace } from './notes.ts';
import type { Statements } from './statements.ts';

/** Records what a written note supersedes, and hides or shows the notes this concerns, itself among them. */
export function linkSuperseded(
  sql: Statements,
  { seq, project }: NotePlace,
  note: Pick<Note, 'id' | 'metadata'>,
): void {
  const before = unlink(sql, seq);
  const after = supersededBy(note);
  for (const id of after) {
    sql.run('INSERT INTO superseded (project, id, by) VALUES (?, ?, ?)', project, id, seq);
  }
  for (const id of new Set([note.id, ...before, ...after])) refresh(sql, project, id);
}

/** Shows again what a removed note superseded. */
export function unlinkSuperseded(sql: Statements, { seq, project }: NotePlace): void {
  for (const id of unlink(sql, seq)) refresh(sql, project, id);
}

/** Places of the hidden notes of a project. */
export function hiddenNotes(sql: Statements, project: number): number[] {
  return sql.column<number>('SELECT seq FROM note WHERE project = ? AND hidden = 1', project);
}

function unlink(sql: Statements, seq: number): string[] {
  const ids = sql.column<string>('SELECT id FROM superseded WHERE by = ?', seq);
  if (ids.length > 0) sql.run('DELETE FROM superseded WHERE by = ?', seq);
  return ids;
}

function refresh(sql: Statements, project: number, id: string): void {
  const named = sql.get('SELECT 1 FROM superseded WHERE project = ? AND id = ?', project, id);
  const hidden = named === undefined ? 0 : 1;
  sql.run(
    'UPDATE note SET hidden = ? WHERE id = ? AND project = ? AND hidden <> ?',
    hidden,
    id,
    project,
    hidden,
  );
}
