import { filledText, groupName, object, tags, text, textOrNull } from '../methods/fields.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { NoteEvent } from '../store/note.ts';

/** A note of an export; one written by hand may leave out what can be filled in. */
export interface NoteRecord {
  readonly id?: string;
  readonly projectId: string;
  readonly groupId: string;
  readonly title?: string | null;
  readonly text: string;
  readonly tags?: readonly string[];
  readonly source?: string | null;
  readonly createdAt?: string;
  readonly metadata?: object | null;
  /** Every version that is kept, newest first. The newest is the note: it stands for the fields beside it. */
  readonly versions?: readonly VersionRecord[];
}

/** A version of a note in an export with history. */
export interface VersionRecord extends Omit<NoteRecord, 'id' | 'versions'> {
  readonly version: number;
  readonly event: NoteEvent;
  readonly at: string;
}

/** A deleted note of an export with history: its versions, the newest of them its deletion. */
export interface DeletedRecord {
  readonly id: string;
  readonly projectId: string;
  readonly versions: readonly VersionRecord[];
}

/** A tombstone of an export with history. */
export interface ErasedRecord {
  readonly id: string;
  readonly at: string;
}

/** A group of an export. */
export interface GroupRecord {
  readonly id?: string;
  readonly projectId: string;
  readonly groupKey: string;
  readonly title: string;
  readonly description?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** A value of an export. */
export interface ValueRecord {
  readonly id?: string;
  readonly projectId: string;
  readonly key: string;
  readonly value: unknown;
  readonly updatedAt?: string;
  readonly revision?: number;
}

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const id: JsonSchema = { type: 'string', pattern: UUID };

/** A count that leaves room to count on. */
const count: JsonSchema = { type: 'integer', minimum: 1, maximum: 2_000_000_000 };

const noteFields: Readonly<Record<string, JsonSchema>> = {
  ...{ projectId: filledText, groupId: groupName, title: textOrNull, text: filledText },
  ...{ tags, source: textOrNull, createdAt: text, metadata: { type: ['object', 'null'] } },
};
const optionalFields = ['title', 'tags', 'source', 'metadata'];
const event: JsonSchema = { type: 'string', enum: ['added', 'updated', 'deleted', 'restored'] };
const versions: JsonSchema = {
  type: 'array',
  items: object({ ...noteFields, version: count, event, at: text }, { optional: optionalFields }),
};

/** The kinds of records. */
export type RecordKind = 'note' | 'group' | 'value' | 'deleted' | 'erased';

/** What each kind of record must look like. */
export const RECORD_SCHEMAS: Readonly<Record<RecordKind, JsonSchema>> = {
  note: object(
    { id, ...noteFields, versions },
    { optional: ['id', 'createdAt', 'versions', ...optionalFields] },
  ),
  deleted: object({ id, projectId: filledText, versions }),
  erased: object({ id, at: text }),
  group: object(
    {
      ...{ id, projectId: filledText, groupKey: groupName, title: text, description: text },
      ...{ createdAt: text, updatedAt: text },
    },
    { optional: ['id', 'description', 'createdAt', 'updatedAt'] },
  ),
  value: object(
    { id, projectId: filledText, key: filledText, value: {}, updatedAt: text, revision: count },
    { optional: ['id', 'updatedAt', 'revision'] },
  ),
};
