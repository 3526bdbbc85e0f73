import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { connect } from '../../../src/store/sqlite/driver.ts';

/** A note as the first version of the store wrote it. */
export interface OldNote {
  readonly id: string;
  readonly text: string;
  readonly metadata?: object;
  readonly revision?: number;
}

/** Makes a store of schema version 1, by the words that version made its tables with. */
export function makeVersion1File(
  path: string,
  { projectId, notes }: { readonly projectId: string; readonly notes: readonly OldNote[] },
): void {
  mkdirSync(dirname(path), { recursive: true });
  const db = connect(path);
  db.pragma('journal_mode = WAL');
  db.exec(readFileSync(new URL('./schema-1.sql', import.meta.url), 'utf8'));
  db.exec('BEGIN');
  db.prepare('INSERT INTO project (id, key, notes, tokens) VALUES (1, ?, ?, ?)').run(
    projectId,
    notes.length,
    notes.reduce((sum, { text }) => sum + countWords(text), 0),
  );
  const insertNote = db.prepare(
    `INSERT INTO note (id, project, group_id, text, tags, metadata, created_at, revision, tokens)
     VALUES (?, 1, 'g', ?, '[]', ?, 5, ?, ?)`,
  );
  const insertWords = db.prepare(
    'INSERT INTO note_text (rowid, scope, title, text, tags) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { id, text, metadata, revision = 1 } of notes) {
    const held = metadata === undefined ? null : JSON.stringify(metadata);
    const { lastInsertRowid } = insertNote.run(id, text, held, revision, countWords(text));
    insertWords.run(lastInsertRowid, '§p1 §p1g67', '', text.toLowerCase(), '');
  }
  db.exec('COMMIT');
  db.close();
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length;
}
