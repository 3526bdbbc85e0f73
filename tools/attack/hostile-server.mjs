// A server on stdio that attacks its client in the way it is started with, and answers a request with `pong` where it can.
//
//   node hostile-server.mjs <attack>

const MIB = 1024 * 1024;
const send = (value) =>
  process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
const pong = (id, more = {}) => ({ jsonrpc: '2.0', id, result: 'pong', ...more });
const repeat = (count, make) => {
  for (let index = 0; index < count; index++) send(make(index));
};
const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const fail = (id, error) => send({ jsonrpc: '2.0', id, error });

/** Writes for ever, as fast as the client reads. */
function forEver(text) {
  const more = () => {
    while (process.stdout.write(text));
    process.stdout.once('drain', more);
  };
  more();
}

const AT_START = {
  'exit at once': () => process.exit(1),
  'an answer before the call': () => repeat(10, (id) => pong(id)),
  'ignored signals': () => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => undefined);
  },
};

const AT_CALL = {
  silence: () => undefined,
  'ignored signals': () => undefined,
  'exit at the call': () => process.exit(7),
  'kill itself': () => process.kill(process.pid, 'SIGKILL'),
  garbage: (id) => {
    repeat(1_000, (index) => `log line ${index} {"a":`);
    send(pong(id));
  },
  'binary noise': (id) => {
    process.stdout.write(Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) & 0xff)));
    send('');
    send(pong(id));
  },
  'the same answer 1,000 times': (id) => repeat(1_000, () => pong(id)),
  'answers to other ids': (id) => {
    repeat(1_000, (index) => pong(index + 1_000, { result: 'wrong' }));
    send(pong(id));
  },
  'an answer before the call': (id) => send(pong(id)),
  'an id of 8 MiB': (id) => {
    send(pong('1'.repeat(8 * MIB), { result: 'wrong' }));
    send(pong(id));
  },
  'a duplicate id of 8 MiB': (id) => {
    send(`{"jsonrpc":"2.0","id":"${'a'.repeat(8 * MIB)}","id":9007199254740993,"result":"wrong"}`);
    send(pong(id));
  },
  'the id as text': (id) => send(pong(String(id))),
  'an id of null': () => send(pong(null)),
  'a result and an error': (id) => send({ ...pong(id), error: { code: -1, message: 'both' } }),
  'an error that is text': (id) => fail(id, 'broken'),
  'an error without a message': (id) => fail(id, { code: 'x' }),
  'an error with escapes': (id) =>
    fail(id, { code: -1, message: '\x1b[2J\x1b]0;owned\x07', data: { a: '\x1b[31m' } }),
  'an error of 4 MiB': (id) => fail(id, { code: -1, message: 'x'.repeat(4 * MIB) }),
  'a result with a prototype': (id) =>
    send(`{"jsonrpc":"2.0","id":${id},"result":{"__proto__":{"polluted":true}}}`),
  'a result of 16 MiB': (id) => send(pong(id, { result: 'x'.repeat(16 * MIB) })),
  '100,000 arrays': (id) => send(`{"jsonrpc":"2.0","id":${id},"result":${nested(100_000)}}`),
  'an endless line': () => forEver('x'.repeat(65_536)),
  'an endless length': () => {
    process.stdout.write('Content-Length: 999999999999999\r\n\r\n');
    forEver(' '.repeat(65_536));
  },
  'half a message': (id) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"resu`),
  'a flood of notifications': (id) => {
    repeat(50_000, (index) => ({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: index },
    }));
    send(pong(id));
  },
  'a flood of requests': (id) => {
    repeat(20_000, (index) => ({
      jsonrpc: '2.0',
      id: index,
      method: 'sampling/createMessage',
      params: {},
    }));
    send(pong(id));
  },
  'a flood of progress': (id) => {
    repeat(50_000, (index) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: id, progress: index },
    }));
    send(pong(id));
  },
  'a flood of stderr': (id) => {
    for (let index = 0; index < 200; index++)
      process.stderr.write('x'.repeat(1_000).concat('\n').repeat(100));
    send(pong(id));
  },
  'stderr without a line break': (id) => {
    process.stderr.write('x'.repeat(16 * MIB));
    send(pong(id));
  },
  'escapes on stderr': (id) => {
    process.stderr.write('\x1b[2J\x1b]0;owned\x07\x9b31m\n');
    send(pong(id));
  },
  'escapes on stdout': (id) => {
    send('\x1b[2J\x1b]0;owned\x07');
    send(pong(id));
  },
  'mixed framings': (id) => {
    const other = JSON.stringify(pong(7_777));
    process.stdout.write(`Content-Length: ${other.length}\r\n\r\n${other}`);
    send(pong(id));
  },
};

const attack = process.argv[2];
AT_START[attack]?.();
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id !== undefined && method !== undefined) AT_CALL[attack](id);
  }
});
if (attack === 'ignored signals') setInterval(() => undefined, 1_000);
else process.stdin.on('end', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));
