import { dropNote, type NotePlace } from './notes.ts';
import type { Statements } from './statements.ts';
import { eraseCodes, eraseVectors } from './vectors.ts';

/**
 * Leaves nothing of a note, be it there or deleted. Freed bytes are overwritten by the database itself;
 * the text index forgets the words of removed notes when it is merged, which takes a while in a large one.
 */
export function eraseNote(sql: Statements, id: string): boolean {
  const places = sql.all<NotePlace>(
    'SELECT seq, project FROM note WHERE id = ? UNION SELECT seq, project FROM note_version WHERE id = ?',
    id,
    id,
  );
  if (places.length === 0) return false;
  dropNote(sql, id);
  for (const place of places) {
    eraseVectors(sql, place);
    eraseCodes(sql, place);
  }
  sql.run('DELETE FROM note_version WHERE id = ?', id);
  sql.run(`INSERT INTO note_text (note_text) VALUES ('optimize')`);
  return true;
}
