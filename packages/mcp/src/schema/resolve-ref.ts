import type { JsonSchema } from './json-schema.ts';

/** What a reference inside the same schema points to. References to anywhere else are never followed. */
export function resolveRef(root: JsonSchema, ref: string): JsonSchema | boolean | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#')) return undefined;
  if (!ref.startsWith('#/')) return findAnchor(root, ref.slice(1));
  let node: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    if (typeof node !== 'object' || node === null) return undefined;
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined;
  }
  return isSchema(node) ? node : undefined;
}

function findAnchor(root: JsonSchema, name: string): JsonSchema | boolean | undefined {
  return Object.values(root.$defs ?? {}).find(
    (schema) => typeof schema === 'object' && schema['$anchor'] === name,
  );
}

function isSchema(node: unknown): node is JsonSchema | boolean {
  return (
    typeof node === 'boolean' || (typeof node === 'object' && node !== null && !Array.isArray(node))
  );
}
