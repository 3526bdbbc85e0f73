import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonSchema, validate } from '../../src/index.ts';

describe('validate', () => {
  it.each<[string, JsonSchema, unknown, string[]]>([
    ['a type', { type: 'string' }, 7, [': expected string, got number']],
    ['several types', { type: ['string', 'null'] }, 7, [': expected string or null, got number']],
    ['an integer', { type: 'integer' }, 1.5, [': expected integer, got number']],
    ['an array for an object', { type: 'object' }, [], [': expected object, got array']],
    ['null', { type: 'object' }, null, [': expected object, got null']],
    [
      'a member',
      { properties: { a: { type: 'string' } } },
      { a: 1 },
      ['a: expected string, got number'],
    ],
    ['a missing member', { required: ['a'] }, {}, ['a: is required']],
    [
      'a deep member',
      { properties: { a: { items: { type: 'string' } } } },
      { a: ['x', 1] },
      ['a[1]: expected string, got number'],
    ],
    [
      'an unknown member',
      { properties: { a: {} }, additionalProperties: false },
      { b: 1 },
      ['b: is unknown; known are a'],
    ],
    [
      'a wrong case',
      { properties: { topK: {} }, additionalProperties: false },
      { topk: 1 },
      ['topk: is unknown; did you mean `topK`?'],
    ],
    ['an empty string', { minLength: 1 }, '', [': must not be empty']],
    ['characters, not UTF-16 units', { maxLength: 1 }, '👍', []],
    ['too many characters', { maxLength: 1 }, 'ab', [': expected at most 1 characters, got 2']],
    ['a pattern', { pattern: '^[a-z]+$' }, 'A', [': must match `^[a-z]+$`']],
    ['a range', { minimum: 1, maximum: 3 }, 4, [': expected at most 3, got 4']],
    ['open ends', { exclusiveMinimum: 1 }, 1, [': expected more than 1, got 1']],
    ['a multiple', { multipleOf: 0.1 }, 0.3, []],
    ['an enum', { enum: ['a', 'b'] }, 'c', [': expected one of "a", "b", got "c"']],
    ['a constant', { const: { a: 1 } }, { a: 1 }, []],
    [
      'elements twice',
      { uniqueItems: true },
      [{ a: 1 }, { a: 1 }],
      [': has the same element twice'],
    ],
    [
      'anyOf',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      1,
      [': expected string, got number'],
    ],
    ['oneOf twice', { oneOf: [{}, {}] }, 1, [': fits 2 choices, expected one']],
    ['not', { not: { type: 'string' } }, 'x', [': fits what it must not']],
    ['a condition', { if: { required: ['a'] }, else: { required: ['b'] } }, {}, ['b: is required']],
    [
      'a reference',
      { $defs: { s: { type: 'string' } }, properties: { a: { $ref: '#/$defs/s' } } },
      { a: 1 },
      ['a: expected string, got number'],
    ],
    [
      'an anchor',
      { $defs: { s: { $anchor: 'here', type: 'string' } }, $ref: '#here' },
      1,
      [': expected string, got number'],
    ],
    [
      'a reference to the network',
      { $ref: 'https://example.com/x.json' },
      1,
      [': cannot resolve `https://example.com/x.json`'],
    ],
    ['a reference to itself', { $ref: '#' }, 1, [': the schema is nested too deeply']],
    [
      'dependent members',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      ['b: is required with `a`'],
    ],
    ['member names', { propertyNames: { pattern: '^x' } }, { y: 1 }, ['y: must match `^x`']],
    [
      'pattern members',
      { patternProperties: { '^n': { type: 'number' } } },
      { n1: 'x' },
      ['n1: expected number, got string'],
    ],
    ['false', { properties: { a: false } }, { a: 1 }, ['a: nothing is allowed here']],
    [
      'a prototype member',
      { properties: {}, additionalProperties: false },
      JSON.parse('{"__proto__":1}'),
      ['__proto__: is unknown'],
    ],
    ['an inherited member', { required: ['toString'] }, {}, ['toString: is required']],
    ['contains', { contains: { type: 'string' } }, [1], [': has no element of the expected kind']],
    [
      'prefix items',
      { prefixItems: [{ type: 'string' }], items: false },
      ['a', 1],
      ['[1]: nothing is allowed here'],
    ],
  ])('tells of %s', (_, schema, value, expected) => {
    expect(validate(schema, value).map(({ path, message }) => `${path}: ${message}`)).toEqual(
      expected,
    );
  });

  it('agrees with Ajv on random schemas and values', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    // Few names, none of them empty or a prototype's: on those Ajv itself is mistaken.
    const value = fc.anything({
      key: fc.constantFrom('a', 'b', 'c'),
      maxDepth: 2,
      withNullPrototype: false,
      values: [
        fc.boolean(),
        fc.integer({ min: -9, max: 9 }),
        fc.string({ maxLength: 6 }),
        fc.constant(null),
      ],
    });
    const schema = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.record(
          {
            type: fc.constantFrom(
              'string',
              'number',
              'integer',
              'boolean',
              'null',
              'array',
              'object',
            ),
            minLength: fc.nat(3),
            maxLength: fc.nat(5),
            minimum: fc.integer({ min: -5, max: 5 }),
            exclusiveMaximum: fc.integer({ min: -5, max: 5 }),
            minItems: fc.nat(2),
            uniqueItems: fc.boolean(),
            maxProperties: fc.nat(3),
            required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
            additionalProperties: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
        fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ not: tie('node') }),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        fc.record({ if: tie('node'), then: tie('node'), else: tie('node') }),
        fc.record({
          items: tie('node'),
          prefixItems: fc.array(tie('node'), { minLength: 1, maxLength: 2 }),
        }),
        fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node')) }),
        fc.record({ const: value }),
        fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
      ),
    })).node as fc.Arbitrary<JsonSchema>;
    fc.assert(
      fc.property(schema, value, (rule, given) => {
        const isValid = ajv.compile(rule)(given);
        ajv.removeSchema();
        expect(validate(rule, given).length === 0).toBe(isValid);
      }),
      { numRuns: 150 },
    );
  }, 30_000);
});
