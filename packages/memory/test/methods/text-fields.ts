import type { JsonSchema } from '../../src/schema/json-schema.ts';

/** A place in parameters that takes a text, or any JSON. */
export interface TextField {
  /** As errors name it: `patch.tags[0]`. */
  readonly path: string;
  readonly isAnyJson: boolean;
}

/** Every place of a schema where a caller may put a text. */
export function textFields(schema: JsonSchema, path = ''): TextField[] {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const { properties, items } = schema;
  if (types.includes('array')) return items === undefined ? [] : textFields(items, `${path}[0]`);
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, property]) =>
      textFields(property, path === '' ? name : `${path}.${name}`),
    );
  }
  if (types.length === 0 || types.includes('object')) return [{ path, isAnyJson: true }];
  return types.includes('string') ? [{ path, isAnyJson: false }] : [];
}

/** A copy of parameters with a value put at a path. */
export function withField(params: object, path: string, value: unknown): object {
  const copy = structuredClone(params) as Record<string, unknown>;
  const steps = path.replaceAll('[0]', '.0').split('.');
  let place: Record<string, unknown> = copy;
  for (const [i, step] of steps.slice(0, -1).entries()) {
    place[step] ??= steps[i + 1] === '0' ? [] : {};
    place = place[step] as Record<string, unknown>;
  }
  place[steps.at(-1) ?? ''] = value;
  return copy;
}
