import { invalidParams } from '../errors.ts';
import type { RpcError } from '../rpc-error.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { suggestName } from '../schema/suggest-name.ts';
import { isObject, type Violation, validate } from '../schema/validate.ts';

/** Longest unknown name that an error repeats. */
const MAX_NAME = 100;

/**
 * Parameters as a handler may rely on them: checked, without those that are null where null means absent,
 * and without `_meta`, which the protocol allows in every request.
 */
export function checkParams(
  schema: JsonSchema,
  params: unknown,
): Readonly<Record<string, unknown>> {
  const given = params ?? {};
  if (!isObject(given)) throw invalidParams('params must be an object', '');
  const { properties = {} } = schema;
  const present = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        name !== '_meta' &&
        value !== undefined &&
        (value !== null || !Object.hasOwn(properties, name) || acceptsNull(properties[name])),
    ),
  );
  const [first] = validate(schema, present);
  if (first !== undefined) throw toInvalidParams(first, present, schema);
  return present;
}

function acceptsNull(schema: JsonSchema | undefined): boolean {
  return schema?.type === undefined || [schema.type].flat().includes('null');
}

/** Says the rule in the words of the contract where it has some. */
function toInvalidParams(
  { path, rule, message, unknown }: Violation,
  params: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): RpcError {
  if (unknown !== undefined) return unknownParameter(path, unknown, schema);
  const name = path.slice(path.lastIndexOf('.') + 1);
  const isEmptied = rule === 'type' && valueAt(params, path) === null;
  if (rule === 'required' || rule === 'minLength' || isEmptied) {
    return invalidParams(`${name} is required`, path);
  }
  if (rule === 'pattern') {
    const reserved = name === 'groupKey' ? ` or is reserved: ${message}` : '';
    return invalidParams(`${name} contains invalid characters${reserved}`, path);
  }
  return invalidParams(`${path}: ${message}`, path);
}

/** A name that belongs into an inner object, as `text` into `patch`, is the likeliest mistake. */
function unknownParameter(
  path: string,
  { name, known }: NonNullable<Violation['unknown']>,
  { properties = {} }: JsonSchema,
): RpcError {
  const outer = Object.keys(properties).find((each) =>
    Object.hasOwn(properties[each]?.properties ?? {}, path),
  );
  const fix =
    outer === undefined
      ? suggestName(name, known)
      : `put it inside \`${outer}\`: {"${outer}": {"${path}": …}}`;
  const shown = path.length > MAX_NAME ? `${path.slice(0, MAX_NAME)}…` : path;
  return invalidParams(`unknown parameter \`${shown}\`, ${fix}`, shown);
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((held, key) => (isObject(held) ? held[key] : undefined), value);
}
