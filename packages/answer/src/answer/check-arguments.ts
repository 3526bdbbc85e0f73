import { describeProblems, validate } from 'tincan-mcp';
import { AnswerError } from '../answer-error.ts';
import { type LooseObject, objectOf } from '../loose-json.ts';
import type { InputSchema } from './tools.ts';

/**
 * Refuses arguments that do not fit the schema, before anything is sent or spent. Arguments that the tool does not have
 * are ignored, as in the reference.
 */
export function checkArguments(args: unknown, schema: InputSchema): LooseObject {
  const problems = validate(schema, args);
  if (problems.length > 0) throw badArguments(describeProblems(problems));
  const known = schema.properties ?? {};
  const given = Object.entries(objectOf(args)).filter(([name]) => Object.hasOwn(known, name));
  return Object.fromEntries(given);
}

/** The error of arguments that do not fit. */
export function badArguments(problem: string): AnswerError {
  return new AnswerError('arguments', `invalid arguments: ${problem}`, {
    hint: 'see the input schema in `tools/list`',
  });
}
