import type { JsonSchema } from '../schema/json-schema.ts';

/** Schemas of the fields that many methods share; terse, because a client pays for every word. */
export const text: JsonSchema = { type: 'string' };
export const filledText: JsonSchema = { type: 'string', minLength: 1 };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
export const integer: JsonSchema = { type: 'integer' };
export const anyObject: JsonSchema = { type: 'object' };
export const groupName: JsonSchema = {
  type: 'string',
  minLength: 1,
  pattern: '^[A-Za-z0-9_-]+$',
};
export const tags: JsonSchema = { type: 'array', items: text, maxItems: 100 };
export const ok: JsonSchema = { type: 'boolean' };

/** An object of some properties, all but the optional ones required. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [] }: { readonly optional?: readonly string[] } = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/** A list of one kind of thing. */
export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** A note as answers carry it. */
export const noteProperties: Readonly<Record<string, JsonSchema>> = {
  id: text,
  projectId: text,
  groupId: text,
  title: textOrNull,
  text,
  tags: listOf(text),
  source: textOrNull,
  createdAt: text,
  metadata: { type: ['object', 'null'] },
};

/** A group as answers carry it. */
export const groupProperties: Readonly<Record<string, JsonSchema>> = {
  id: text,
  projectId: text,
  groupKey: text,
  title: text,
  description: text,
  createdAt: text,
  updatedAt: text,
};
