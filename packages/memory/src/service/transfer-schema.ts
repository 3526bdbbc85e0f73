import { filledText, groupName, object, tags, text, textOrNull } from '../methods/fields.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

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
  readonly projectId: string;
  readonly key: string;
  readonly value: unknown;
  readonly updatedAt?: string;
}

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const id: JsonSchema = { type: 'string', pattern: UUID };

/** What each kind of record must look like. */
export const RECORD_SCHEMAS: Readonly<Record<'note' | 'group' | 'value', JsonSchema>> = {
  note: object(
    {
      ...{ id, projectId: filledText, groupId: groupName, title: textOrNull, text: filledText },
      ...{ tags, source: textOrNull, createdAt: text, metadata: { type: ['object', 'null'] } },
    },
    { optional: ['id', 'title', 'tags', 'source', 'createdAt', 'metadata'] },
  ),
  group: object(
    {
      ...{ id, projectId: filledText, groupKey: groupName, title: text, description: text },
      ...{ createdAt: text, updatedAt: text },
    },
    { optional: ['id', 'description', 'createdAt', 'updatedAt'] },
  ),
  value: object(
    { projectId: filledText, key: filledText, value: {}, updatedAt: text },
    { optional: ['updatedAt'] },
  ),
};
