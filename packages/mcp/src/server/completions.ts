import { ErrorCode } from 'tincan-wire';
import type { Completer, ServerDefinition } from './definition.ts';
import { ProtocolError } from './tool-error.ts';

/** Most values one answer may hold. */
const MAX_VALUES = 100;

/** Whether any argument of the server can be completed. */
export function hasCompletions({
  prompts = [],
  resourceTemplates = [],
}: ServerDefinition): boolean {
  return (
    resourceTemplates.some((template) => template.complete !== undefined) ||
    prompts.some((prompt) => prompt.arguments?.some(({ complete }) => complete !== undefined))
  );
}

/** The answer to `completion/complete`. */
export async function complete(definition: ServerDefinition, params: object): Promise<object> {
  const { ref, argument, context } = params as {
    ref?: { type?: unknown; name?: unknown; uri?: unknown };
    argument?: { name?: unknown; value?: unknown };
    context?: { arguments?: Record<string, string> };
  };
  const { name, value } = argument ?? {};
  if (typeof name !== 'string' || typeof value !== 'string') {
    throw invalid('expected `argument` to have a `name` and a `value`');
  }
  const completer = findCompleter(definition, ref ?? {}, name);
  const values = (await completer?.(value, context?.arguments ?? {})) ?? [];
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}

function findCompleter(
  { prompts = [], resourceTemplates = [] }: ServerDefinition,
  ref: { type?: unknown; name?: unknown; uri?: unknown },
  argument: string,
): Completer | undefined {
  if (ref.type === 'ref/prompt') {
    const prompt = prompts.find((candidate) => candidate.name === ref.name);
    if (prompt === undefined) throw invalid(`unknown prompt \`${String(ref.name)}\``);
    return prompt.arguments?.find((candidate) => candidate.name === argument)?.complete;
  }
  if (ref.type === 'ref/resource') {
    const template = resourceTemplates.find((candidate) => candidate.uriTemplate === ref.uri);
    if (template === undefined) throw invalid(`unknown resource template \`${String(ref.uri)}\``);
    return template.complete?.[argument];
  }
  throw invalid('expected `ref.type` to be `ref/prompt` or `ref/resource`');
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message);
}
