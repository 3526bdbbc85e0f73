import type { JsonSchema } from '../schema/json-schema.ts';
import type { CallContext } from '../service/context.ts';
import type { Memory } from '../service/memory.ts';

/** What a client may assume about a call, in the words of the Model Context Protocol. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** One operation of the memory, described once: every face is made from this. */
export interface Method {
  /** The JSON-RPC name, `memory.add_note`. */
  readonly name: string;
  readonly title: string;
  /** One line, for people and models alike. */
  readonly description: string;
  readonly params: JsonSchema;
  /** `false` where a person does it, not a model: the list of tools is paid for in every conversation. */
  readonly isTool?: false;
  /** Parameters that a tool takes but does not list, because a model hardly ever wants them. */
  readonly untold?: readonly string[];
  readonly result: JsonSchema;
  readonly annotations: Annotations;
  /** Takes parameters that the schema has passed; use `callMethod`, which sees to that. */
  readonly handle: (memory: Memory, params: unknown, context: CallContext) => Promise<unknown>;
}

/** A method whose handler knows the shape that its schema guarantees. */
export interface MethodDefinition<Params> extends Omit<Method, 'handle'> {
  readonly handle: (memory: Memory, params: Params, context: CallContext) => Promise<unknown>;
}

/** The one place where a schema's promise becomes a type. */
export function defineMethod<Params>(definition: MethodDefinition<Params>): Method {
  const { handle } = definition;
  return {
    ...definition,
    handle: (memory, params, context) => handle(memory, params as Params, context),
  };
}

/** The same method as an MCP tool: `memory_add_note`. */
export function toolName({ name }: Pick<Method, 'name'>): string {
  return name.replace('.', '_');
}

/**
 * The parameters as a tool declares them: what a model needs to know to call it. Lengths, patterns and
 * bounds are checked here in any case, and every word of a tool list is paid for in every conversation.
 */
export function toolInputSchema({
  params,
  untold = [],
}: Pick<Method, 'params' | 'untold'>): JsonSchema {
  const { type, properties = {}, required } = params;
  const brief = Object.entries(properties)
    .filter(([name]) => !untold.includes(name))
    .map(([name, property]) => [name, briefSchema(property)]);
  return {
    ...(type === undefined ? {} : { type }),
    ...(brief.length === 0 ? {} : { properties: Object.fromEntries(brief) }),
    ...(required === undefined ? {} : { required }),
  };
}

/** An object inside is told by the names of its members. */
function briefSchema(schema: JsonSchema): JsonSchema {
  const { type, description, enum: values, properties = {}, items, default: preset } = schema;
  // The values of an enumeration say their type.
  if (values !== undefined) return { enum: values };
  const members = Object.keys(properties).join(', ');
  const said = description ?? (members === '' ? undefined : members);
  return {
    ...(type === undefined ? {} : { type }),
    ...(said === undefined ? {} : { description: said }),
    ...(items === undefined ? {} : { items: briefSchema(items) }),
    ...(preset === undefined ? {} : { default: preset }),
  };
}

/** Reads and changes nothing. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds something new with every call. */
export const ADDS: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** Replaces what was there; the same call twice is one call. */
export const REPLACES: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
