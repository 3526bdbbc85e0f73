import { describe, expect, it } from 'vitest';
import { TOOLSETS } from '../../src/config/settings.ts';
import { toolMethods } from '../../src/methods/methods.ts';
import { toolInputSchema, toolName } from '../../src/methods/tool-schema.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';

/** A schema as a model's provider sees it: any keyword might be there. */
type Listed = Readonly<Record<string, unknown>>;

interface Place {
  readonly path: string;
  readonly schema: Listed;
  readonly depth: number;
}

/** What ordinary function calling of the providers takes, and who refuses the rest. */
const RULES: Readonly<Record<string, (place: Place) => boolean>> = {
  // Gemini: "parameters.properties[x].type: must be specified"; the clients skip such tools.
  'every value has a type that is one name': ({ schema }) =>
    ['string', 'number', 'integer', 'boolean', 'object', 'array'].includes(
      String(schema['type']),
    ) && typeof schema['type'] === 'string',
  // Gemini takes a part of OpenAPI and refuses other keywords; Anthropic and OpenAI refuse some of them too.
  'no keyword but those that all take': ({ schema }) =>
    Object.keys(schema).every((keyword) =>
      ['type', 'description', 'properties', 'required', 'items', 'enum'].includes(keyword),
    ),
  // OpenAI: "object schema missing properties".
  'every object has properties, and only an object has': ({ schema }) =>
    (schema['type'] === 'object') === (typeof schema['properties'] === 'object'),
  // Gemini: "properties: should be non-empty for OBJECT type"; clients leave an empty outermost one away.
  'an inner object names a property': ({ schema, path }) =>
    path === '' ||
    schema['type'] !== 'object' ||
    Object.keys(schema['properties'] ?? {}).length > 0,
  // OpenAI and Gemini: "array schema missing items".
  'every array has items, and only an array has': ({ schema }) =>
    (schema['type'] === 'array') === (typeof schema['items'] === 'object'),
  // Gemini: "enum: only allowed for STRING type"; none of the values may be empty.
  'an enumeration is of texts that are not empty': ({ schema: { type, enum: values } }) =>
    values === undefined ||
    (type === 'string' &&
      Array.isArray(values) &&
      values.length > 0 &&
      values.every((value) => typeof value === 'string' && value !== '')),
  // Gemini: "required[0]: property is not defined"; older drafts of JSON Schema refuse an empty list.
  'what is required is declared, and not an empty list': ({ schema: { required, properties } }) =>
    required === undefined ||
    (Array.isArray(required) &&
      required.length > 0 &&
      required.every((name) => Object.hasOwn(properties as object, name))),
  // Anthropic: "property keys should match pattern".
  'property names are of letters, digits, `_`, `.` and `-`': ({ schema: { properties = {} } }) =>
    Object.keys(properties as object).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name)),
  // OpenAI: at most five levels, and descriptions of at most 1,024 characters.
  'at most five levels': ({ depth }) => depth <= 5,
  'descriptions are texts of at most 1,024 characters': ({ schema: { description = 'x' } }) =>
    typeof description === 'string' && description.length > 0 && description.length <= 1_024,
};

/** A schema and everything inside it. */
function placesOf(schema: JsonSchema, path = '', depth = 1): Place[] {
  const { properties = {}, items } = schema;
  return [
    { path, schema: schema as Listed, depth },
    ...Object.entries(properties).flatMap(([name, property]) =>
      placesOf(property, path === '' ? name : `${path}.${name}`, depth + 1),
    ),
    ...(items === undefined ? [] : placesOf(items, `${path}[]`, depth + 1)),
  ];
}

/** Which rules a schema breaks, and where. */
function broken(schema: JsonSchema): string[] {
  return placesOf(schema).flatMap((place) =>
    Object.entries(RULES).flatMap(([rule, holds]) =>
      holds(place) ? [] : [`${place.path}: ${rule}`],
    ),
  );
}

describe.each(TOOLSETS)('the input schemas of the toolset %s', (toolset) => {
  it.each(toolMethods(toolset).map((method) => [toolName(method), method] as const))(
    '%s keeps the rules of all providers',
    (name, method) => {
      expect(broken(toolInputSchema(method))).toEqual([]);
      expect(toolInputSchema(method).type).toBe('object');
      // OpenAI and Anthropic.
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(method.description.length).toBeLessThanOrEqual(1_024);
    },
  );
});

describe('the rules', () => {
  const inner = (schema: object): JsonSchema => ({
    type: 'object',
    properties: { x: schema as JsonSchema },
  });
  it.each([
    [inner({})],
    [inner({ enum: ['a'] })],
    [inner({ type: ['string', 'null'] })],
    [inner({ type: 'object' })],
    [inner({ type: 'object', properties: {} })],
    [inner({ type: 'array' })],
    [inner({ type: 'array', items: {} })],
    [inner({ type: 'string', enum: [''] })],
    [inner({ type: 'integer', enum: ['1'] })],
    [inner({ type: 'string', default: 'a' })],
    [inner({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false })],
    [inner({ anyOf: [{ type: 'string' }] })],
    [inner({ $ref: '#/x' })],
    [{ type: 'object' } as JsonSchema],
    [{ type: 'object', properties: {}, required: [] } as JsonSchema],
    [{ type: 'object', properties: {}, required: ['y'] } as JsonSchema],
  ])('refuse %j', (schema) => {
    expect(broken(schema)).not.toEqual([]);
  });

  it('take a tool without arguments', () => {
    expect(broken({ type: 'object', properties: {} })).toEqual([]);
  });
});

describe('what a model reads', () => {
  const schemaOf = (name: string): JsonSchema => {
    const method = toolMethods('all').find((each) => each.name === name);
    if (method === undefined) throw new Error(`no tool ${name}`);
    return toolInputSchema(method);
  };

  it('says that a note without groupId is for the whole project', () => {
    const { required, properties } = schemaOf('memory.add_note');
    expect(required).toEqual(['projectId', 'text']);
    expect(properties?.['groupId']?.description).toMatch(/default global$/);
  });

  it('has metadata as an object of strings and a value as a string', () => {
    const metadata = { type: 'object', properties: { supersedes: { type: 'string' } } };
    expect(schemaOf('memory.add_note').properties?.['metadata']).toMatchObject(metadata);
    const { patch } = schemaOf('memory.update').properties ?? {};
    expect(patch?.properties?.['metadata']).toMatchObject(metadata);
    expect(schemaOf('memory.upsert_global').properties?.['value']).toEqual({
      type: 'string',
      description: expect.stringMatching(/^JSON or text, e\.g\. /),
    });
  });

  it('requires and describes the patch of an update', () => {
    const { required, properties } = schemaOf('memory.update');
    expect(required).toEqual(['id', 'patch']);
    expect(properties?.['patch']?.description).toMatch(/^only what changes, e\.g\. \{/);
    expect(Object.keys(properties?.['patch']?.properties ?? {})).toEqual([
      ...['title', 'text', 'tags', 'source', 'groupId', 'metadata'],
    ]);
  });

  it('leaves out what a model hardly ever needs', () => {
    expect(Object.keys(schemaOf('memory.search').properties ?? {})).not.toContain('mode');
    expect(Object.keys(schemaOf('memory.delete').properties ?? {})).toEqual(['id']);
  });

  it('describes every argument of the core tools, inside a patch by the patch itself', () => {
    for (const method of toolMethods('core')) {
      for (const [name, { description }] of Object.entries(schemaOf(method.name).properties ?? {}))
        expect(description, `${method.name} ${name}`).toBeTypeOf('string');
    }
  });

  it('has the form of a time and an example', () => {
    expect(schemaOf('memory.search').properties?.['since']?.description).toMatch(
      /ISO 8601, e\.g\. \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/,
    );
  });

  it('says what comes back', () => {
    for (const { name, description } of toolMethods('core')) {
      expect(description, name).toMatch(/Returns |with all its fields/);
    }
  });
});
