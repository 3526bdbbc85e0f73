import type { JsonSchema } from '../schema/json-schema.ts';
import { isObject } from '../schema/validate.ts';
import type { Method } from './method.ts';

/**
 * The parameters that a model's arguments stand for. Models write numbers as text, leave out what has an
 * obvious value, and give any JSON as a string; everything else is checked as it came.
 */
export function toolParams(
  { params, tool }: Pick<Method, 'params' | 'tool'>,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const missing = Object.entries(tool?.defaults ?? {}).filter(
    ([name]) => args[name] === undefined || args[name] === null,
  );
  return { ...members(params, args), ...Object.fromEntries(missing) };
}

function members(
  { properties = {} }: JsonSchema,
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, schema === undefined ? member : coerce(schema, member)];
    }),
  );
}

function coerce(schema: JsonSchema, value: unknown): unknown {
  if (isObject(value)) return members(schema, value);
  if (typeof value !== 'string') return value;
  if (schema.type === undefined) return fromJson(value);
  const types = [schema.type].flat();
  if (types.includes('string')) return value;
  if (types.includes('boolean') && /^(?:true|false)$/.test(value)) return value === 'true';
  const isNumeric = types.includes('integer') || types.includes('number');
  return isNumeric && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** The JSON that a text holds, or the text itself; a number that would lose digits stays text. */
function fromJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Most texts are not JSON, and are meant as they are.
    return text;
  }
  const isExact = typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact ? value : text;
}
