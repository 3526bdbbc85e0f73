// On one connection: cancellations, answers and progress that name a running call, or nearly name it.

const text = 'a long text that takes a while to store '.repeat(2_000);
let notes = 0;
const call = (id) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'memory.add_note',
    params: { projectId: 'cancels', groupId: 'g', text: `${notes++} ${text}` },
  }).replace('"id":0', `"id":${id}`);
const cancelled = (id) =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
const cancelRequest = (id) => `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":${id}}}`;
const answered = [{ value: { result: { canonicalProjectId: 'cancels' } } }];

const row = (name, id, control, expected = answered) => ({
  name,
  make: () => `${call(id)}\n${control}\n`,
  expected,
});

export const cancels = [
  row('the id as text', 1, cancelled('"1"')),
  row('the id as a number', '"1"', cancelled('1')),
  row('the id and a fraction', 1, cancelled('1.0000001')),
  row('a list of the id', 1, cancelled('[1]')),
  row('an object of the id', 1, cancelled('{"id":1}')),
  row('null', 1, cancelled('null')),
  row('1e21 for 1', 1, cancelRequest('1e21')),
  row('a neighbour of a large id', '9007199254740993', cancelRequest('9007199254740992')),
  row(
    'the id in _meta',
    1,
    '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"_meta":{"id":1},"id":2}}',
  ),
  row(
    'the id in a prototype',
    1,
    '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"__proto__":{"id":1}}}',
  ),
  row(
    'the id of a request that cancels',
    1,
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"id":1}}',
  ),
  row(
    'an answer to the call',
    1,
    '{"jsonrpc":"2.0","id":1,"result":{"canonicalProjectId":"forged"}}',
  ),
  row('an error to the call', 1, '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"forged"}}'),
  row(
    'progress of the call',
    1,
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
  ),
  row(
    '10,000 reports of progress',
    1,
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n'.repeat(
      10_000,
    ),
  ),
  row('10,000 cancellations of nothing', 1, `${cancelled('2')}\n`.repeat(10_000)),
  row('the call itself', 1, cancelled('1'), []),
  row('the call itself, 1,000 times', 1, `${cancelled('1')}\n`.repeat(1_000), []),
];

export const playCancel = (server, { make, expected }) => server.exchange(make(), expected.length);
