import type { Metadata, Note, StoredNote } from '../note.ts';

/** A note, or a version of one, as its table holds it. */
export interface NoteRow {
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
  readonly version: number;
}

/** The note that a row holds. */
export function noteFromRow(row: Omit<NoteRow, 'seq' | 'project' | 'tokens' | 'version'>): Note {
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

/** The note that a row of the notes holds, with its revision. */
export function storedNoteFromRow(row: Omit<NoteRow, 'seq' | 'project' | 'tokens'>): StoredNote {
  return { ...noteFromRow(row), revision: row.version };
}
