import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './json-schema.ts';
import { problemsOf, type SchemaProblem, type SchemaScope } from './validate.ts';

/** Problems of a string: its length in characters and its pattern. */
export function stringProblems(schema: JsonSchema, value: string, path: string): SchemaProblem[] {
  const { minLength, maxLength, pattern } = schema;
  const problems: SchemaProblem[] = [];
  if (minLength !== undefined || maxLength !== undefined) {
    // Characters as a person counts them, not as UTF-16 does.
    const length = [...value].length;
    if (minLength === 1 && length === 0) problems.push({ path, message: 'must not be empty' });
    else problems.push(...rangeProblems(length, minLength, maxLength, path, 'characters'));
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    problems.push({ path, message: `must match \`${pattern}\`` });
  }
  return problems;
}

/** Problems of a number. */
export function numberProblems(schema: JsonSchema, value: number, path: string): SchemaProblem[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const problems: SchemaProblem[] = [];
  const expect = (isMet: boolean, what: string): void => {
    if (!isMet) problems.push({ path, message: `expected ${what}, got ${value}` });
  };
  if (minimum !== undefined) expect(value >= minimum, `at least ${minimum}`);
  if (maximum !== undefined) expect(value <= maximum, `at most ${maximum}`);
  if (exclusiveMinimum !== undefined)
    expect(value > exclusiveMinimum, `more than ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined)
    expect(value < exclusiveMaximum, `less than ${exclusiveMaximum}`);
  if (multipleOf !== undefined) {
    const ratio = value / multipleOf;
    const isMultiple = Math.abs(ratio - Math.round(ratio)) < 1e-9;
    expect(isMultiple, `a multiple of ${multipleOf}`);
  }
  return problems;
}

/** Problems of an array and its elements. */
export function arrayProblems(
  schema: JsonSchema,
  value: readonly unknown[],
  path: string,
  scope: SchemaScope,
): SchemaProblem[] {
  const { prefixItems = [], items, contains } = schema;
  const problems = rangeProblems(value.length, schema.minItems, schema.maxItems, path, 'elements');
  value.forEach((element, index) => {
    const rule = prefixItems[index] ?? items;
    if (rule !== undefined) problems.push(...problemsOf(rule, element, `${path}[${index}]`, scope));
  });
  if (
    contains !== undefined &&
    !value.some((item) => problemsOf(contains, item, path, scope).length === 0)
  ) {
    problems.push({ path, message: 'has no element of the expected kind' });
  }
  if (schema.uniqueItems === true && hasTwins(value)) {
    problems.push({ path, message: 'has the same element twice' });
  }
  return problems;
}

/** Problems of an object and its members. */
export function objectProblems(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  scope: SchemaScope,
): SchemaProblem[] {
  const { properties = {}, patternProperties = {}, additionalProperties, propertyNames } = schema;
  const keys = Object.keys(value);
  const problems = rangeProblems(
    keys.length,
    schema.minProperties,
    schema.maxProperties,
    path,
    'members',
  );
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key))
      problems.push({ path: join(path, key), message: 'is required' });
  }
  for (const key of keys) {
    const at = join(path, key);
    const named = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const matching = Object.entries(patternProperties).filter(([pattern]) =>
      new RegExp(pattern, 'u').test(key),
    );
    if (named !== undefined) problems.push(...problemsOf(named, value[key], at, scope));
    for (const [, rule] of matching) problems.push(...problemsOf(rule, value[key], at, scope));
    if (named === undefined && matching.length === 0 && additionalProperties !== undefined) {
      if (additionalProperties === false)
        problems.push({ path: at, message: unknownMember(key, properties) });
      else problems.push(...problemsOf(additionalProperties, value[key], at, scope));
    }
    if (propertyNames !== undefined) problems.push(...problemsOf(propertyNames, key, at, scope));
  }
  for (const [key, needed] of Object.entries(schema.dependentRequired ?? {})) {
    if (!Object.hasOwn(value, key)) continue;
    for (const other of needed) {
      if (!Object.hasOwn(value, other)) {
        problems.push({ path: join(path, other), message: `is required with \`${key}\`` });
      }
    }
  }
  return problems;
}

function unknownMember(key: string, properties: object): string {
  const known = Object.keys(properties);
  const near = known.find((name) => name.toLowerCase() === key.toLowerCase());
  if (near !== undefined) return `is unknown; did you mean \`${near}\`?`;
  return known.length === 0 ? 'is unknown' : `is unknown; known are ${known.join(', ')}`;
}

function rangeProblems(
  count: number,
  min: number | undefined,
  max: number | undefined,
  path: string,
  unit: string,
): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  if (min !== undefined && count < min) {
    problems.push({ path, message: `expected at least ${min} ${unit}, got ${count}` });
  }
  if (max !== undefined && count > max) {
    problems.push({ path, message: `expected at most ${max} ${unit}, got ${count}` });
  }
  return problems;
}

function hasTwins(value: readonly unknown[]): boolean {
  return value.some((item, index) =>
    value.slice(index + 1).some((other) => isDeepStrictEqual(item, other)),
  );
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
