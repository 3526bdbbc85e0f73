import type { JsonSchema } from '../schema/json-schema.ts';

/** Schemas of the fields that many methods share. Their descriptions are short: models pay for every word. */
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
export const tags: JsonSchema = {
  type: 'array',
  items: text,
  maxItems: 100,
  description: 'e.g. db',
};
export const ok: JsonSchema = { type: 'boolean' };
export const projectId: JsonSchema = {
  ...filledText,
  description: 'folder, e.g. /src/app',
};
export const time: JsonSchema = {
  ...text,
  description: 'ISO 8601, e.g. 2026-01-31T09:00:00Z',
};
export const metadata: JsonSchema = {
  type: 'object',
  description: 'e.g. {"ticket":"APP-7"}; supersedes: id of the note it replaces',
};

/** An object of some properties, all but the optional ones required. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [] }: { readonly optional?: readonly string[] } = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/** An object of a caller: an unknown name in it is a mistake, not something to ignore. */
export function parameters(
  properties: Readonly<Record<string, JsonSchema>>,
  options: { readonly optional?: readonly string[] } = {},
): JsonSchema {
  return { ...object(properties, options), additionalProperties: false };
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
