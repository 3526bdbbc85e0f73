/** A JSON object as it came from the caller. */
export type Metadata = Readonly<Record<string, unknown>>;

/** What an agent wanted remembered. Times are milliseconds since 1970, UTC. */
export interface Note {
  readonly id: string;
  readonly projectId: string;
  readonly groupId: string;
  readonly title: string | null;
  readonly text: string;
  readonly tags: readonly string[];
  readonly source: string | null;
  readonly createdAt: number;
  readonly metadata: Metadata | null;
}

/** A note as the store holds it. */
export interface StoredNote extends Note {
  /** The number of its newest version: it grows with every change. */
  readonly revision: number;
}

/** The fields of a note that can change; absent means unchanged. */
export type NotePatch = Partial<Omit<Note, 'id' | 'projectId' | 'createdAt'>>;

/** The part of a note that a patch can set. */
export function changeableFields({
  groupId,
  title,
  text,
  tags,
  source,
  metadata,
}: Note): Required<NotePatch> {
  return { groupId, title, text, tags, source, metadata };
}

/** What made a version of a note. */
export type NoteEvent = 'added' | 'updated' | 'deleted' | 'restored';

/** A note as it was from one change to the next; a deletion carries what was deleted. */
export interface NoteVersion {
  /** Counts from 1 and never twice. */
  readonly version: number;
  readonly event: NoteEvent;
  readonly at: number;
  readonly note: Note;
}

/** Versions kept of each note, the newest of them; older ones are dropped as new ones come. */
export const VERSIONS_KEPT = 50;

/** What an erased note or value leaves behind. */
export interface Tombstone {
  readonly id: string;
  readonly at: number;
}

/** A named place for notes inside a project. */
export interface Group {
  readonly id: string;
  readonly projectId: string;
  readonly groupKey: string;
  readonly title: string;
  readonly description: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The fields of a group that can change. */
export type GroupPatch = Partial<Pick<Group, 'title' | 'description'>>;

/** A project-wide value under a key that begins with `global.`. */
export interface GlobalValue {
  readonly id: string;
  readonly projectId: string;
  readonly key: string;
  readonly value: unknown;
  readonly updatedAt: number;
}

/** A value as the store holds it. */
export interface StoredValue extends GlobalValue {
  /** Counts from 1 and grows with every write under its key. */
  readonly revision: number;
}
