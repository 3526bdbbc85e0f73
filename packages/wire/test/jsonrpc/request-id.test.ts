import { describe, expect, it } from 'vitest';
import { idText, idValue, namedIdText } from '../../src/jsonrpc/request-id.ts';

const large = '{"id":9007199254740993}';

describe('idText', () => {
  it.each<[unknown, string, string | undefined]>([
    [1, '', '1'],
    [-0, '', '0'],
    [1.5, '', '1.5'],
    ['1', '', '"1"'],
    ['a"b', '', '"a\\"b"'],
    [null, '', 'null'],
    [undefined, '', undefined],
    [true, '', undefined],
    [{}, '', undefined],
    [Number('9007199254740993'), large, '9007199254740993'],
    [Number('9007199254740993'), '{}', '9007199254740992'],
  ])('of %j in %j is %j', (id, source, expected) => {
    expect(idText(id, source)).toBe(expected);
  });
});

describe('idValue', () => {
  it.each<[unknown, string, unknown]>([
    [5, '5', 5],
    ['5', '"5"', '5'],
    [null, 'null', null],
    [Number('9007199254740993'), '9007199254740993', 9007199254740993n],
    [Number.POSITIVE_INFINITY, '1e400', Number.POSITIVE_INFINITY],
  ])('of %s with key %s is %s', (id, text, expected) => {
    expect(idValue(id, text)).toBe(expected);
  });
});

describe('namedIdText', () => {
  const cancel = (id: string, reason = ''): string =>
    `{"method":"notifications/cancelled","params":{"reason":${JSON.stringify(reason)},"requestId" : ${id}}}`;

  it('finds the digits of a large id, and is not fooled by a text that looks like one', () => {
    const id = Number('9007199254740993');
    const digits = '9007199254740993';
    expect(namedIdText(id, 'requestId', cancel(digits))).toBe(digits);
    expect(namedIdText(id, 'requestId', cancel(digits, '"requestId":5'))).toBe(digits);
    expect(namedIdText(id, 'id', `{"params":{"id":${digits}}}`)).toBe(digits);
  });

  it.each([
    ['1e21', '{"params":{"id":1e21}}', '1e21'],
    ['-1e400', '{"params":{"id" : -1e400 }}', '-1e400'],
    ['9007199254740993', '{"params":{"_meta":{"id":5},"id":9007199254740993}}', '9007199254740993'],
    ['9007199254740993', '{"id":5,"params":{"id":9007199254740993}}', '9007199254740993'],
    ['9007199254740993', '{"params":{"id":1,"id":9007199254740993}}', '9007199254740993'],
    [
      '9007199254740993',
      '{"params":{"id":1},"params":{"id":9007199254740993}}',
      '9007199254740993',
    ],
    // A rounded number would name the neighbour.
    ['9007199254740993', '', undefined],
    ['9007199254740993', '{"params":{"\\u0069d":9007199254740993}}', undefined],
  ])('finds %s in %s', (id, source, expected) => {
    expect(namedIdText(Number(id), 'id', source)).toBe(expected);
  });

  it('is the key of any other id', () => {
    expect(namedIdText(7, 'id', '')).toBe('7');
    expect(namedIdText('7', 'id', '')).toBe('"7"');
    expect(namedIdText(true, 'id', '')).toBeUndefined();
  });
});
