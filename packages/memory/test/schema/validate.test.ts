import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { validate } from '../../src/schema/validate.ts';

describe('validate', () => {
  const cases: [JsonSchema, unknown, string[]][] = [
    [{ type: 'string' }, 'x', []],
    [{ type: 'string' }, 1, [':type']],
    [{ type: 'string' }, null, [':type']],
    [{ type: ['string', 'null'] }, null, []],
    [{ type: 'string', minLength: 1 }, '', [':minLength']],
    [{ type: 'string', pattern: '^a+$' }, 'ab', [':pattern']],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', [':enum']],
    [{ type: 'integer' }, 1.5, [':type']],
    [{ type: 'integer' }, 2 ** 60, [':type']],
    [{ type: 'number' }, Number.NaN, [':type']],
    [{ type: 'integer', minimum: 0 }, -1, [':minimum']],
    [{ type: 'integer', maximum: 5 }, 6, [':maximum']],
    [{ type: 'array', items: { type: 'string' } }, ['a', 1, 'b', null], ['[1]:type', '[3]:type']],
    [{ type: 'array', maxItems: 1 }, [1, 2], [':maxItems']],
    [{ type: 'array' }, {}, [':type']],
    [{ type: 'object' }, [], [':type']],
    [{ type: 'object' }, null, [':type']],
    [{ type: 'object', required: ['a'] }, {}, ['a:required']],
    [{ type: 'object', required: ['toString'] }, {}, ['toString:required']],
    [
      {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: { type: 'boolean' } } } },
      },
      { a: { b: 'x' }, other: 1 },
      ['a.b:type'],
    ],
    [
      { type: 'object', properties: {}, additionalProperties: false },
      { x: 1 },
      ['x:additionalProperties'],
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: {} },
        required: ['b'],
        additionalProperties: false,
      },
      { a: 1, x: 1 },
      ['a:type', 'x:additionalProperties', 'b:required'],
    ],
    [{}, undefined, []],
    [{}, { anything: [1] }, []],
  ];

  it.each(cases)('checks %j against %j', (schema, value, expected) => {
    const found = validate(schema, value).map(({ path, rule }) => `${path}:${rule}`);
    expect(found).toEqual(expected);
  });

  it('reports the first ten of many unknown names', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`name${n}`, n]));
    const found = validate({ type: 'object', properties: {}, additionalProperties: false }, many);
    expect(found.map(({ path }) => path)).toEqual(Object.keys(many).slice(0, 10));
  });
});
