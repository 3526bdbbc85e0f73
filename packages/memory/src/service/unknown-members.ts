import { isDeepStrictEqual } from 'node:util';
import { invalidParams } from '../errors.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isObject } from '../schema/validate.ts';

/** Members that exports and answers carry, and an import has no use for. */
const UNUSED = ['kind', 'id', 'revision', 'namespace'];

/** Names of the members of a record that its schema does not have. */
export function unknownMembers(record: object, { properties = {} }: JsonSchema): string[] {
  return Object.keys(record).filter(
    (name) => !Object.hasOwn(properties, name) && !UNUSED.includes(name),
  );
}

/** A note's record with its unknown members moved into its metadata, so that nothing is lost. */
export function moveToMetadata(record: object, names: readonly string[]): object {
  const { metadata: held = null, ...members } = record as Readonly<Record<string, unknown>>;
  const isFree = held === null || isObject(held);
  if (names.length === 0 || !isFree) return record;
  const taken = names.find(
    (name) =>
      held !== null && Object.hasOwn(held, name) && !isDeepStrictEqual(held[name], members[name]),
  );
  if (taken !== undefined) {
    const path = `metadata.${taken}`;
    throw invalidParams(`unknown member \`${taken}\`, and ${path} has another value`, path);
  }
  const entries = Object.entries(members);
  const moved = entries.filter(([name]) => names.includes(name));
  const kept = entries.filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(kept), metadata: { ...held, ...Object.fromEntries(moved) } };
}
