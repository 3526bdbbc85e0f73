// HTTP requests, byte by byte: headers, lengths, methods, paths and bodies that servers and proxies read differently.

import { named, oneOf } from '../expectation.mjs';
import { requestText } from '../http-exchange.mjs';
import { OWNER } from '../http-server.mjs';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"memory.get_config"}';
const DELETE =
  '{"jsonrpc":"2.0","id":1,"method":"memory.group_list","params":{"projectId":"canary"}}';
const SMUGGLED = requestText({ headers: [OWNER], body: DELETE });

const served = { status: 200, json: { id: 1, result: {} } };
const status = (...codes) => ({ status: oneOf(...codes) });
/** Refused by the parser, or the connection closed without a word. */
const broken = {
  status: oneOf(400, undefined),
  count: named('at most one response', (count) => count <= 1),
};

/** A request of before HTTP/1.0 gets no more than anyone may have. */
const old = {
  status: oneOf(200, 400, 403, undefined),
  body: oneOf('', '{"status":"ok"}', /"error"/),
};

const post = (headers, expected, more = {}) => ({
  bytes: requestText({ headers: [OWNER, ...headers], body: CALL, ...more }),
  expected,
});
const raw = (text, expected, options) => ({ bytes: text, expected, options });
const head = (lines, body = '') =>
  `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${OWNER[1]}\r\nContent-Type: application/json\r\n${lines}\r\n\r\n${body}`;

const HOSTS = {
  'evil.example': 403,
  'evil.example:80': 403,
  '127.0.0.1.evil.example': 403,
  'localhost.evil.example': 403,
  'localhost@evil.example': 403,
  'evil.example#localhost': 403,
  'localhost evil.example': oneOf(400, 403),
  'localhost, evil.example': 403,
  'localhost:80:80': 403,
  '[::1].evil.example': 403,
  '0.0.0.0': 403,
  127.1: 403,
  2130706433: 403,
  '': oneOf(400, 403),
  'LOCALHOST:1': 200,
  '[::1]:1': 200,
};

const ORIGINS = {
  'https://evil.example': 403,
  null: 403,
  'http://localhost.evil.example': 403,
  'http://evil.example/localhost': 403,
  'http://localhost@evil.example': 403,
  'http://evil.example#@localhost': 403,
  'file://': 403,
  'chrome-extension://abc': 403,
  '': oneOf(200, 403),
  'http://localhost:3000': 200,
};

const TYPES = [
  'text/plain',
  'text/plain; application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/jsonx',
  'application/ld+json',
  'json',
  'application/*',
  '*/*',
  '',
  'text/json',
];

const LENGTHS = ['-1', '+53', '0x35', '5e1', '53, 53', '53;', ' ', 'many', '9'.repeat(40), '1 2'];

const TARGETS = [
  '/../../etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '//rpc',
  '/rpc/',
  '/rpc/x',
  '/RPC',
  '/rpc%00',
  '/%72pc',
  '/rpc;x=1',
  '/rpc%3fx',
  '/.',
  '/..',
  '/mcp/',
  '/mcp/../rpc',
  '/health/../rpc',
  '/.well-known/../rpc',
  '/\\rpc',
  '/rpc\\',
  '/rpc#x',
  'rpc',
  '*',
  'http://127.0.0.1/rpc',
  'http://evil.example/rpc',
  '/?/rpc',
  '/favicon.ico',
  '/.env',
  '/.git/config',
  '/admin',
];

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];

const CASES = {
  ...Object.fromEntries(
    Object.entries(HOSTS).map(([host, code]) => [
      `Host: ${host}`,
      post([['Host', host]], { status: code }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ORIGINS).map(([origin, code]) => [
      `Origin: ${origin}`,
      post([['Origin', origin]], { status: code }),
    ]),
  ),
  ...Object.fromEntries(
    TYPES.map((type) => [`Content-Type: ${type}`, post([['Content-Type', type]], status(415))]),
  ),
  ...Object.fromEntries(
    LENGTHS.map((length) => [
      `Content-Length: ${length}`,
      post([['Content-Length', length]], { status: oneOf(400, 413, undefined) }),
    ]),
  ),
  ...Object.fromEntries(
    TARGETS.map((path) => [`the path ${path}`, post([], status(404, 400, 403), { path })]),
  ),
  ...Object.fromEntries(
    METHODS.map((method) => [`${method} /rpc`, post([], status(405), { method })]),
  ),
  'no Host': raw(`GET /health HTTP/1.1\r\nConnection: close\r\n\r\n`, status(400)),
  'two Hosts': post(
    [
      ['Host', 'localhost'],
      ['Host', 'evil.example'],
    ],
    status(400),
  ),
  'two Hosts in other cases': post(
    [
      ['hOST', 'localhost'],
      ['HosT', 'localhost'],
    ],
    status(400),
  ),
  'two tokens': post([OWNER], status(400)),
  'two Origins': post(
    [
      ['Origin', 'http://localhost'],
      ['Origin', 'http://evil.example'],
    ],
    status(200, 400, 403),
  ),
  'a Host with a line break': raw(`GET /health HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n`, broken),
  'a folded header': raw(
    head('X: a\r\n b\r\nConnection: close\r\nContent-Length: 0'),
    status(200, 400),
  ),
  'a blank before the colon': raw(head('Content-Length : 0'), broken),
  'a header without a colon': raw(head('Nonsense\r\nContent-Length: 0'), broken),
  'a header without a name': raw(head(': x\r\nContent-Length: 0'), broken),
  'NUL in a header': raw(head('X: a\0b\r\nContent-Length: 0'), broken),
  'CR in a header': raw(head('X: a\rb\r\nContent-Length: 0'), broken),
  'a control in a header name': raw(head('X\x01Y: a\r\nContent-Length: 0'), broken),
  'line feeds alone': raw(head('Content-Length: 0').replaceAll('\r\n', '\n'), {
    status: oneOf(400, undefined),
  }),
  'a blank in the path': raw(`GET /health /x HTTP/1.1\r\nHost: localhost\r\n\r\n`, broken),
  'a line break in the path': raw(`GET /health\r\nX: HTTP/1.1\r\nHost: localhost\r\n\r\n`, old),
  'a line break in a closed path': raw(`GET /rpc\r\nX: HTTP/1.1\r\nHost: localhost\r\n\r\n`, {
    status: oneOf(400, 401, undefined),
  }),
  'an escaped line break in the path': post(
    [],
    { status: 404, headers: { 'set-cookie': undefined } },
    { path: '/x%0d%0aSet-Cookie:%20a=b' },
  ),
  'an escaped line break in a header': post([['Origin', 'http://evil.example%0d%0aX: y']], {
    status: 403,
    headers: { x: undefined },
  }),
  'no version': raw('GET /health\r\n\r\n', old),
  'version 0.9': raw('GET /health HTTP/0.9\r\nHost: localhost\r\n\r\n', old),
  'version 3.0': raw('GET /health HTTP/3.0\r\nHost: localhost\r\n\r\n', {
    status: oneOf(400, 505, undefined),
  }),
  'version 1.0 with the token': raw(
    `POST /rpc HTTP/1.0\r\nHost: localhost\r\nAuthorization: ${OWNER[1]}\r\nContent-Type: application/json\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
    served,
  ),
  'the preface of HTTP/2': raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', {
    status: oneOf(400, 505, undefined),
  }),
  'a TLS hello': raw(Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]), broken),
  'a JSON-RPC line': raw(`${CALL}\n`, broken),
  'binary noise': raw(
    Buffer.from(Array.from({ length: 2_048 }, (_, i) => (i * 7919) & 0xff)),
    broken,
  ),
  'an unknown method': raw('FOO /rpc HTTP/1.1\r\nHost: localhost\r\n\r\n', broken),
  'a method in lower case': raw('get /health HTTP/1.1\r\nHost: localhost\r\n\r\n', broken),
  CONNECT: raw(
    `CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${OWNER[1]}\r\n\r\n`,
    { status: undefined, isClosed: true },
  ),
  'an upgrade': raw(
    `GET /rpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${OWNER[1]}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    status(400, 405, 426),
  ),
  'an upgrade to HTTP/2': raw(
    head(
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\nContent-Length: 0',
    ),
    status(200, 400, 405),
  ),
  'an expectation': raw(
    head('Expect: 100-continue\r\nConnection: close\r\nContent-Length: 53', CALL),
    { raw: /HTTP\/1\.1 200/ },
    { all: true },
  ),
  'an unknown expectation': raw(
    head('Expect: money\r\nConnection: close\r\nContent-Length: 53', CALL),
    status(417),
  ),
  'length and chunks': raw(
    head('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SMUGGLED}`),
    broken,
    { all: true },
  ),
  'chunks and length': raw(
    head('Transfer-Encoding: chunked\r\nContent-Length: 400', `0\r\n\r\n${SMUGGLED}`),
    broken,
    { all: true },
  ),
  'two lengths': raw(
    head(`Content-Length: 0\r\nContent-Length: 53\r\nConnection: close`, CALL),
    broken,
    { all: true },
  ),
  'two equal lengths': raw(
    head('Content-Length: 53\r\nContent-Length: 53\r\nConnection: close', CALL),
    broken,
    { all: true },
  ),
  'chunked twice': raw(head('Transfer-Encoding: chunked, chunked', '0\r\n\r\n'), {
    status: oneOf(200, 400, 501, undefined),
  }),
  'chunked, then not': raw(head('Transfer-Encoding: chunked, identity', '0\r\n\r\n'), {
    status: oneOf(400, 501, undefined),
  }),
  'not quite chunked': raw(head('Transfer-Encoding: xchunked', '0\r\n\r\n'), {
    status: oneOf(400, 501, undefined),
  }),
  'chunked behind a tab': raw(head('Transfer-Encoding:\x0bchunked', '0\r\n\r\n'), {
    status: oneOf(400, 501, undefined),
  }),
  'a chunk size beyond numbers': raw(
    head('Transfer-Encoding: chunked', 'ffffffffffffffffff\r\nx'),
    broken,
  ),
  'a negative chunk': raw(head('Transfer-Encoding: chunked', '-1\r\nx\r\n0\r\n\r\n'), broken),
  'a chunk without its end': raw(
    head('Transfer-Encoding: chunked\r\nConnection: close', '5\r\nabcdefgh\r\n0\r\n\r\n'),
    broken,
  ),
  'a chunk with a long extension': raw(
    head('Transfer-Encoding: chunked', `1;${'x'.repeat(200_000)}\r\n{\r\n0\r\n\r\n`),
    { status: oneOf(400, 413, undefined) },
  ),
  'trailers that would be headers': raw(
    head(
      'Transfer-Encoding: chunked\r\nConnection: close',
      `35\r\n${CALL}\r\n0\r\nHost: evil.example\r\nAuthorization: x\r\n\r\n`,
    ),
    served,
  ),
  'a header of 1 MiB': raw(head(`X: ${'a'.repeat(1_048_576)}\r\nContent-Length: 0`), {
    status: oneOf(431, undefined),
  }),
  'a name of 1 MiB': raw(head(`${'a'.repeat(1_048_576)}: x\r\nContent-Length: 0`), {
    status: oneOf(431, undefined),
  }),
  'a path of 1 MiB': raw(`GET /${'a'.repeat(1_048_576)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, {
    status: oneOf(414, 431, undefined),
  }),
  '50,000 headers': raw(head(`${'X: y\r\n'.repeat(50_000)}Content-Length: 0`), {
    status: oneOf(400, 431, undefined),
  }),
  'headers without end': raw(
    `GET /health HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(100_000)}`,
    { status: oneOf(400, 431, undefined) },
  ),
  'a token of 10 KB': raw(
    requestText({ headers: [['Authorization', `Bearer ${'a'.repeat(10_000)}`]] }),
    status(401),
  ),
  'a body of 1 MiB and a byte': post([], status(413), { body: CALL.padEnd(1_048_577) }),
  'a body of 8 MiB': post([['Connection', 'keep-alive']], status(413), {
    body: CALL.padEnd(8 * 1_048_576),
  }),
  'a promised body of 1 TB': raw(
    head('Content-Length: 1000000000000\r\nConnection: close'),
    status(413),
  ),
  'chunks of 8 MiB': raw(
    [
      head('Transfer-Encoding: chunked'),
      ...Array.from({ length: 128 }, () => `10000\r\n${' '.repeat(65_536)}\r\n`),
      '0\r\n\r\n',
    ],
    status(413),
  ),
  '100,000 chunks of a byte': raw(
    head(
      'Transfer-Encoding: chunked\r\nConnection: close',
      `${'1\r\n \r\n'.repeat(100_000)}35\r\n${CALL}\r\n0\r\n\r\n`,
    ),
    served,
  ),
  'an empty body': post([], { json: { id: null, error: { code: -32700 } } }, { body: '' }),
  'a compressed body': post(
    [['Content-Encoding', 'gzip']],
    { json: { error: { code: -32700 } } },
    { body: '\x1f\x8b\x08\x00\x00\x00\x00\x00' },
  ),
  'a body in UTF-16': raw(
    [head('Content-Length: 108\r\nConnection: close'), Buffer.from(`\ufeff${CALL}`, 'utf16le')],
    { json: { error: { code: -32700 } } },
  ),
  'a body that is not UTF-8': raw(
    [
      head('Content-Length: 6\r\nConnection: close'),
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    ],
    { json: { error: {} } },
  ),
  'a form': post([['Content-Type', 'application/x-www-form-urlencoded']], status(415), {
    body: `{"jsonrpc":"2.0","x":"=","id":1}`,
  }),
  '8 requests in one': raw(
    requestText({ headers: [OWNER, ['Connection', 'keep-alive']], body: CALL }).repeat(7) +
      requestText({ headers: [OWNER], body: CALL }),
    { count: 8 },
    { all: true },
  ),
  '1,000 requests in one': raw(
    requestText({ headers: [OWNER, ['Connection', 'keep-alive']], body: CALL }).repeat(1_000),
    { count: named('at most 16 responses', (count) => count <= 16), isClosed: true },
    { all: true },
  ),
  'a method in a header': post([['X-HTTP-Method-Override', 'DELETE']], served),
  'an address in a header': post(
    [
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Forwarded-For', '127.0.0.1'],
      ['Forwarded', 'host=evil.example'],
    ],
    served,
  ),
  'a rewritten path': post(
    [
      ['X-Original-URL', '/admin'],
      ['X-Rewrite-URL', '/mcp'],
    ],
    served,
  ),
  'a preflight of a page': post(
    [
      ['Origin', 'https://evil.example'],
      ['Access-Control-Request-Method', 'POST'],
    ],
    { status: 403, headers: { 'access-control-allow-origin': undefined } },
    { method: 'OPTIONS' },
  ),
};

export const requests = Object.entries(CASES).map(([name, one]) => ({ name, ...one }));

export const playRequest = (server, { bytes, options }) => server.send(bytes, options);
