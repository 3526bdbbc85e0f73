// Another user of the machine, without the token: every path and method is closed but two.

import { oneOf } from '../expectation.mjs';
import { requestText } from '../http-exchange.mjs';
import { TOKEN } from '../http-server.mjs';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

const CLOSED = [
  '/',
  '/rpc',
  '/mcp',
  '/rpc/',
  '/mcp/x',
  '/health/',
  '/HEALTH',
  '//health',
  '/health/../rpc',
  '/%68ealth',
  '/health%00',
  '/health;x',
  '/.well-known',
  '/x/.well-known/y',
  '/%2ewell-known/x',
  '/register',
  '/token',
  '/?x=/health',
  '/rpc?/.well-known/',
  '/index.html',
  `/rpc?token=${TOKEN}`,
  `/rpc?access_token=${TOKEN}`,
  `/mcp?authorization=Bearer%20${TOKEN}`,
  `/${TOKEN}/rpc`,
];
const HEALTH = ['/health', '/health?x=1', '/health?token=x'];
const WELL_KNOWN = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/../rpc',
  '/.well-known/',
];

const swapCase = (text) =>
  text.replace(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));

/** Each with the headers that such a client sends. */
const CLIENTS = {
  'no token': [],
  'an empty header': [['Authorization', '']],
  'a scheme alone': [['Authorization', 'Bearer']],
  'a scheme and a blank': [['Authorization', 'Bearer ']],
  'a wrong token': [['Authorization', 'Bearer wrong']],
  'the token in another case': [['Authorization', `Bearer ${swapCase(TOKEN)}`]],
  'the token in lower case': [['Authorization', `Bearer ${TOKEN.toLowerCase()}`]],
  'the token without its end': [['Authorization', `Bearer ${TOKEN.slice(0, -1)}`]],
  'the token and more': [['Authorization', `Bearer ${TOKEN}x`]],
  'the token twice in a header': [['Authorization', `Bearer ${TOKEN} ${TOKEN}`]],
  'the token in a list': [['Authorization', `Bearer ${TOKEN}, Bearer ${TOKEN}`]],
  'the token in quotes': [['Authorization', `Bearer "${TOKEN}"`]],
  'the token without a scheme': [['Authorization', TOKEN]],
  'the token in another scheme': [['Authorization', `Token ${TOKEN}`]],
  'the token as a password': [
    ['Authorization', `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}`],
  ],
  'the token in base64': [['Authorization', `Bearer ${Buffer.from(TOKEN).toString('base64')}`]],
  'the token in a cookie': [['Cookie', `token=${TOKEN}; Authorization=Bearer ${TOKEN}`]],
  'the token in other headers': [
    ['X-Api-Key', TOKEN],
    ['Proxy-Authorization', `Bearer ${TOKEN}`],
    ['X-Authorization', `Bearer ${TOKEN}`],
  ],
  'the token for another name': [['Authorization2', `Bearer ${TOKEN}`]],
  'a prototype': [['Authorization', 'Bearer __proto__']],
};

/** A header that comes twice is malformed, as RFC 6750 has it: 400 rather than 401, and never served. */
const REPEATED = {
  'a wrong token, then the token': [
    ['Authorization', 'Bearer wrong'],
    ['Authorization', `Bearer ${TOKEN}`],
  ],
  'the token, then a wrong one': [
    ['Authorization', `Bearer ${TOKEN}`],
    ['authorization', 'Bearer wrong'],
  ],
  'the token in two headers': [
    ['Authorization', `Bearer ${TOKEN}`],
    ['AUTHORIZATION', `Bearer ${TOKEN}`],
  ],
};

const BODY =
  '{"jsonrpc":"2.0","id":1,"method":"memory.list_recent","params":{"projectId":"canary"}}';

const refusal = { status: 401, headers: { 'www-authenticate': 'Bearer' }, isSilent: true };
const malformed = { status: 400, isSilent: true };
const health = (method) =>
  /^(?:GET|HEAD)$/.test(method)
    ? { status: 200, body: method === 'GET' ? '{"status":"ok"}' : '', isSilent: true }
    : { status: 405, isSilent: true };

function walk(paths, clients, expected) {
  return Object.entries(clients).flatMap(([client, headers]) =>
    paths.map((path) => ({
      name: `${client}: ${path.replaceAll(TOKEN, '<token>')}`,
      path,
      headers,
      expected: METHODS.map(expected),
    })),
  );
}

/** One case for each client and path; every method is tried in it. */
export const strangers = [
  ...walk(CLOSED, CLIENTS, () => refusal),
  ...walk(CLOSED, REPEATED, () => malformed),
  ...walk(HEALTH, CLIENTS, health),
  ...walk(WELL_KNOWN, CLIENTS, () => ({ status: 404, isSilent: true })),
  ...walk(HEALTH, { 'a foreign page': [['Origin', 'https://evil.example']] }, () => ({
    status: 403,
  })),
  ...walk(['/health', '/rpc'], { 'a foreign name': [['Host', 'evil.example']] }, () => ({
    status: oneOf(403),
  })),
];

/** Tries every method; `isSilent` says that no path, version, note or token came back. */
export async function playStranger(server, { path, headers }) {
  const replies = [];
  for (const method of METHODS) {
    const reply = await server.send(requestText({ method, path, headers, body: BODY }));
    const isSilent = [server.home, TOKEN, '0.1.0', 'copper cage', 'node_modules'].every(
      (word) => !reply.raw.includes(word),
    );
    replies.push({ ...reply, isSilent });
  }
  return replies;
}
