import { AnswerTooLarge, MAX_ANSWER_BYTES } from '../../answer-limit.ts';
import { comparedWords } from '../../search/overlap.ts';
import { embeddedText, searchableNote } from '../../search/searchable.ts';
import type { Note, NoteEvent, NotePatch, StoredNote } from '../note.ts';
import { RevisionConflict } from '../revision-conflict.ts';
import { foldText, textDigest } from '../same-text.ts';
import type { NoteFilter } from '../store.ts';
import { filterSql } from './filter.ts';
import { noteBytes } from './note-bytes.ts';
import { type NoteRow, noteFromRow, storedNoteFromRow } from './note-row.ts';
import { countProject, ensureProject, findProject } from './projects.ts';
import { scopeTokens, sketchTokens } from './scope.ts';
import type { Statements } from './statements.ts';
import { linkSuperseded, unlinkSuperseded } from './superseded.ts';
import { keepVersion, lastVersion, pruneVersions } from './versions.ts';

/** Where a written note lies, for the tables that hang on it. */
export interface NotePlace {
  readonly seq: number;
  readonly project: number;
}

const SELECT =
  'SELECT note.*, project.key AS project_key FROM note JOIN project ON project.id = note.project';

/** When a note was written; an imported one brings the version and the event it had. */
export interface InsertStamp {
  readonly at: number;
  readonly version?: number;
  readonly event?: NoteEvent;
}

/**
 * Inserts a note and its words; `undefined` when the id is taken. A deleted note of the id comes back in
 * its old place, so that whatever still knows the place is right about it.
 */
export function insertNote(sql: Statements, note: Note, stamp: InsertStamp): NotePlace | undefined {
  const known = sql.get('SELECT 1 FROM note WHERE id = ?', note.id);
  if (known !== undefined) return undefined;
  const project = ensureProject(sql, note.projectId);
  const searchable = searchableNote(note);
  const deleted = lastVersion(sql, note.id);
  const version = stamp.version ?? (deleted?.version ?? 0) + 1;
  const seq = sql.insert(
    `INSERT INTO note (seq, id, project, group_id, title, text, tags, source, metadata, created_at, tokens,
     digest, version, revision, event, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    deleted?.project === project ? deleted.seq : null,
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
    textDigest(note.text),
    version,
    version,
    stamp.event ?? (deleted === undefined ? 'added' : 'restored'),
    stamp.at,
  );
  if (deleted !== undefined) pruneVersions(sql, note.id, version);
  insertWords(sql, { seq, project }, note, searchable);
  countProject(sql, project, { notes: 1, tokens: searchable.length });
  linkSuperseded(sql, { seq, project }, note);
  return { seq, project };
}

/** What an update did. */
export interface NoteUpdate extends NotePlace {
  readonly note: StoredNote;
  readonly isEmbeddedTextChanged: boolean;
}

/** When a change was made, what it was, and which revision of the note it was meant for. */
export interface ChangeStamp {
  readonly at: number;
  readonly event: 'updated' | 'restored';
  readonly ifRevision?: number | undefined;
}

/**
 * Applies a patch and keeps what was before. The words are indexed anew; the revision follows the version
 * only when the embedded text changes. A patch that changes nothing does nothing.
 */
export function changeNote(
  sql: Statements,
  { id, patch }: { readonly id: string; readonly patch: NotePatch },
  { at, event, ifRevision }: ChangeStamp,
): NoteUpdate | undefined {
  const row = sql.get<NoteRow>(`${SELECT} WHERE note.id = ?`, id);
  if (row === undefined) return undefined;
  if (ifRevision !== undefined && ifRevision !== row.version) {
    throw new RevisionConflict(storedNoteFromRow(row));
  }
  const before = noteFromRow(row);
  const note: Note = { ...before, ...patch };
  const place = { seq: row.seq, project: row.project };
  if (JSON.stringify(note) === JSON.stringify(before)) {
    return { ...place, note: { ...note, revision: row.version }, isEmbeddedTextChanged: false };
  }
  const isEmbeddedTextChanged = embeddedText(before) !== embeddedText(note);
  const version = row.version + 1;
  const searchable = searchableNote(note);
  keepVersion(sql, row.seq);
  pruneVersions(sql, id, version);
  sql.run(
    `UPDATE note SET group_id = ?, title = ?, text = ?, tags = ?, source = ?, metadata = ?, tokens = ?,
     digest = ?, version = ?, revision = iif(?, version + 1, revision), event = ?, changed_at = ?
     WHERE seq = ?`,
    note.groupId,
    note.title,
    note.text,
    JSON.stringify(note.tags),
    note.source,
    note.metadata === null ? null : JSON.stringify(note.metadata),
    searchable.length,
    textDigest(note.text),
    version,
    isEmbeddedTextChanged ? 1 : 0,
    event,
    at,
    row.seq,
  );
  sql.run('DELETE FROM note_text WHERE rowid = ?', row.seq);
  insertWords(sql, place, note, searchable);
  countProject(sql, row.project, { notes: 0, tokens: searchable.length - row.tokens });
  linkSuperseded(sql, place, note);
  return { ...place, note: { ...note, revision: version }, isEmbeddedTextChanged };
}

/** Removes a note and its words; its versions stay, the last of them saying when it was deleted. */
export function removeNote(sql: Statements, id: string, at: number): NotePlace | undefined {
  const row = sql.get<NotePlace & { readonly version: number }>(
    'SELECT seq, project, version FROM note WHERE id = ?',
    id,
  );
  if (row === undefined) return undefined;
  keepVersion(sql, row.seq);
  sql.run(
    `UPDATE note SET version = version + 1, event = 'deleted', changed_at = ? WHERE seq = ?`,
    at,
    row.seq,
  );
  keepVersion(sql, row.seq);
  pruneVersions(sql, id, row.version + 1);
  return dropNote(sql, id);
}

/** Takes a note and its words out of the tables without a trace in its versions. */
export function dropNote(sql: Statements, id: string): NotePlace | undefined {
  const row = sql.get<NotePlace & { readonly tokens: number }>(
    'SELECT seq, project, tokens FROM note WHERE id = ?',
    id,
  );
  if (row === undefined) return undefined;
  const place = { seq: row.seq, project: row.project };
  sql.run('DELETE FROM note_text WHERE rowid = ?', row.seq);
  sql.run('DELETE FROM note WHERE seq = ?', row.seq);
  countProject(sql, row.project, { notes: -1, tokens: -row.tokens });
  unlinkSuperseded(sql, place);
  return place;
}

/** The oldest note in the same group whose text says the same and that the test takes for the same note. */
export function findDuplicate(
  sql: Statements,
  note: Note,
  isDuplicate: (held: Note) => boolean,
): Note | undefined {
  const seqs = sql.column<number>(
    `SELECT note.seq FROM note JOIN project ON project.id = note.project WHERE note.digest = ?
     AND project.key = ? AND note.group_id = ? AND note.hidden = 0 ORDER BY note.seq`,
    textDigest(note.text),
    note.projectId,
    note.groupId,
  );
  const folded = foldText(note.text);
  // One at a time: a long text may be there a thousand times, with other times or metadata.
  for (const seq of seqs) {
    const held = noteAt(sql, seq, note.projectId)?.note;
    if (held !== undefined && foldText(held.text) === folded && isDuplicate(held)) return held;
  }
  return undefined;
}

/** A note by its id. */
export function findNote(sql: Statements, id: string): StoredNote | undefined {
  const row = sql.get<NoteRow>(`${SELECT} WHERE note.id = ?`, id);
  return row === undefined ? undefined : storedNoteFromRow(row);
}

/** A note by its place, which a search of a project found. */
export function noteAt(
  sql: Statements,
  seq: number,
  projectId: string,
): { readonly note: StoredNote; readonly tokens: number; readonly chars: number } | undefined {
  const row = sql.list<NoteColumns>(
    `SELECT id, group_id, title, text, tags, source, metadata, created_at, tokens, version FROM note WHERE seq = ?`,
    seq,
  );
  if (row === undefined) return undefined;
  const [id, group_id, title, text, tags, source, metadata, created_at, tokens, version] = row;
  const fields = { id, project_key: projectId, group_id, title, text, tags };
  const texts = [text, tags, title, source, metadata];
  const chars = texts.reduce((sum, each) => sum + (each?.length ?? 0), 0);
  const note = storedNoteFromRow({ ...fields, source, metadata, created_at, version });
  return { note, tokens, chars };
}

type NoteColumns = readonly [
  id: string,
  groupId: string,
  title: string | null,
  text: string,
  tags: string,
  source: string | null,
  metadata: string | null,
  createdAt: number,
  tokens: number,
  version: number,
];

/** Notes of a filter, newest first. Throws `AnswerTooLarge` before it loads too many; one alone never is. */
export function recentNotes(sql: Statements, filter: NoteFilter, limit: number): StoredNote[] {
  const project = findProject(sql, filter.projectId);
  if (project === undefined) return [];
  const { where, values } = filterSql(project.id, filter);
  const chosen = `WHERE ${where} ORDER BY note.created_at DESC, note.seq DESC LIMIT ?`;
  if (limit > 1) {
    const sum = `SELECT sum(bytes) FROM (SELECT ${noteBytes('note')} AS bytes FROM note ${chosen})`;
    const [bytes = 0] = sql.column<number | null>(sum, ...values, limit);
    if (bytes !== null && bytes > MAX_ANSWER_BYTES) throw new AnswerTooLarge(bytes);
  }
  return sql.all<NoteRow>(`${SELECT} ${chosen}`, ...values, limit).map(storedNoteFromRow);
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

function insertWords(
  sql: Statements,
  { seq, project }: NotePlace,
  note: Note,
  words: ReturnType<typeof searchableNote>,
): void {
  sql.run(
    'INSERT INTO note_text (rowid, scope, title, text, tags) VALUES (?, ?, ?, ?, ?)',
    seq,
    [scopeTokens(project, note), ...sketchTokens(project, comparedWords(words))].join(' '),
    words.title.join(' '),
    words.text.join(' '),
    words.tags.join(' '),
  );
}
