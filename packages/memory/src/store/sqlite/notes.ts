import { embeddedText, searchableNote } from '../../search/searchable.ts';
import type { Metadata, Note, NotePatch } from '../note.ts';
import type { NoteFilter } from '../store.ts';
import { countProject, ensureProject, findProject } from './projects.ts';
import { scopeQuery, scopeTokens } from './scope.ts';
import type { Statements } from './statements.ts';

/** Where a written note lies, for the tables that hang on it. */
export interface NotePlace {
  readonly seq: number;
  readonly project: number;
}

interface NoteRow {
  readonly seq: number;
  readonly id: string;
  readonly project: number;
  readonly project_key: string;
  readonly group_id: string;
  readonly title: string | null;
  readonly text: string;
  readonly tags: string;
  readonly source: string | null;
  readonly metadata: string | null;
  readonly created_at: number;
  readonly tokens: number;
}

const SELECT =
  'SELECT note.*, project.key AS project_key FROM note JOIN project ON project.id = note.project';

/** Inserts a note and its words; `undefined` when the id is taken. */
export function insertNote(sql: Statements, note: Note): NotePlace | undefined {
  const known = sql.get('SELECT 1 FROM note WHERE id = ?', note.id);
  if (known !== undefined) return undefined;
  const project = ensureProject(sql, note.projectId);
  const searchable = searchableNote(note);
  const seq = sql.insert(
    `INSERT INTO note (id, project, group_id, title, text, tags, source, metadata, created_at, tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    note.id,
    project,
    note.groupId,
    note.title,
    note.text,
    JSON.stringify(note.tags),
    note.source,
    note.metadata === null ? null : JSON.stringify(note.metadata),
    note.createdAt,
    searchable.length,
  );
  insertWords(sql, { seq, project }, note, searchable);
  countProject(sql, project, { notes: 1, tokens: searchable.length });
  return { seq, project };
}

/** What an update did. */
export interface NoteUpdate extends NotePlace {
  readonly note: Note;
  readonly isEmbeddedTextChanged: boolean;
}

/** Applies a patch; the words are indexed anew, the revision rises only with the embedded text. */
export function changeNote(sql: Statements, id: string, patch: NotePatch): NoteUpdate | undefined {
  const row = sql.get<NoteRow>(`${SELECT} WHERE note.id = ?`, id);
  if (row === undefined) return undefined;
  const before = noteFromRow(row);
  const note: Note = { ...before, ...patch };
  const isEmbeddedTextChanged = embeddedText(before) !== embeddedText(note);
  const place = { seq: row.seq, project: row.project };
  const searchable = searchableNote(note);
  sql.run(
    `UPDATE note SET group_id = ?, title = ?, text = ?, tags = ?, source = ?, metadata = ?, tokens = ?,
     revision = revision + ? WHERE seq = ?`,
    note.groupId,
    note.title,
    note.text,
    JSON.stringify(note.tags),
    note.source,
    note.metadata === null ? null : JSON.stringify(note.metadata),
    searchable.length,
    isEmbeddedTextChanged ? 1 : 0,
    row.seq,
  );
  sql.run('DELETE FROM note_text WHERE rowid = ?', row.seq);
  insertWords(sql, place, note, searchable);
  countProject(sql, row.project, { notes: 0, tokens: searchable.length - row.tokens });
  return { ...place, note, isEmbeddedTextChanged };
}

/** Removes a note and its words. */
export function removeNote(sql: Statements, id: string): NotePlace | undefined {
  const row = sql.get<{ seq: number; project: number; tokens: number }>(
    'SELECT seq, project, tokens FROM note WHERE id = ?',
    id,
  );
  if (row === undefined) return undefined;
  sql.run('DELETE FROM note_text WHERE rowid = ?', row.seq);
  sql.run('DELETE FROM note WHERE seq = ?', row.seq);
  countProject(sql, row.project, { notes: -1, tokens: -row.tokens });
  return { seq: row.seq, project: row.project };
}

/** A note by its id. */
export function findNote(sql: Statements, id: string): Note | undefined {
  const row = sql.get<NoteRow>(`${SELECT} WHERE note.id = ?`, id);
  return row === undefined ? undefined : noteFromRow(row);
}

/** A note by its place, which a search of a project found. */
export function noteAt(sql: Statements, seq: number, projectId: string): Note | undefined {
  const row = sql.get<Omit<NoteRow, 'project_key'>>('SELECT * FROM note WHERE seq = ?', seq);
  return row === undefined ? undefined : noteFromRow({ ...row, project_key: projectId });
}

/** Notes of a filter, newest first. */
export function recentNotes(sql: Statements, filter: NoteFilter, limit: number): Note[] {
  const project = findProject(sql, filter.projectId);
  if (project === undefined) return [];
  const { where, values } = filterSql(project.id, filter);
  return sql
    .all<NoteRow>(
      `${SELECT} WHERE ${where} ORDER BY note.created_at DESC, note.seq DESC LIMIT ?`,
      ...values,
      limit,
    )
    .map(noteFromRow);
}

/** A page of notes in the order they were written. */
export function notesAfter(
  sql: Statements,
  { seq, limit, projectId }: { seq: number; limit: number; projectId: string | undefined },
): { readonly notes: Note[]; readonly last: number } {
  const rows = sql.all<NoteRow>(
    `${SELECT} WHERE note.seq > ? AND (? IS NULL OR project.key = ?) ORDER BY note.seq LIMIT ?`,
    seq,
    projectId ?? null,
    projectId ?? null,
    limit,
  );
  return { notes: rows.map(noteFromRow), last: rows.at(-1)?.seq ?? seq };
}

/** A filter as a condition on `note`. */
export function filterSql(
  project: number,
  filter: NoteFilter,
): { readonly where: string; readonly values: readonly unknown[] } {
  const conditions = ['note.project = ?'];
  const values: unknown[] = [project];
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

function insertWords(
  sql: Statements,
  { seq, project }: NotePlace,
  note: Note,
  words: ReturnType<typeof searchableNote>,
): void {
  sql.run(
    'INSERT INTO note_text (rowid, scope, title, text, tags) VALUES (?, ?, ?, ?, ?)',
    seq,
    scopeTokens(project, note),
    words.title.join(' '),
    words.text.join(' '),
    words.tags.join(' '),
  );
}

function noteFromRow(row: NoteRow): Note {
  return {
    id: row.id,
    projectId: row.project_key,
    groupId: row.group_id,
    title: row.title,
    text: row.text,
    tags: row.tags === '[]' ? [] : (JSON.parse(row.tags) as string[]),
    source: row.source,
    createdAt: row.created_at,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Metadata),
  };
}
