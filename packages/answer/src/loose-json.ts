/** JSON from outside: objects of unknown shape. Upstreams differ, so nothing is taken on trust. */
export type LooseObject = Readonly<Record<string, unknown>>;

/** The value as an object, or an empty one. */
export function objectOf(value: unknown): LooseObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as LooseObject)
    : {};
}

/** The value as a list, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a text that says something, or nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The value as a count, or zero. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
