// Clients that do not read, do not finish, or leave: memory stays bounded and everyone else is served.

import { connect } from 'node:net';
import { named } from '../expectation.mjs';
import { requestText } from '../http-exchange.mjs';
import { OWNER } from '../http-server.mjs';

const TEXT = 'all work and no play makes a long answer '.repeat(2_200);
const LIST = { projectId: 'readers', limit: 10 };
const LIST_CALL = (id) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'memory.list_recent', params: LIST });

/** Notes that make an answer of some 900 KB. */
async function fill(server) {
  const { result } = await server.call('memory.list_recent', LIST);
  for (let index = result.items.length; index < 10; index++) {
    await server.call('memory.add_note', {
      projectId: 'readers',
      groupId: 'g',
      text: `${index} ${TEXT}`,
    });
  }
}

/** A client on stdio that sends calls and reads nothing until all are sent. */
async function deafParent(server, count) {
  await fill(server);
  server.setReading(false);
  for (let index = 0; index < count; index++) server.write(`${LIST_CALL(index)}\n`);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  server.setReading(true);
  const answers = await server.exchange('', count);
  return { answers: new Set(answers.map(({ value }) => value?.id)).size };
}

/** Connections that send some bytes and then nothing; resolves with what a well-behaved client gets meanwhile. */
async function crowd(server, { count, bytes, isReading = true, ms = 1_000 }) {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
    if (isReading) socket.resume();
    return socket.on('error', () => undefined);
  });
  await new Promise((resolve) => setTimeout(resolve, ms));
  const served = [];
  for (let round = 0; round < 5; round++) served.push((await server.problem()) ?? 'served');
  for (const socket of sockets) socket.destroy();
  return { served };
}

/** The same with clients that ask for much and read nothing. */
async function deafClients(server, options) {
  await fill(server);
  return crowd(server, { ...options, bytes: list, isReading: false });
}

const served = { served: Array.from({ length: 5 }, () => 'served') };
const list = requestText({ headers: [OWNER], body: LIST_CALL(1) });
const halfBody = requestText({ headers: [OWNER, ['Content-Length', '1000']], body: '{"jsonrpc"' });
const halfHead = 'POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ';
const STREAM = requestText({
  method: 'GET',
  path: '/mcp',
  headers: [OWNER, ['Mcp-Session-Id', 'none']],
});

/** With little room, memory that the server needs shows apart from memory that it has not given back yet. */
export const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=200' };

export const stdioReaders = [
  {
    name: '300 answers of 900 KB that nobody reads',
    run: (server) => deafParent(server, 300),
    expected: { answers: 300 },
  },
  {
    name: '1,500 answers of 900 KB that nobody reads',
    isQuick: false,
    run: (server) => deafParent(server, 1_500),
    expected: { answers: 1_500 },
  },
  {
    name: '50,000 calls in one write',
    run: async (server) => {
      const calls = Array.from(
        { length: 50_000 },
        (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"memory.get","params":{"id":"x"}}\n`,
      );
      return { answers: (await server.exchange(calls.join(''), 50_000)).length };
    },
    expected: { answers: 50_000 },
  },
];

export const httpReaders = [
  {
    name: '60 clients that do not read',
    run: (server) => deafClients(server, { count: 60 }),
    expected: served,
  },
  {
    name: '200 clients that do not read',
    isQuick: false,
    run: (server) => deafClients(server, { count: 200, ms: 3_000 }),
    expected: served,
  },
  {
    name: '200 clients that stop within a body',
    run: (server) => crowd(server, { count: 200, bytes: halfBody, ms: 200 }),
    expected: served,
  },
  {
    name: '200 clients that stop within a header',
    run: (server) => crowd(server, { count: 200, bytes: halfHead, ms: 200 }),
    expected: served,
  },
  {
    name: '500 connections that say nothing',
    run: (server) => crowd(server, { count: 500, bytes: '', ms: 200 }),
    expected: served,
  },
  {
    name: '200 streams of no session',
    run: (server) => crowd(server, { count: 200, bytes: STREAM, ms: 200 }),
    expected: served,
  },
  {
    name: '200 clients that leave at once',
    run: async (server) => {
      await Promise.all(
        Array.from(
          { length: 200 },
          () =>
            new Promise((resolve) => {
              const socket = connect(server.port, '127.0.0.1', () =>
                socket.write(list, () => socket.resetAndDestroy()),
              );
              socket.on('error', () => undefined).on('close', resolve);
            }),
        ),
      );
      return { served: [(await server.problem()) ?? 'served'] };
    },
    expected: { served: ['served'] },
  },
  {
    name: 'a body that stalls is cut with 408',
    isQuick: false,
    run: (server) => server.send(halfBody),
    expected: { status: 408 },
  },
  {
    name: 'a body of a byte a time is bounded',
    run: (server) =>
      server.send([
        requestText({ headers: [OWNER, ['Content-Length', '60']], body: '' }),
        ...Array.from({ length: 60 }, () => ' '),
      ]),
    expected: { json: { error: { code: -32700 } } },
  },
  {
    name: '1,000 sessions and then one more',
    run: async (server) => {
      const body =
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';
      const counts = {};
      for (let index = 0; index < 1_005; index++) {
        const { status } = await server.request({ path: '/mcp', body });
        counts[status] = (counts[status] ?? 0) + 1;
      }
      return counts;
    },
    expected: named(
      '1,000 sessions, the rest refused with 503',
      (counts) => counts[200] <= 1_000 && counts[503] >= 5,
    ),
  },
];

/** Those that need nothing of the server behind a bridge. */
export const bridgeReaders = httpReaders.filter(({ name }) =>
  /^\d+ (?:clients that stop|connections)/.test(name),
);

export const playReader = (server, { run }) => run(server);
