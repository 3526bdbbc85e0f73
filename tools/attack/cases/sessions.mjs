// Sessions at `/mcp`: ids that are guessed, headers that contradict the body, and calls of others.

import { oneOf } from '../expectation.mjs';
import { requestText } from '../http-exchange.mjs';
import { INITIALIZE, OWNER, openSession } from '../http-server.mjs';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const unknown = { status: 404 };
const META = 'io.modelcontextprotocol/';
const MODERN = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      [`${META}protocolVersion`]: '2026-07-28',
      [`${META}clientInfo`]: { name: 'x', version: '1' },
      [`${META}clientCapabilities`]: {},
    },
  },
});
const modernHeaders = [
  ['Mcp-Protocol-Version', '2026-07-28'],
  ['Mcp-Method', 'tools/list'],
];

const post = (name, headers, body, expected) => ({
  name,
  request: { path: '/mcp', headers, body },
  expected,
});
const other = (method, name, headers, expected) => ({
  name: `${method} ${name}`,
  request: { method, path: '/mcp', headers },
  expected,
});

const IDS = [
  'x',
  '__proto__',
  'constructor',
  '',
  '0',
  '*',
  '../x',
  '00000000-0000-0000-0000-000000000000',
  "' OR 1=1 --",
  'a'.repeat(8_000),
];

export const sessions = [
  ...IDS.map((id) =>
    post(`the session ${id.slice(0, 40)}`, [['Mcp-Session-Id', id]], PING, unknown),
  ),
  ...IDS.map((id) =>
    other('DELETE', `the session ${id.slice(0, 40)}`, [['Mcp-Session-Id', id]], unknown),
  ),
  ...IDS.map((id) =>
    other('GET', `the session ${id.slice(0, 40)}`, [['Mcp-Session-Id', id]], unknown),
  ),
  post('no session', [], PING, { status: 400 }),
  other('GET', 'without a session', [], { status: 405 }),
  other('DELETE', 'without a session', [], { status: 405 }),
  other('PUT', 'of anything', [], { status: 405 }),
  post(
    'two sessions',
    [
      ['Mcp-Session-Id', 'a'],
      ['Mcp-Session-Id', 'b'],
    ],
    PING,
    { status: oneOf(400, 404) },
  ),
  post('a session in initialize', [['Mcp-Session-Id', 'mine']], INITIALIZE, {
    status: 200,
    headers: { 'mcp-session-id': /^[0-9a-f-]{36}$/ },
  }),
  post(
    'an unsupported version',
    [
      ['Mcp-Protocol-Version', '1900-01-01'],
      ['Mcp-Session-Id', 'x'],
    ],
    PING,
    { status: oneOf(400, 404) },
  ),
  post('nothing accepted', [['Accept', 'text/html']], PING, { status: 406 }),
  post('plain text', [['Content-Type', 'text/plain']], PING, { status: 415 }),
  post('a patch', [['Content-Type', 'application/json-patch+json']], PING, { status: 415 }),
  post('no JSON', [], '{', { status: 400 }),
  post('a number', [], '7', { status: 400 }),
  post('null', [], 'null', { status: 400 }),
  post('an empty batch', [], '[]', { status: 400 }),
  post('a batch of null', [], '[null]', { status: 400 }),
  post('two initializes at once', [], `[${INITIALIZE},${INITIALIZE}]`, { status: 400 }),
  post('a body of 2 MiB', [['Connection', 'keep-alive']], PING.padEnd(2_097_152), { status: 413 }),
  post('a modern request', modernHeaders, MODERN, { status: 200 }),
  post(
    'a modern request with another method in its header',
    [
      ['Mcp-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', 'tools/call'],
    ],
    MODERN,
    { status: 400 },
  ),
  post(
    'a modern request with another version in its header',
    [
      ['Mcp-Protocol-Version', '2025-11-25'],
      ['Mcp-Method', 'tools/list'],
    ],
    MODERN,
    { status: 400 },
  ),
  post('a modern request without headers', [], MODERN, { status: 400 }),
  post('a modern header on a legacy request', modernHeaders, LIST, { status: 400 }),
];

/** Sends one request with the token. */
export const playSession = (server, { request }) =>
  server.send(requestText({ ...request, headers: [OWNER, ...request.headers] }), {
    headOnly: true,
  });

const search = (id) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"memory_search","arguments":{"projectId":"canary","query":"canary"}}}`;
const cancel = (id) =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
const answer = (id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
const progress = (id) =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id},"progress":1}}`;

/** While one session calls, another sends what would end or answer the call if it were its own. */
export const neighbours = [
  ['cancels the same id', cancel],
  ['cancels it in a batch', (id) => `[${cancel(id)},${cancel(`"${id}"`)}]`],
  ['answers the same id', answer],
  ['reports progress of the same id', progress],
].map(([name, make]) => ({
  name: `a neighbour ${name}`,
  make,
  expected: Array.from({ length: 20 }, () => ({ status: 200, body: /copper cage/ })),
}));

export async function playNeighbour(server, { make }) {
  const [mine, theirs] = [await openSession(server), await openSession(server)];
  const send = (session, body) =>
    server.request({ path: '/mcp', headers: [['Mcp-Session-Id', session]], body });
  const calls = Array.from({ length: 20 }, (_, id) => send(mine, search(id)));
  const attacks = Array.from({ length: 20 }, (_, id) => send(theirs, make(id)));
  await Promise.all(attacks);
  return Promise.all(calls);
}
