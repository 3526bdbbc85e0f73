import { invalidParams } from '../errors.ts';
import type { RpcError } from '../rpc-error.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isObject, type Violation, validate } from '../schema/validate.ts';

/** Parameters as a handler may rely on them: checked, and null where it means absent taken away. */
export function checkParams(
  schema: JsonSchema,
  params: unknown,
): Readonly<Record<string, unknown>> {
  const given = params ?? {};
  if (!isObject(given)) throw invalidParams('params must be an object', '');
  const { properties = {} } = schema;
  const present = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && (value !== null || acceptsNull(properties[name])),
    ),
  );
  const [first] = validate(schema, present);
  if (first !== undefined) throw toInvalidParams(first, present);
  return present;
}

function acceptsNull(schema: JsonSchema | undefined): boolean {
  return schema?.type === undefined || [schema.type].flat().includes('null');
}

/** Says the rule in the words of the contract where it has some. */
function toInvalidParams(
  { path, rule, message }: Violation,
  params: Readonly<Record<string, unknown>>,
): RpcError {
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

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((held, key) => (isObject(held) ? held[key] : undefined), value);
}
