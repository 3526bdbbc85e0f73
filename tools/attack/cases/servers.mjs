// Servers that attack their client, `tincan call`: on stdio and over HTTP.

import { fileURLToPath } from 'node:url';
import { Bench } from '../commands.mjs';
import { oneOf } from '../expectation.mjs';
import { BridgeServer, INITIALIZE } from '../http-server.mjs';
import { openListener } from '../listener.mjs';
import { TINCAN } from '../programs.mjs';

const HOSTILE = fileURLToPath(new URL('../hostile-server.mjs', import.meta.url));

/** The client says that the server failed, in a line and without a trace. */
const gaveUp = { code: 3, signal: null, hasTrace: false, hasEscape: false, stderr: /^tincan: /m };
/** The client got its answer, whatever came besides. */
const answered = { code: 0, signal: null, stdout: /"pong"/, hasTrace: false, hasEscape: false };
/** The client shows the error that the server answered with. */
const failed = { code: 1, signal: null, hasTrace: false, hasEscape: false };
const either = { code: oneOf(0, 1, 3), signal: null, hasTrace: false, hasEscape: false };

const STDIO = {
  silence: gaveUp,
  'exit at once': gaveUp,
  'exit at the call': gaveUp,
  'kill itself': gaveUp,
  garbage: answered,
  'binary noise': answered,
  'the same answer 1,000 times': answered,
  'answers to other ids': answered,
  'an answer before the call': either,
  'an id of 8 MiB': answered,
  'a duplicate id of 8 MiB': answered,
  'the id as text': answered,
  'an id of null': gaveUp,
  'a result and an error': either,
  'an error that is text': either,
  'an error without a message': either,
  'an error with escapes': failed,
  'an error of 4 MiB': failed,
  'a result with a prototype': { code: 0, signal: null, hasTrace: false },
  'a result of 16 MiB': { code: 0, signal: null, hasTrace: false },
  '100,000 arrays': either,
  'an endless line': gaveUp,
  'an endless length': gaveUp,
  'half a message': gaveUp,
  'a flood of notifications': answered,
  'a flood of requests': answered,
  'a flood of progress': answered,
  'a flood of stderr': answered,
  'stderr without a line break': answered,
  'escapes on stderr': answered,
  'escapes on stdout': answered,
  'mixed framings': answered,
  'ignored signals': gaveUp,
};

/** Those that `npm test` meets too: one of each kind, without a wait. */
const QUICK = [
  'exit at the call',
  'garbage',
  'the same answer 1,000 times',
  'a duplicate id of 8 MiB',
  'an error with escapes',
  '100,000 arrays',
  'a flood of stderr',
  'a closed connection',
  'broken JSON',
  'a body without end',
];

export const stdioServers = Object.entries(STDIO).map(([name, expected]) => ({
  name,
  isQuick: QUICK.includes(name),
  expected,
}));

/** How long the client waits for a server that does not answer. */
const LIMIT = ['--timeout', '1500'];

export const openBench = () => Bench.open();

export const playStdioServer = (bench, { name }) =>
  bench.run(TINCAN, [
    'call',
    '--raw',
    '--method',
    'ping',
    '--json',
    ...LIMIT,
    '--',
    process.execPath,
    HOSTILE,
    name,
  ]);

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const flood = (response, text) => {
  const more = () => {
    while (!response.destroyed && response.write(text));
  };
  response.on('drain', more).on('error', () => undefined);
  more();
};

/** How a server over HTTP treats the first request of its client. */
const HTTP = {
  'nothing at all': () => undefined,
  'a closed connection': (_, response) => response.destroy(),
  'a page': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>\x1b[2J</html>'),
  'no content': (_, response) => response.writeHead(204).end(),
  'broken JSON': (_, response) => response.writeHead(200, json).end('{"jsonrpc":'),
  'a list of nothing': (_, response) => response.writeHead(200, json).end('[null,7,"x"]'),
  'an answer to another id': (_, response) =>
    response.writeHead(200, json).end('{"jsonrpc":"2.0","id":"other","result":{}}'),
  'a status of 500 with escapes': (_, response) =>
    response.writeHead(500, json).end('{"error":"\x1b]0;owned\x07"}'),
  'a status of 401': (_, response) =>
    response.writeHead(401, { 'www-authenticate': 'Bearer realm="\\"' }).end(),
  'a redirect to a file': (_, response) =>
    response.writeHead(307, { location: 'file:///etc/passwd' }).end(),
  'a redirect to itself': ({ url }, response) => response.writeHead(307, { location: url }).end(),
  'a redirect to metadata': (_, response) =>
    response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
  'a stream that ends': (_, response) => response.writeHead(200, events).end('data: \n\n'),
  'a stream that stays': (_, response) => response.writeHead(200, events).write(': hello\n\n'),
  'a stream of comments': (_, response) =>
    flood(response.writeHead(200, events), `: ${'x'.repeat(65_536)}\n\n`),
  'a stream of one line': (_, response) =>
    flood(response.writeHead(200, events), 'x'.repeat(65_536)),
  'a stream of other answers': (_, response) =>
    flood(
      response.writeHead(200, events),
      'data: {"jsonrpc":"2.0","id":"x","result":{}}\n\n'.repeat(1_000),
    ),
  'a body without end': (_, response) => flood(response.writeHead(200, json), '[1,'.repeat(20_000)),
  'half a body': (_, response) =>
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('{"jsonrpc"'),
  'headers without end': (_, response) =>
    response.writeHead(200, { ...json, 'x-big': 'a'.repeat(200_000) }).end('{}'),
};

export const httpServers = Object.entries(HTTP).map(([name, answer]) => ({
  name,
  isQuick: QUICK.includes(name),
  answer,
  expected: gaveUp,
}));

export async function playHttpServer(bench, { answer }) {
  const { port, close } = await openListener(answer);
  const url = `http://127.0.0.1:${port}/mcp`;
  const outcome = await bench.run(TINCAN, ['call', '--list', '--json', ...LIMIT, '--url', url]);
  await close();
  return outcome;
}

const passed = { status: 200, body: /"pong"/ };
/** The client hears that the server failed; the bridge goes on. */
const broke = { body: /"error"/ };

/** What the client of a bridge gets when the server behind it attacks the bridge. */
export const bridgedServers = Object.entries({
  'exit at once': broke,
  'exit at the call': broke,
  'kill itself': broke,
  garbage: passed,
  'binary noise': passed,
  'the same answer 1,000 times': passed,
  'answers to other ids': passed,
  'a duplicate id of 8 MiB': passed,
  'an error with escapes': broke,
  'a flood of notifications': { status: 200 },
  'a flood of requests': { status: 200 },
  'a flood of stderr': passed,
  'stderr without a line break': passed,
  'escapes on stderr': passed,
  'mixed framings': passed,
}).map(([name, expected]) => ({
  name,
  isQuick: QUICK.includes(name),
  expected: { ...expected, problem: undefined },
}));

/** Starts a bridge before the server, sends one request, and asks the bridge for its health. */
export async function playBridgedServer(bench, { name }) {
  const bridge = await BridgeServer.start(HOSTILE, name);
  try {
    const reply = await bridge.request({ path: '/mcp', body: INITIALIZE });
    const problem = await bridge.problem();
    bench.peak = Math.max(bench.peak, bridge.program.memory.peak);
    return { ...reply, problem };
  } finally {
    await bridge.close();
  }
}
