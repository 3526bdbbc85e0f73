import { describe, expect, it } from 'vitest';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import { Line } from '../support/lines.ts';

const MIB = 1024 * 1024;
const LARGE = '9007199254740993';

/** Messages of about `size` characters that take parsers, patterns and stacks to their limits. */
const HOSTILE: [name: string, make: (size: number) => string][] = [
  [
    'an id twice, a long string and a large integer',
    (n) => `{"jsonrpc":"2.0","method":"ping","id":"${'a'.repeat(n)}","id":${LARGE}}`,
  ],
  [
    'the same with a string of escapes',
    (n) => `{"jsonrpc":"2.0","method":"ping","id":"${'\\n'.repeat(n / 2)}","id":${LARGE}}`,
  ],
  ['an id of digits', (n) => `{"jsonrpc":"2.0","method":"ping","id":${'9'.repeat(n)}}`],
  ['a string as id', (n) => `{"jsonrpc":"2.0","method":"ping","id":"${'a'.repeat(n)}"}`],
  ['an answer with a string of digits as id', (n) => `{"id":"${'1'.repeat(n)}","result":1}`],
  ['an answer with a nested id', (n) => `{"id":${nested(n / 8)},"result":1}`],
  ['an error with nested data', (n) => `{"id":null,"error":{"code":1,"data":${nested(n / 8)}}}`],
  ['nested params', (n) => `{"jsonrpc":"2.0","id":1,"method":"echo","params":${nested(n / 8)}}`],
  ['nested arrays', (n) => nested(n / 8)],
  [
    'a cancellation with an id twice',
    (n) =>
      `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"${'a'.repeat(n)}","id":${LARGE}}}`,
  ],
  [
    'a cancellation of an id of digits',
    (n) => `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":${'9'.repeat(n)}}}`,
  ],
  ['blanks', (n) => ' '.repeat(n)],
  ['NUL bytes', (n) => '\0'.repeat(n)],
  ['openings', (n) => '{"'.repeat(n / 2)],
  ['openings behind text', (n) => `log ${'[{"a":'.repeat(n / 6)}`],
  ['a header name', (n) => 'a'.repeat(n)],
  ['a header of blanks', (n) => `a${' '.repeat(n)}:`],
  ['carriage returns', (n) => `x${'\r'.repeat(n)}`],
  ['backslashes', (n) => `{"a":"${'\\'.repeat(n)}`],
];

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

async function survives(role: 'server' | 'client', message: string): Promise<void> {
  const methods = new Dispatcher({ ping: () => 'pong', echo: (params) => params });
  const line = new Line({ role, methods });
  const asked = line.peer.request('still there?');
  const { id } = await line.hear();
  line.toPeer.write(`${message}\n`);
  line.say({ jsonrpc: '2.0', id, result: 'yes' });
  line.say({ jsonrpc: '2.0', id: 'after', method: 'ping' });
  expect(await asked).toBe('yes');
  let last = await line.hear();
  while (last.id !== 'after') last = await line.hear();
  expect(last.result).toBe('pong');
}

describe.each(['server', 'client'] as const)('the %s end lives on after', (role) => {
  it.each(HOSTILE)('%s, 8 MiB', (_name, make) => survives(role, make(8 * MIB)), 60_000);

  it('an id twice, as long as a message may be', async () => {
    const [, make] = HOSTILE[0] ?? [];
    await survives(role, make?.(64 * MIB - 100) ?? '');
  }, 60_000);
});

describe('a handler that gives a thenable which settles', () => {
  type Settle = (value: unknown) => void;
  it.each<[string, (yes: Settle, no: Settle) => void]>([
    ['twice with a value', (yes) => [yes('first'), yes('second')]],
    ['with a value, then with an error', (yes, no) => [yes('first'), no(new Error('second'))]],
    [
      'with a value, then throws',
      (yes) => {
        yes('first');
        throw new Error('second');
      },
    ],
  ])('%s is answered once, and takes one place of `maxConcurrency`', async (_how, settle) => {
    let running = 0;
    let most = 0;
    const wait = async (): Promise<string> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return 'waited';
    };
    // biome-ignore lint/suspicious/noThenProperty: the point of the test
    const methods = new Dispatcher({ odd: () => ({ then: settle }), wait });
    const line = new Line({ role: 'server', methods, maxConcurrency: 1 });
    const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
    line.say(request(1, 'odd'), request(2, 'odd'), request(3, 'wait'), request(4, 'wait'));
    const answers = [await line.hear(), await line.hear(), await line.hear(), await line.hear()];
    expect(answers.map(({ id, result }) => [id, result])).toEqual([
      [1, 'first'],
      [2, 'first'],
      [3, 'waited'],
      [4, 'waited'],
    ]);
    expect(await line.rest()).toEqual([]);
    expect([most, line.peer.active]).toEqual([1, 0]);
  });
});

describe('a message that cannot be processed', () => {
  const methods = {
    find: (name: string) => {
      if (name === 'bad') throw new Error('no such table');
      return () => 'pong';
    },
  };

  it('is answered with -32603 and reported, and the next one is served', async () => {
    const line = new Line({ role: 'server', methods });
    line.say({ jsonrpc: '2.0', id: 1, method: 'bad' }, { jsonrpc: '2.0', method: 'bad' });
    line.say({ jsonrpc: '2.0', id: 2, method: 'good' });
    expect([await line.hear(), await line.hear()]).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } },
      { jsonrpc: '2.0', id: 2, result: 'pong' },
    ]);
    const remark = { code: 'message-failed', message: 'a message could not be processed' };
    expect(line.remarks).toMatchObject([remark, remark]);
    expect(line.remarks[0]?.cause).toMatchObject({ message: 'no such table' });
  });
});
