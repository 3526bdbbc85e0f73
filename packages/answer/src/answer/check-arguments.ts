import { AnswerError } from '../answer-error.ts';
import { quoteValue } from '../config/config-error.ts';
import { nearestName } from '../config/nearest.ts';
import { type LooseObject, listOf, objectOf } from '../loose-json.ts';
import type { JsonSchema } from './tools.ts';

/** Refuses arguments that do not fit the schema, before anything is sent or spent. */
export function checkArguments(args: unknown, schema: JsonSchema): LooseObject {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw badArguments(`expected \`arguments\` to be an object, got ${quoteValue(args)}`);
  }
  const given = objectOf(args);
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(given, name)) throw badArguments(`expected \`${name}\`, got none`);
  }
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (property === undefined) {
      const near = nearestName(name, Object.keys(schema.properties));
      const guess = near === undefined ? '' : `; did you mean \`${near}\`?`;
      throw badArguments(`unknown argument \`${name}\`${guess}`);
    }
    checkValue(value, property, name);
  }
  return given;
}

function checkValue(value: unknown, schema: LooseObject, name: string): void {
  const expected = mismatch(value, schema);
  if (expected !== undefined) {
    throw badArguments(`expected \`${name}\` to be ${expected}, got ${quoteValue(value)}`);
  }
  if (schema['type'] !== 'array') return;
  for (const [index, item] of listOf(value).entries()) {
    checkValue(item, objectOf(schema['items']), `${name}[${index}]`);
  }
}

/** What was expected instead of the value, or nothing when it fits. */
function mismatch(value: unknown, schema: LooseObject): string | undefined {
  switch (schema['type']) {
    case 'string':
      return typeof value === 'string' && fitsText(value, schema)
        ? undefined
        : describeText(schema);
    case 'number': {
      const { minimum, maximum } = schema;
      const fits =
        typeof value === 'number' && value >= Number(minimum) && value <= Number(maximum);
      return fits ? undefined : `a number from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : '`true` or `false`';
    default: {
      const most = Number(schema['maxItems']);
      const fits = Array.isArray(value) && value.length <= most;
      return fits ? undefined : `a list of at most ${most} items`;
    }
  }
}

function fitsText(value: string, { maxLength, pattern }: LooseObject): boolean {
  const shape = typeof pattern === 'string' ? new RegExp(pattern) : /./;
  return value.length <= Number(maxLength) && shape.test(value);
}

function describeText({ maxLength }: LooseObject): string {
  return `a text of 1 to ${maxLength} characters that is not blank`;
}

function badArguments(message: string): AnswerError {
  return new AnswerError('arguments', message, { hint: 'see the input schema in `tools/list`' });
}
