// Bytes on stdin that are not messages, messages of any size, and both framings mixed.

import { named, oneOf } from '../expectation.mjs';

const MIB = 1024 * 1024;
const CALL = '{"jsonrpc":"2.0","id":1,"method":"memory.get_config"}';
const isResult = named('a result', (result) => typeof result === 'object' && result !== null);
const served = [{ value: { id: 1, result: isResult } }];
const junk = [{ value: { id: null, error: { code: -32700 } } }];
const tooLarge = (id) => [{ value: { id, error: { code: -32600, data: { limit: MIB } } } }];
const some = named('answers that are messages', (answers) =>
  answers.every(({ value }) => value?.jsonrpc === '2.0' && value.error !== undefined),
);
const padded = (size) => CALL.replace('}', `${' '.repeat(size - CALL.length)}}`);

/** What is sent, and the answers it must get; `some` where the number of errors is up to the reader. */
export const lines = [
  ['no bytes', '', []],
  ['blank lines', '\n\r\n \n\t\n', []],
  ['1 MiB of blank lines', '\n'.repeat(MIB), []],
  ['carriage returns', `${CALL}\r\n`, served],
  [
    'a byte order mark',
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(CALL)]),
    served,
  ],
  ['UTF-16', Buffer.from(`\ufeff${CALL}`, 'utf16le'), some],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), some],
  [
    'bytes that are not UTF-8',
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    [{ value: { error: { code: oneOf(-32700, -32600) } } }],
  ],
  [
    'an overlong slash',
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    [{ value: { error: {} } }],
  ],
  [
    'half a character',
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xf0, 0x9f]), Buffer.from('"}')]),
    [{ value: { error: {} } }],
  ],
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, index) => index)), some],
  ['64 KiB of zeros', Buffer.alloc(65_536), some],
  [
    'random bytes',
    Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7919 + (i >> 3) * 104729) & 0xff)),
    some,
  ],
  ['ELF', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), junk],
  ['an HTTP request', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', some],
  ['a TLS hello', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]), some],
  ['a message of 1 MiB', padded(MIB), served],
  ['a message of 1 MiB and a byte', padded(MIB + 1), tooLarge(1)],
  ['a message of 8 MiB', padded(8 * MIB), tooLarge(1)],
  ['a message of 64 MiB', padded(64 * MIB), tooLarge(1)],
  [
    'a message of 2 MiB with its id at the end',
    `{"a":"${'x'.repeat(2 * MIB)}","id":1}`,
    [{ value: { error: { code: -32600 } } }],
  ],
  ['2 MiB without a message', 'x'.repeat(2 * MIB), [{ value: { id: null, error: {} } }]],
  [
    'an id of 2 MiB',
    `{"jsonrpc":"2.0","id":"${'x'.repeat(2 * MIB)}"}`,
    [{ value: { error: { code: -32600 } } }],
  ],
  ['2 MiB of openings', '['.repeat(2 * MIB), [{ value: { id: null, error: { code: -32600 } } }]],
  ['2 MiB of quotes', `{"a":"${'\\"'.repeat(MIB)}"}`, [{ value: { error: { code: -32600 } } }]],
  [
    'two messages in one line',
    `${CALL}${CALL.replace(':1,', ':2,')}`,
    named('an error or two answers', (answers) => answers.length > 0),
  ],
  [
    'log text before a message',
    `loading… ${CALL}`,
    named('one or two answers', (answers) => answers.length > 0),
  ],
  ['a message in pieces', [...CALL].map((character) => Buffer.from(character)), served],
  ['headers', `Content-Length: ${CALL.length}\r\n\r\n${CALL}`, served],
  ['headers with LF alone', `Content-Length: ${CALL.length}\n\n${CALL}`, served],
  ['headers in another case', `cOnTeNt-LeNgTh:${CALL.length}\r\nX: y\r\n\r\n${CALL}`, served],
  [
    'headers around a line',
    `Content-Length: ${CALL.length}\r\n\r\n${CALL}${CALL.replace(':1,', ':2,')}\n`,
    [{ value: { id: 1 } }, { value: { id: 2 } }],
  ],
  [
    'a length below zero',
    `Content-Length: -5\r\n\r\n\n${CALL}`,
    named('the call answered', hasAnswer),
  ],
  [
    'a length in hexadecimal',
    `Content-Length: 0x10\r\n\r\n\n${CALL}`,
    named('the call answered', hasAnswer),
  ],
  [
    'a length of text',
    `Content-Length: many\r\n\r\n\n${CALL}`,
    named('the call answered', hasAnswer),
  ],
  [
    'an endless length',
    `Content-Length: 999999999999999\r\n\r\n\n${CALL}`,
    named('the call answered', hasAnswer),
  ],
  [
    'a length beyond numbers',
    `Content-Length: ${'9'.repeat(400)}\r\n\r\n\n${CALL}`,
    named('the call answered', hasAnswer),
  ],
  ['no length', `Content-Type: x\r\n\r\n\n${CALL}`, named('the call answered', hasAnswer)],
  ['a length of zero', `Content-Length: 0\r\n\r\n${CALL}`, named('the call answered', hasAnswer)],
  [
    'two lengths',
    `Content-Length: 5\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
    named('answers', (answers) => answers.length > 0),
  ],
  [
    'a header of 2 MiB',
    `X: ${'a'.repeat(2 * MIB)}\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
    named('answers', (answers) => answers.length > 0),
  ],
  [
    '100,000 headers',
    `${'X: y\r\n'.repeat(100_000)}\r\n\n${CALL}`,
    named('the call answered', hasAnswer),
  ],
  [
    '2,000 junk lines',
    'x\n'.repeat(2_000),
    named('at most 101 errors', (answers) => answers.length <= 101),
  ],
].map(([name, bytes, expected]) => ({ name, bytes, expected }));

function hasAnswer(answers) {
  return answers.some(({ value }) => value?.id === 1 && value.result !== undefined);
}

/** Sends the bytes; the server must have answered them before a request behind them. */
export async function playBytes(server, { bytes, expected }) {
  const count = Array.isArray(expected) ? expected.length : 0;
  if (!Array.isArray(bytes)) return server.exchange(bytes, count);
  for (const piece of bytes) server.write(piece);
  return server.exchange('', count);
}
