import type { Toolset } from '../config/settings.ts';
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

/** How a method is offered as an MCP tool. */
export interface ToolForm {
  /** The smallest toolset that has it. */
  readonly toolset: Toolset;
  /** Parameters that the tool takes but does not list, because a model hardly ever needs them. */
  readonly hidden?: readonly string[];
  /** Values of parameters that the method requires and a model may leave out. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** One operation of the memory, described once: every face is made from this. */
export interface Method {
  /** The JSON-RPC name, `memory.add_note`. */
  readonly name: string;
  readonly title: string;
  /** What it does, then when to use it and what it returns, for people and models alike. */
  readonly description: string;
  readonly params: JsonSchema;
  /** How models are offered it; absent where only people and programs use it. */
  readonly tool?: ToolForm;
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
