import type { JsonSchema, SchemaType } from './json-schema.ts';
import { suggestName } from './suggest-name.ts';

/** A rule that a value breaks; `path` is empty for the value itself, `tags[0]` or `patch.title` inside it. */
export interface Violation {
  readonly path: string;
  readonly message: string;
  /** The keyword of the schema that was broken. */
  readonly rule: keyof JsonSchema;
  /** A name that the object does not take, and those that it does. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] };
}

/** Unknown names of one object that are reported: looking for what each may have meant takes time. */
const MAX_UNKNOWN = 10;

/** Every rule of a schema that a value breaks. What is missing comes last: an unknown name often stands for it. */
export function validate(schema: JsonSchema, value: unknown, path = ''): Violation[] {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [
      { path, rule: 'type', message: `expected ${types.join(' or ')}, got ${typeOf(value)}` },
    ];
  }
  if (typeof value === 'string') return validateString(schema, value, path);
  if (typeof value === 'number') return validateNumber(schema, value, path);
  if (Array.isArray(value)) return validateArray(schema, value, path);
  if (isObject(value)) return validateObject(schema, value, path);
  return [];
}

function validateString(schema: JsonSchema, value: string, path: string): Violation[] {
  if (schema.minLength !== undefined && value.length < schema.minLength) {
    return [{ path, rule: 'minLength', message: 'expected a text that is not empty' }];
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    return [{ path, rule: 'pattern', message: `expected a match of \`${schema.pattern}\`` }];
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const names = schema.enum.map((name) => `\`${name}\``).join(', ');
    return [{ path, rule: 'enum', message: `expected one of ${names}, got \`${value}\`` }];
  }
  return [];
}

function validateNumber(schema: JsonSchema, value: number, path: string): Violation[] {
  if (schema.minimum !== undefined && value < schema.minimum) {
    const message = `expected at least ${schema.minimum}, got ${value}`;
    return [{ path, rule: 'minimum', message }];
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    const message = `expected at most ${schema.maximum}, got ${value}`;
    return [{ path, rule: 'maximum', message }];
  }
  return [];
}

function validateArray(schema: JsonSchema, value: readonly unknown[], path: string): Violation[] {
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    const message = `expected at most ${schema.maxItems} items, got ${value.length}`;
    return [{ path, rule: 'maxItems', message }];
  }
  const { items } = schema;
  if (items === undefined) return [];
  return value.flatMap((item, index) => validate(items, item, `${path}[${index}]`));
}

function validateObject(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Violation[] {
  const { properties = {}, required = [] } = schema;
  const missing: Violation[] = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: inside(path, name), rule: 'required', message: 'expected a value' }));
  const wrong = Object.entries(properties).flatMap(([name, property]) =>
    Object.hasOwn(value, name) ? validate(property, value[name], inside(path, name)) : [],
  );
  if (schema.additionalProperties !== false) return [...wrong, ...missing];
  const known = Object.keys(properties);
  const unknown: Violation[] = Object.keys(value)
    .filter((name) => !Object.hasOwn(properties, name))
    .slice(0, MAX_UNKNOWN)
    .map((name) => ({
      path: inside(path, name),
      rule: 'additionalProperties',
      message: `unknown key, ${suggestName(name, known)}`,
      unknown: { name, known },
    }));
  return [...wrong, ...unknown, ...missing];
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isOfType(value: unknown, type: SchemaType): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeOf(value) === type;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
