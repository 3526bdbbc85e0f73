import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/index.ts';
import { decodeHeaderValue, encodeHeaderValue } from '../../src/protocol/header-value.ts';
import { paramHeadersOf } from '../../src/protocol/param-headers.ts';

describe('header values', () => {
  it.each([
    ['plain', 'plain'],
    ['with space', 'with space'],
    ['', ''],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['世界', '=?base64?5LiW55WM?='],
    ['a\nb', '=?base64?YQpi?='],
    ['=?base64?SGk=?=', '=?base64?PT9iYXNlNjQ/U0drPT89?='],
  ])('%j travels as %j and back', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header);
    expect(decodeHeaderValue(header)).toBe(value);
  });

  it.each(['=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?='])('%s is broken', (header) => {
    expect(decodeHeaderValue(header)).toBeUndefined();
  });

  it('takes what has only one mark for itself', () => {
    expect(decodeHeaderValue('=?base64?SGk=')).toBe('=?base64?SGk=');
    expect(decodeHeaderValue('  padded  ')).toBe('padded');
  });
});

describe('parameters in headers', () => {
  const marked = (name: unknown, type = 'string'): JsonSchema => ({
    type: 'object',
    properties: { p: { type, 'x-mcp-header': name } },
  });

  it('are found by their mark', () => {
    expect(paramHeadersOf(marked('Region'))).toEqual([
      { parameter: 'p', header: 'mcp-param-region' },
    ]);
    expect(paramHeadersOf({ type: 'object', properties: { q: {}, r: true } })).toEqual([]);
    expect(paramHeadersOf(undefined)).toEqual([]);
  });

  it.each<[string, JsonSchema]>([
    ['an empty name', marked('')],
    ['a blank in the name', marked('My Region')],
    ['a colon', marked('A:B')],
    ['a letter beyond ASCII', marked('Région')],
    ['no string', marked(7)],
    ['an object', marked('A', 'object')],
    ['a number that is no integer', marked('A', 'number')],
    [
      'the same name twice, but for case',
      {
        properties: {
          a: { type: 'string', 'x-mcp-header': 'My' },
          b: { type: 'string', 'x-mcp-header': 'my' },
        },
      },
    ],
  ])('with %s make the tool unusable', (_, schema) => {
    expect(paramHeadersOf(schema)).toBeUndefined();
  });
});
