import type { JsonSchema } from '../schema/json-schema.ts';
import type { Method } from './method.ts';

/** The same method as an MCP tool: `memory_add_note`. */
export function toolName({ name }: Pick<Method, 'name'>): string {
  return name.replace('.', '_');
}

/**
 * The parameters as a tool declares them: the part of JSON Schema that function calling of OpenAI, Gemini and
 * Anthropic takes. Lengths, patterns and bounds are checked anyway, and every word of a tool list is paid for
 * in every conversation.
 */
export function toolInputSchema({ params, tool }: Pick<Method, 'params' | 'tool'>): JsonSchema {
  const { properties = {}, required = [] } = params;
  const { hidden = [], defaults = {} } = tool ?? {};
  const listed = Object.entries(properties).filter(([name]) => !hidden.includes(name));
  return objectSchema({
    properties: Object.fromEntries(
      listed.map(([name, property]) => [name, { ...property, ...defaultOf(defaults[name]) }]),
    ),
    required: required.filter((name) => defaults[name] === undefined),
  });
}

function defaultOf(value: string | undefined): Pick<JsonSchema, 'default'> {
  return value === undefined ? {} : { default: value };
}

/** Metadata is the one object that takes any member; Gemini wants an object to name at least one. */
const METADATA: Readonly<Record<string, JsonSchema>> = {
  supersedes: { type: 'string' },
};

function toolSchema(schema: JsonSchema): JsonSchema {
  const { enum: values, items = {} } = schema;
  // Null is taken wherever the method takes it, but a type must be a single name.
  const type = [schema.type ?? 'string'].flat().find((name) => name !== 'null') ?? 'string';
  if (type === 'object') return { ...objectSchema(schema), ...descriptionOf(schema) };
  return {
    type,
    ...descriptionOf(schema),
    ...(values === undefined ? {} : { enum: values }),
    ...(type === 'array' ? { items: toolSchema(items) } : {}),
  };
}

function objectSchema({ properties = METADATA, required = [] }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, toolSchema(property)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

function descriptionOf(schema: JsonSchema): Pick<JsonSchema, 'description'> {
  const { description, default: preset } = schema;
  const note = preset === undefined ? undefined : `default ${String(preset)}`;
  const said = [description, note].filter((part) => part !== undefined).join('; ');
  return said === '' ? {} : { description: said };
}
