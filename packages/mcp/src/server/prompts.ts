import { ErrorCode } from 'tincan-wire';
import type { Prompt, PromptOutput } from './definition.ts';
import type { RequestContext } from './request-context.ts';
import { ProtocolError } from './tool-error.ts';

/** Prompts as a client sees them. */
export function listedPrompts(prompts: readonly Prompt[]): object[] {
  return prompts.map(({ get: _get, arguments: args, ...shown }) => ({
    ...shown,
    ...(args !== undefined && { arguments: args.map(({ complete: _, ...argument }) => argument) }),
  }));
}

/** The answer to `prompts/get`. */
export async function getPrompt(
  prompts: readonly Prompt[],
  params: object,
  context: RequestContext,
): Promise<object> {
  const { name, arguments: given = {} } = params as { name?: unknown; arguments?: unknown };
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt === undefined) throw invalid(`unknown prompt \`${String(name)}\``, 'name');
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid('expected `arguments` to be an object', 'arguments');
  const args: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string')
      throw invalid(`expected \`arguments.${key}\` to be a string`, `arguments.${key}`);
    args[key] = value;
  }
  for (const { name: key, required } of prompt.arguments ?? []) {
    if (required === true && !Object.hasOwn(args, key)) {
      throw invalid(`\`arguments.${key}\` is required`, `arguments.${key}`);
    }
  }
  return messagesOf(prompt, await prompt.get(args, context));
}

function messagesOf(prompt: Prompt, output: PromptOutput): object {
  const description = prompt.description === undefined ? {} : { description: prompt.description };
  if (typeof output === 'string') {
    return {
      ...description,
      messages: [{ role: 'user', content: { type: 'text', text: output } }],
    };
  }
  if (Array.isArray(output)) return { ...description, messages: output };
  return { ...description, ...output };
}

function invalid(message: string, path: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, { path });
}
