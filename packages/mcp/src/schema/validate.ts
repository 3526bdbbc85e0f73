import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './json-schema.ts';
import { resolveRef } from './resolve-ref.ts';
import { arrayProblems, numberProblems, objectProblems, stringProblems } from './type-problems.ts';

/** One way in which a value does not fit its schema. */
export interface SchemaProblem {
  /** Where: `` for the value itself, `tags[0]` or `patch.title` inside it. */
  readonly path: string;
  /** What was expected, and what came. */
  readonly message: string;
}

/** Where a check stands: the whole schema for references, and how deep it went. */
export interface SchemaScope {
  readonly root: JsonSchema;
  readonly depth: number;
}

/** Deeper schemas, or references that never end, are refused. */
const MAX_DEPTH = 64;

/** Checks a value against a schema. Returns what does not fit; empty when all is well. */
export function validate(schema: JsonSchema, value: unknown): SchemaProblem[] {
  return problemsOf(schema, value, '', { root: schema, depth: 0 });
}

/** Problems of one value at one place. */
export function problemsOf(
  schema: JsonSchema | boolean,
  value: unknown,
  path: string,
  scope: SchemaScope,
): SchemaProblem[] {
  if (schema === true) return [];
  if (schema === false) return [{ path, message: 'nothing is allowed here' }];
  if (scope.depth > MAX_DEPTH) return [{ path, message: 'the schema is nested too deeply' }];
  const inner = { root: scope.root, depth: scope.depth + 1 };
  const { type } = schema;
  if (type !== undefined && !hasType(value, type)) {
    const wanted = typeof type === 'string' ? type : type.join(' or ');
    return [{ path, message: `expected ${wanted}, got ${typeName(value)}` }];
  }
  const problems: SchemaProblem[] = [];
  if (schema.const !== undefined && !isDeepStrictEqual(value, schema.const)) {
    problems.push({ path, message: `expected ${JSON.stringify(schema.const)}` });
  }
  if (schema.enum !== undefined && !schema.enum.some((item) => isDeepStrictEqual(item, value))) {
    const allowed = schema.enum.map((item) => JSON.stringify(item)).join(', ');
    problems.push({ path, message: `expected one of ${allowed}, got ${JSON.stringify(value)}` });
  }
  if (typeof value === 'string') problems.push(...stringProblems(schema, value, path));
  else if (typeof value === 'number') problems.push(...numberProblems(schema, value, path));
  else if (Array.isArray(value)) problems.push(...arrayProblems(schema, value, path, inner));
  else if (typeof value === 'object' && value !== null) {
    problems.push(...objectProblems(schema, value as Record<string, unknown>, path, inner));
  }
  problems.push(...combinationProblems(schema, value, path, inner));
  return problems;
}

function combinationProblems(
  schema: JsonSchema,
  value: unknown,
  path: string,
  scope: SchemaScope,
): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const check = (part: JsonSchema | boolean): SchemaProblem[] =>
    problemsOf(part, value, path, scope);
  const fits = (part: JsonSchema | boolean): boolean => check(part).length === 0;
  if (schema.$ref !== undefined) {
    const target = resolveRef(scope.root, schema.$ref);
    if (target === undefined) problems.push({ path, message: `cannot resolve \`${schema.$ref}\`` });
    else problems.push(...check(target));
  }
  for (const part of schema.allOf ?? []) problems.push(...check(part));
  if (schema.anyOf !== undefined && !schema.anyOf.some(fits)) {
    problems.push(
      closest(schema.anyOf.map(check)) ?? { path, message: 'fits none of the choices' },
    );
  }
  if (schema.oneOf !== undefined) {
    const count = schema.oneOf.filter(fits).length;
    if (count === 0) {
      problems.push(
        closest(schema.oneOf.map(check)) ?? { path, message: 'fits none of the choices' },
      );
    } else if (count > 1) problems.push({ path, message: `fits ${count} choices, expected one` });
  }
  if (schema.not !== undefined && fits(schema.not)) {
    problems.push({ path, message: 'fits what it must not' });
  }
  if (schema.if !== undefined) {
    const branch = fits(schema.if) ? schema.then : schema.else;
    if (branch !== undefined) problems.push(...check(branch));
  }
  return problems;
}

/** The first problem of the choice that came nearest. */
function closest(attempts: readonly SchemaProblem[][]): SchemaProblem | undefined {
  return attempts.toSorted((a, b) => a.length - b.length)[0]?.[0];
}

function hasType(value: unknown, type: string | readonly string[]): boolean {
  if (typeof type !== 'string') return type.some((one) => hasType(value, one));
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeName(value) === type;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
