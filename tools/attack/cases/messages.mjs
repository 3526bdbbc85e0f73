// JSON-RPC messages that are wrong in every way a message can be, sent over stdio and to `/rpc`.

import { named, oneOf } from '../expectation.mjs';

const CONFIG = '"method":"memory.get_config"';

function call(id, method = 'memory.get_config', rest = '') {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${rest}}`;
}

function error(code, id = null) {
  return [{ value: { id, error: { code } } }];
}

const parseError = error(-32700);
const invalid = (id = null) => error(-32600, id);
const isResult = named('a result', (result) => typeof result === 'object' && result !== null);
const result = (id) => [{ value: { id, result: isResult } }];
const NOTHING = [];

const NOT_JSON = [
  ['an open object', '{'],
  ['an open array', '['],
  ['an open string', '{"jsonrpc":"2.0'],
  ['single quotes', "{'jsonrpc':'2.0','id':1}"],
  ['a trailing comma', '{"jsonrpc":"2.0","id":1,}'],
  ['a comment', '{"jsonrpc":"2.0",/* x */"id":1}'],
  ['a bare key', '{jsonrpc:"2.0"}'],
  ['NaN', '{"jsonrpc":"2.0","id":NaN}'],
  ['Infinity', '{"jsonrpc":"2.0","id":Infinity}'],
  ['a hexadecimal number', '{"jsonrpc":"2.0","id":0x10}'],
  ['a leading zero', '{"jsonrpc":"2.0","id":01}'],
  ['a plus sign', '{"jsonrpc":"2.0","id":+1}'],
  ['a raw tab in a string', '{"jsonrpc":"2.0","id":"\t"}'],
  ['a bad escape', '{"jsonrpc":"2.0","id":"\\x41"}'],
  ['half an escape', '{"jsonrpc":"2.0","id":"\\u12"}'],
  ['two messages', `${call(1)}${call(2)}x`],
  ['undefined', '{"jsonrpc":undefined}'],
  ['a function', '{"jsonrpc":"2.0","id":(()=>1)()}'],
  ['NUL bytes', '{"jsonrpc":"2.0"\0}'],
  ['XML', '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>'],
  ['YAML', '{jsonrpc: "2.0", id: !!js/function "process.exit()"}'],
  ['closings', ']]]]}}}}'],
  ['100,000 openings', '['.repeat(100_000)],
  ['100,000 objects', '{"a":'.repeat(100_000)],
];

const ENVELOPES = [
  ['an empty object', '{}', invalid()],
  ['no version', `{"id":1,${CONFIG}}`, invalid(1)],
  ['version 1.0', `{"jsonrpc":"1.0","id":1,${CONFIG}}`, invalid(1)],
  ['a number as version', `{"jsonrpc":2.0,"id":1,${CONFIG}}`, invalid(1)],
  ['a version with a blank', `{"jsonrpc":"2.0 ","id":1,${CONFIG}}`, invalid(1)],
  ['a list as version', `{"jsonrpc":["2.0"],"id":1,${CONFIG}}`, invalid(1)],
  ['an object as id', call('{"a":1}'), invalid()],
  ['a list as id', call('[1]'), invalid()],
  ['true as id', call('true'), invalid()],
  ['an id beyond every number', call('1e400'), [{ raw: /"id":1e400,/ }]],
  ['an id of 2,000 digits', call('9'.repeat(2_000)), invalid()],
  ['an id of 900,000 digits', call('9'.repeat(900_000)), invalid()],
  ['an id beyond 2^53', call('9007199254740993'), [{ raw: /"id":9007199254740993,/ }]],
  [
    'an id that rounds to a neighbour',
    call('9007199254740992'),
    [{ raw: /"id":9007199254740992,/ }],
  ],
  ['a fraction as id', call('1.5'), result(1.5)],
  ['minus zero as id', call('-0'), result(0)],
  ['an empty id', call('""'), result('')],
  ['an id with NUL', call('"a\\u0000b"'), result('a\0b')],
  ['an id with a line break', call('"a\\nb"'), result('a\nb')],
  ['an id that is half a character', call('"\\ud800"'), [{ raw: /"id":"\\ud800"/ }]],
  ['an id of 100,000 characters', call(`"${'a'.repeat(100_000)}"`), result('a'.repeat(100_000))],
  ['an id that looks like a prototype', call('"__proto__"'), result('__proto__')],
  ['an id twice', `{"jsonrpc":"2.0","id":1,"id":2,${CONFIG}}`, result(2)],
  [
    'a long id, then a large one',
    `{"jsonrpc":"2.0","id":"${'a'.repeat(500_000)}","id":9007199254740993,${CONFIG}}`,
    [{ raw: /"id":9007199254740993,/ }],
  ],
  ['a method twice', `{"jsonrpc":"2.0","id":1,"method":"memory.delete",${CONFIG}}`, result(1)],
  ['a prototype with the members', `{"__proto__":{"jsonrpc":"2.0","id":1,${CONFIG}}}`, invalid()],
  ['no method', '{"jsonrpc":"2.0","id":1}', invalid(1)],
  ['a number as method', '{"jsonrpc":"2.0","id":1,"method":7}', invalid(1)],
  ['null as method', '{"jsonrpc":"2.0","id":1,"method":null}', invalid(1)],
  ['a list as method', '{"jsonrpc":"2.0","id":1,"method":["memory.get_config"]}', invalid(1)],
  ['an object as method', '{"jsonrpc":"2.0","id":1,"method":{"toString":1}}', invalid(1)],
  ['text as params', call(1, undefined, ',"params":"x"'), invalid(1)],
  ['a number as params', call(1, undefined, ',"params":7'), invalid(1)],
  ['true as params', call(1, undefined, ',"params":true'), invalid(1)],
  ['null as params', call(1, undefined, ',"params":null'), result(1)],
  ['a list as params', call(1, undefined, ',"params":[1]'), error(-32602, 1)],
  ['a request and an answer at once', `{"jsonrpc":"2.0","id":1,${CONFIG},"result":1}`, result(1)],
  ['an answer to nothing', '{"jsonrpc":"2.0","id":1,"result":{}}', NOTHING],
  ['an error to nothing', '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', NOTHING],
  ['a notification', `{"jsonrpc":"2.0",${CONFIG}}`, NOTHING],
  ['a notification of nothing', '{"jsonrpc":"2.0","method":"no/such"}', NOTHING],
  [
    'a notification that fails',
    '{"jsonrpc":"2.0","method":"memory.get","params":{"id":7}}',
    NOTHING,
  ],
  [
    'cancel of nothing',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"no"}}',
    NOTHING,
  ],
  [
    'cancel of an object',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}',
    NOTHING,
  ],
  ['cancel without params', '{"jsonrpc":"2.0","method":"notifications/cancelled"}', NOTHING],
  ['cancel of 1e21', '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1e21}}', NOTHING],
  [
    'cancel of a prototype',
    '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"__proto__":{"id":1}}}',
    NOTHING,
  ],
  [
    'progress of nothing',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"no","progress":1e308}}',
    NOTHING,
  ],
  [
    'progress without a token',
    '{"jsonrpc":"2.0","method":"$/progress","params":{"value":[]}}',
    NOTHING,
  ],
  [
    'progress with a list as token',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":[[]],"progress":"x"}}',
    NOTHING,
  ],
  ['a byte order mark', `\ufeff${call(1)}`, result(1)],
  ['blanks around', `  \t ${call(1)} \t `, result(1)],
];

const NO_METHODS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'memory',
  'memory.',
  'memory.__proto__',
  'memory.constructor',
  'memory.get_config ',
  ' memory.get_config',
  'Memory.get_config',
  'MEMORY.GET_CONFIG',
  'memory/get_config',
  'memory_get_config',
  'memory.get_config\0',
  'memory.get\u200b_config',
  'memory.get_confіg',
  '../memory.get_config',
  'memory.get_config;memory.delete',
  'rpc.discover',
  'rpc.',
  '$/',
  'system.listMethods',
  'eval',
  'process.exit',
  'require',
  '\ud800',
  'x'.repeat(900_000),
].map((method) => [
  `the method ${JSON.stringify(method).slice(0, 60)}`,
  call(1, method),
  error(-32601, 1),
]);

const notification = `{"jsonrpc":"2.0",${CONFIG}}`;
const many = (count, make) =>
  `[${Array.from({ length: count }, (_, index) => make(index)).join(',')}]`;
const sized = (length) => [
  { value: named(`${length} answers`, (value) => value?.length === length) },
];

const BATCHES = [
  ['an empty one', '[]', invalid()],
  [
    'of numbers',
    '[1,2]',
    [{ value: [{ id: null, error: { code: -32600 } }, { error: { code: -32600 } }] }],
  ],
  ['of nothing', '[null]', [{ value: [{ id: null, error: { code: -32600 } }] }]],
  ['inside a batch', `[[${call(1)}]]`, [{ value: [{ id: null, error: { code: -32600 } }] }]],
  ['of notifications', `[${notification},${notification}]`, NOTHING],
  ['of answers', '[{"jsonrpc":"2.0","id":1,"result":1}]', NOTHING],
  [
    'with an id twice',
    `[${call(1)},${call(1)}]`,
    [
      {
        value: [
          { id: 1, result: isResult },
          { id: 1, error: { code: -32600 } },
        ],
      },
    ],
  ],
  [
    'of good and bad',
    `[${call(1)},7,${notification},${call(2, 'no')}]`,
    [{ value: [{ id: 1, result: isResult }, { id: null }, { id: 2, error: { code: -32601 } }] }],
  ],
  ['of 10,000 unknown methods', many(10_000, (index) => call(index, 'no')), sized(10_000)],
  ['of 10,001', many(10_001, (index) => call(index, 'no')), invalid()],
  ['of 100,000', many(100_000, () => '{}'), invalid()],
  ['of 400,000 numbers', many(400_000, () => '1'), invalid()],
  [
    'that cancels its own',
    `[${call(7, 'memory.no')},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}]`,
    [{ value: [{ id: 7 }] }],
  ],
  ['of 2,000 calls', many(2_000, (index) => call(index)), sized(2_000)],
].map(([name, ...rest]) => [`a batch ${name}`, ...rest]);

const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const set = (value) =>
  call(
    1,
    'memory.upsert_global',
    `,"params":{"projectId":"deep","key":"global.d","value":${value}}`,
  );
const refused = [{ value: { id: 1, error: { code: oneOf(-32602, -32600) } } }];

const NESTED = [
  ['64 arrays', set(nested(64)), result(1)],
  ['5,000 arrays', set(nested(5_000)), refused],
  ['100,000 arrays', set(nested(100_000)), refused],
  ['250,000 arrays', set(nested(250_000)), refused],
  ['50,000 objects', set(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`), refused],
  ['100,000 arrays as id', call(nested(100_000)), invalid()],
  [
    '100,000 arrays as params',
    call(1, 'memory.get', `,"params":${nested(100_000)}`),
    error(-32602, 1),
  ],
  [
    '100,000 arrays as a note',
    call(
      1,
      'memory.add_note',
      `,"params":{"projectId":"p","groupId":"g","text":${nested(100_000)}}`,
    ),
    error(-32602, 1),
  ],
  [
    '100,000 arrays as metadata',
    call(
      1,
      'memory.add_note',
      `,"params":{"projectId":"p","groupId":"g","text":"x","metadata":{"a":${nested(100_000)}}}`,
    ),
    refused,
  ],
  [
    '100,000 arrays as an unknown member',
    `{"jsonrpc":"2.0","id":1,${CONFIG},"x":${nested(100_000)}}`,
    result(1),
  ],
].map(([name, ...rest]) => [`nesting: ${name}`, ...rest]);

/** Every message with the answers it must get. */
export const messages = [
  ...NOT_JSON.map(([name, text]) => [`not JSON: ${name}`, text, parseError]),
  ...['7', '-1', '"x"', 'true', 'null'].map((text) => [
    `not a message: ${text}`,
    text,
    [{ value: { id: null, error: { code: oneOf(-32600, -32700) } } }],
  ]),
  ...ENVELOPES,
  ...NO_METHODS,
  ...BATCHES,
  ...NESTED,
].map(([name, text, expected]) => ({ name, text, expected }));
