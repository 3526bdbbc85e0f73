import { describe, expect, it } from 'vitest';
import { readCallArguments } from '../../src/call/call-arguments.ts';

const files: Record<string, string> = {
  'a.json': '{"x":1,"y":2}',
  'list.json': '[1]',
  'bad.json': '{',
};
const sources = {
  readFile: async (path: string) => files[path] ?? '',
  readStdin: async () => '{"from":"stdin"}',
};
const schema = {
  type: 'object',
  properties: {
    n: { type: 'number' },
    on: { type: 'boolean' },
    text: { type: 'string' },
    either: { type: ['string', 'number'] },
    list: { type: 'array' },
  },
} as const;

describe('arguments of a call', () => {
  it.each([
    [[], undefined],
    [['a=1'], { a: '1' }],
    [['a:=1', 'b:=[1,{"c":null}]'], { a: 1, b: [1, { c: null }] }],
    [['a=x=y', 'b='], { a: 'x=y', b: '' }],
    [['url=http://x:80/?a=b'], { url: 'http://x:80/?a=b' }],
    [['key:with:colons=1'], { 'key:with:colons': '1' }],
    [['@a.json', 'y=3'], { x: 1, y: '3' }],
    [['-'], { from: 'stdin' }],
    [['@-', 'a=1'], { from: 'stdin', a: '1' }],
    [['{"a":1}'], { a: 1 }],
    [['[1,2]'], [1, 2]],
  ])('%j give %j', async (words, expected) => {
    expect(await readCallArguments(words, sources)).toEqual(expected);
  });

  it('take the type the schema says, and text where it is text or says nothing', async () => {
    const words = ['n=2.5', 'on=true', 'text=7', 'either=7', 'list=[1]', 'other=1'];
    expect(await readCallArguments(words, sources, schema)).toEqual({
      n: 2.5,
      on: true,
      text: '7',
      either: '7',
      list: [1],
      other: '1',
    });
  });

  it('leave a value that is not of the type to the server', async () => {
    expect(await readCallArguments(['n=many'], sources, schema)).toEqual({ n: 'many' });
  });

  it.each([
    [['plain'], 'expected `key=value`'],
    [['=x'], 'expected `key=value`'],
    [['a:={'], 'expected JSON in `a:={`'],
    [['@bad.json'], 'expected JSON in `bad.json`'],
    [['@list.json'], 'expected a JSON object in `list.json`'],
  ])('%j are refused', async (words, message) => {
    await expect(readCallArguments(words, sources)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message),
    });
  });
});
