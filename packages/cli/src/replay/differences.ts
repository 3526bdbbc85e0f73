import { isDeepStrictEqual } from 'node:util';
import { redactValue } from 'tincan-wire';

/** A place where two answers differ. */
export interface Difference {
  /** Members on the way, such as `result.content[0].text`. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The smallest places where two answers differ, but for secrets and what is ignored. */
export function differencesIn(
  expected: unknown,
  actual: unknown,
  ignored: readonly string[] = [],
): Difference[] {
  return compare(redactValue(expected), redactValue(actual), '', ignored);
}

function compare(
  expected: unknown,
  actual: unknown,
  path: string,
  ignored: readonly string[],
): Difference[] {
  if (ignored.includes(path) || isDeepStrictEqual(expected, actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) =>
      compare(expected[index], actual[index], `${path}[${index}]`, ignored),
    ).flat();
  }
  if (isObject(expected) && isObject(actual)) {
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) =>
      compare(expected[key], actual[key], path === '' ? key : `${path}.${key}`, ignored),
    );
  }
  return [{ path, expected, actual }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
