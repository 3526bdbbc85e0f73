import { bytesOf, headed } from './decode.ts';

/** A stream, what it holds, and a name for the report. */
export interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
  readonly values: readonly unknown[];
}

const BOM = '\uFEFF';

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['ASCII', '{"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]}'],
  ['2-byte UTF-8', '{"jsonrpc":"2.0","method":"größe","params":["ñ","Ω"]}'],
  ['3-byte UTF-8', '{"jsonrpc":"2.0","id":"日本","result":"€ — 語"}'],
  ['4-byte UTF-8', '{"jsonrpc":"2.0","id":2,"result":{"🦜":"👩‍👩‍👧"}}'],
  ['escapes', '{"jsonrpc":"2.0","id":3,"result":"\\n\\r\\"\\\\\\u0000\\ud83e\\udd9c\\ud800{["}'],
  ['raw separators', '{"jsonrpc":"2.0","id":4,"result":"a\u2028b\u2029c\u0085d\u007fe"}'],
  ['replacement character', '{"jsonrpc":"2.0","id":5,"result":"\uFFFD"}'],
  ['batch', '[{"jsonrpc":"2.0","id":6,"method":"a"},{"jsonrpc":"2.0","method":"b"}]'],
  ['empty batch', '[]'],
  ['blanks inside', '{ "jsonrpc" :\t"2.0" , "id" : 7 , "result" : [ ] }'],
  [
    'a header inside a string',
    '{"jsonrpc":"2.0","id":8,"result":"\\r\\nContent-Length: 5\\r\\n\\r\\n{}"}',
  ],
];

const [first = '', second = '', third = ''] = TEXTS.map(([, text]) => text);
const A: unknown = JSON.parse(first);
const B: unknown = JSON.parse(second);
const C: unknown = JSON.parse(third);

function headers(...lines: readonly string[]): Buffer {
  return bytesOf(`${lines.join('\r\n')}\r\n\r\n`, second);
}

const size = Buffer.byteLength(second);

/** Every valid message in every valid dress. */
export const CORPUS: readonly Sample[] = [
  ...TEXTS.flatMap(([name, text]) => [
    { name: `${name}, line`, bytes: bytesOf(text, '\n'), values: [JSON.parse(text)] },
    { name: `${name}, CRLF line`, bytes: bytesOf(text, '\r\n'), values: [JSON.parse(text)] },
    { name: `${name}, BOM line`, bytes: bytesOf(BOM, text, '\n'), values: [JSON.parse(text)] },
    { name: `${name}, header`, bytes: headed(text), values: [JSON.parse(text)] },
    { name: `${name}, BOM in body`, bytes: headed(BOM + text), values: [JSON.parse(text)] },
    { name: `${name}, no newline`, bytes: bytesOf(text), values: [JSON.parse(text)] },
  ]),
  { name: 'lower-case header', bytes: headers(`content-length: ${size}`), values: [B] },
  { name: 'upper-case header', bytes: headers(`CONTENT-LENGTH: ${size}`), values: [B] },
  { name: 'header without a blank', bytes: headers(`Content-Length:${size}`), values: [B] },
  { name: 'header with blanks', bytes: headers(`Content-Length \t: \t${size} \t`), values: [B] },
  {
    name: 'type before length',
    bytes: headers(
      'Content-Type: application/vscode-jsonrpc; charset=utf-8',
      `Content-Length: ${size}`,
    ),
    values: [B],
  },
  {
    name: 'type behind length',
    bytes: headers(`Content-Length: ${size}`, 'Content-Type: application/json; charset="utf8"'),
    values: [B],
  },
  {
    name: 'unknown headers around',
    bytes: headers('X-First: 1', `Content-Length: ${size}`, 'X-Last:'),
    values: [B],
  },
  {
    name: 'same length twice',
    bytes: headers(`Content-Length: ${size}`, `Content-Length: ${size}`),
    values: [B],
  },
  { name: 'LF-only header', bytes: bytesOf(`Content-Length: ${size}\n\n`, second), values: [B] },
  { name: 'LF then CRLF', bytes: bytesOf(`Content-Length: ${size}\n\r\n`, second), values: [B] },
  { name: 'CRLF then LF', bytes: bytesOf(`Content-Length: ${size}\r\n\n`, second), values: [B] },
  { name: 'BOM before header', bytes: bytesOf(BOM, headed(second)), values: [B] },
  { name: 'blank lines before header', bytes: bytesOf('\r\n \n\t\n', headed(second)), values: [B] },
  {
    name: 'newline behind body',
    bytes: bytesOf(headed(first), '\n', headed(second), '\r\n'),
    values: [A, B],
  },
  { name: 'lines', bytes: bytesOf(first, '\n', second, '\n', third, '\n'), values: [A, B, C] },
  {
    name: 'blank lines between',
    bytes: bytesOf('\n\n', first, '\n\r\n \t\f\n', second, '\n\n'),
    values: [A, B],
  },
  {
    name: 'bodies',
    bytes: bytesOf(headed(first), headed(second), headed(third)),
    values: [A, B, C],
  },
  {
    name: 'line, header, line',
    bytes: bytesOf(first, '\n', headed(second), third, '\n'),
    values: [A, B, C],
  },
  {
    name: 'header, line, header',
    bytes: bytesOf(headed(first), second, '\n', headed(third)),
    values: [A, B, C],
  },
  {
    name: 'header, BOM line, header',
    bytes: bytesOf(headed(first), BOM, second, '\r\n', headed(third)),
    values: [A, B, C],
  },
  {
    name: 'line without newline before header',
    bytes: bytesOf(first, headed(second)),
    values: [A, B],
  },
];
