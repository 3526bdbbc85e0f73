import { Dispatcher, ErrorCode, type MethodTable, RpcError } from 'tincan-wire';
import type { ClientCapabilities } from '../protocol/capabilities.ts';
import type { ElicitResult } from '../server/input-required.ts';

/** What a client does for a server. Each function given is declared as a capability. */
export interface InputHandlers {
  /** Shows a form (or a link, with `mode: 'url'`) to a person and returns what became of it. */
  readonly elicit?: (params: Readonly<Record<string, unknown>>) => Promise<ElicitResult>;
  /** Lets a model write a message. */
  readonly sample?: (params: Readonly<Record<string, unknown>>) => Promise<object>;
  /** Names the folders a server may look at. */
  readonly roots?: () => Promise<readonly { readonly uri: string; readonly name?: string }[]>;
}

/** Capabilities that follow from the functions given. */
export function inputCapabilities({ elicit, sample, roots }: InputHandlers): ClientCapabilities {
  return {
    ...(elicit !== undefined && { elicitation: { form: {}, url: {} } }),
    ...(sample !== undefined && { sampling: {} }),
    ...(roots !== undefined && { roots: {} }),
  };
}

/** Methods a legacy server may call. */
export function inputMethods(handlers: InputHandlers): MethodTable {
  const table = new Dispatcher({ ping: () => ({}) });
  for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list']) {
    table.method(method, (params) => answerInput(handlers, method, params));
  }
  return table;
}

/** Answers one question of a server, of either era. */
export async function answerInput(
  { elicit, sample, roots }: InputHandlers,
  method: string,
  params: unknown,
): Promise<object> {
  const given = (params ?? {}) as Record<string, unknown>;
  if (method === 'elicitation/create' && elicit !== undefined)
    return elicitWithDefaults(elicit, given);
  if (method === 'sampling/createMessage' && sample !== undefined) return sample(given);
  if (method === 'roots/list' && roots !== undefined) return { roots: await roots() };
  throw new RpcError(ErrorCode.MethodNotFound, `this client does not answer \`${method}\``, {
    method,
  });
}

/** Fields a person left alone take the default of the form. */
async function elicitWithDefaults(
  elicit: NonNullable<InputHandlers['elicit']>,
  params: Readonly<Record<string, unknown>>,
): Promise<ElicitResult> {
  const answer = await elicit(params);
  const schema = params['requestedSchema'] as
    | { properties?: Record<string, { default?: unknown }> }
    | undefined;
  if (answer.action !== 'accept' || schema?.properties === undefined) return answer;
  const defaults = Object.entries(schema.properties)
    .filter(([, { default: value }]) => value !== undefined)
    .map(([key, { default: value }]) => [key, value] as const);
  return { ...answer, content: { ...Object.fromEntries(defaults), ...answer.content } };
}
