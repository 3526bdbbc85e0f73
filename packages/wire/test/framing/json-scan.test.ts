import { describe, expect, it } from 'vitest';
import { elementTexts, endOfValue, findRawId, findRawParam } from '../../src/framing/json-scan.ts';

describe('endOfValue', () => {
  it.each([
    ['{}', 0, 2],
    ['[]', 0, 2],
    ['{"a":[1,{"b":2}]} rest', 0, 17],
    ['xx{"}":"{"}yy', 2, 11],
    ['{"a":"\\"}"}', 0, 11],
    ['{"a":"\\\\"}}', 0, 10],
    ['{', 0, -1],
    ['{"a', 0, -1],
    ['{"a\\"}', 0, -1],
    ['[[]', 0, -1],
  ])('of `%s` from %i is %i', (text, start, end) => {
    expect(endOfValue(text, start)).toBe(end);
  });

  it('holds for any JSON', () => {
    const values = [{ a: ['}', ']', '\\', '"', '\\"'] }, [[[]], {}], [{ '{': '[' }]];
    for (const value of values) {
      const text = JSON.stringify(value);
      expect(endOfValue(`${text}}]`, 0)).toBe(text.length);
    }
  });
});

describe('findRawId', () => {
  it.each([
    ['{"id":1}', '1'],
    ['{"id":1,"method":"a"}', '1'],
    ['{ "method" : "a" , "id" : 7 }', '7'],
    ['{"id":9007199254740993,"x":1}', '9007199254740993'],
    ['{"id":-1.5e3}', '-1.5e3'],
    ['{"id":"a\\"b"}', '"a\\"b"'],
    ['{"id":""}', '""'],
    ['{"id":null}', 'null'],
    ['{"id":1,"id":2}', '2'],
    ['{"params":{"id":5},"id":6}', '6'],
    ['{"params":["id",{"id":5}],"id":6}', '6'],
    ['{"a":"id","id":6}', '6'],
    ['{"a":"\\"id\\":5","id":6}', '6'],
    ['{"id":8,"params":{"text":"cut of', '8'],
    ['{"id":8,"params":[[[[[', '8'],
  ])('of `%s` is `%s`', (text, id) => {
    expect(findRawId(text)).toBe(id);
  });

  it.each([
    ['none', '{"method":"a"}'],
    ['a deeper one', '{"params":{"id":5}}'],
    ['one of a batch', '[{"id":5}]'],
    ['a number that may be cut off', '{"id":12'],
    ['a string cut off', '{"id":"ab'],
    ['nothing behind it', '{"id"'],
    ['an object', '{"id":{}}'],
    ['true', '{"id":true}'],
    ['no JSON number', '{"id":012}'],
    ['no JSON string', '{"id":"\\x"}'],
    ['as a value', '{"a":"id"}'],
    ['no text', ''],
    ['a bare sign', '{"id":-}'],
    ['a bare fraction', '{"id":1.}'],
    ['a bare exponent', '{"id":1e+}'],
    ['a raw control character', '{"id":"\u0001"}'],
    ['an escape cut off', '{"id":"\\u00g0"}'],
    ['no colon', '{"id" 1}'],
    ['one behind the message', '{"a":1} {"id":5}'],
  ])('is undefined for %s', (_name, text) => {
    expect(findRawId(text)).toBeUndefined();
  });

  it.each([
    ['0', '{"id":0}'],
    ['-0.5E-7', '{"id":-0.5E-7 }'],
    ['"\\u00e9\\/\\n"', '{"id":"\\u00e9\\/\\n"}'],
    // JSON.parse takes the last of duplicates; one that is not valid does not count.
    ['1', '{"id":1,"id":01}'],
  ])('takes %s', (id, text) => {
    expect(findRawId(text)).toBe(id);
  });

  it('reads an id of megabytes', () => {
    const long = `"${'a'.repeat(8 * 1024 * 1024)}"`;
    expect(findRawId(`{"id":${long}}`) === long).toBe(true);
    expect(findRawId(`{"id":${long},"id":5}`)).toBe('5');
  });
});

describe('findRawParam', () => {
  it.each([
    ['{"params":{"id":1e21}}', '1e21'],
    ['{"id":5,"params":{"_meta":{"id":6},"id":7}}', '7'],
    ['{"params":{"id":1},"params":{"id":2}}', '2'],
    ['{"params":{"x":"\\"id\\":3","id":4},"id":5}', '4'],
    ['{"params":{"x":1},"id":5}', undefined],
    ['{"params":["id",1]}', undefined],
    ['{"params":"id"}', undefined],
    ['{"id":5}', undefined],
  ])('`id` of `%s` is %s', (text, raw) => {
    expect(findRawParam(text, 'id')).toBe(raw);
  });
});

describe('elementTexts', () => {
  it.each([
    ['[]', ['']],
    ['[1]', ['1']],
    ['[1,2 , 3]', ['1', '2 ', ' 3']],
    ['[{"a":[1,2]},["x,y"],"],["]', ['{"a":[1,2]}', '["x,y"]', '"],["']],
    ['["\\"",1]', ['"\\""', '1']],
    ['  [1,2]  ', ['1', '2']],
    ['[1,"cut', ['1']],
  ])('of `%s`', (text, elements) => {
    expect(elementTexts(text)).toEqual(elements);
  });

  it('gives a source for each element of a batch', () => {
    const batch = [{ id: 1, text: '],[' }, [], 'x', 4.5, null, { deep: [{ a: {} }] }];
    const texts = elementTexts(JSON.stringify(batch, null, 1));
    expect(texts.map((text) => JSON.parse(text))).toEqual(batch);
  });
});
