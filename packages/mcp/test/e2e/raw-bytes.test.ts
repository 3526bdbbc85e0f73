import { describe, expect, it } from 'vitest';
import { modern } from '../exchange.ts';
import { line, type Message, StdioProgram } from './stdio-program.ts';

const HANDSHAKE = { capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const ping = (id: unknown): object => ({ id, method: 'ping' });

function initialize(protocolVersion: string): object {
  return { id: 'hello', method: 'initialize', params: { protocolVersion, ...HANDSHAKE } };
}

/** What each input leads to. Every one is followed by a ping, which must be answered. */
const CASES: readonly (readonly [what: string, bytes: string | Buffer, answer: object])[] = [
  ['a line that is not JSON', 'not json\n', { id: null, error: { code: -32700 } }],
  ['half a message', '{"jsonrpc":"2.0","id":1,\n', { error: { code: -32700 } }],
  [
    'the id null',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}\n',
    { id: null, error: { code: -32600 } },
  ],
  [
    'a wrong jsonrpc',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}\n',
    { id: 1, error: { code: -32600 } },
  ],
  ['no jsonrpc', '{"id":1,"method":"ping"}\n', { id: 1, error: { code: -32600 } }],
  ['an array with nothing in it', '[]\n', { id: null, error: { code: -32600 } }],
  ['a byte order mark', `\uFEFF${line(ping(1))}`, { id: 1, result: {} }],
  [
    'carriage returns and blank lines',
    `\r\n\n${line(ping(1)).trimEnd()}\r\n`,
    { id: 1, result: {} },
  ],
  ['an unknown method', line({ id: 1, method: 'no/such' }), { id: 1, error: { code: -32601 } }],
  [
    'an unknown tool',
    call({ name: 'nope' }),
    { id: 1, error: { code: -32602, message: 'unknown tool `nope`' } },
  ],
  [
    'a call without a name',
    call({}),
    { id: 1, error: { code: -32602, message: 'expected `name` to be a string' } },
  ],
  [
    'a call with arguments by position',
    call({ name: 'test_simple_text', arguments: [] }),
    { id: 1, error: { code: -32602, message: 'expected `arguments` to be an object' } },
  ],
  [
    'arguments that do not fit',
    call({ name: 'test_sampling', arguments: { prompt: 5 } }),
    { id: 1, result: { isError: true, content: [{ text: expect.stringContaining('`prompt`') }] } },
  ],
  [
    'a handshake for the modern revision',
    line({ ...initialize('2026-07-28'), id: 1 }),
    { id: 1, result: { protocolVersion: '2025-11-25' } },
  ],
];

function call(params: object): string {
  return line({ id: 1, method: 'tools/call', params });
}

describe('a server process', () => {
  it.each(CASES)('answers %s and goes on', async (_, bytes, answer) => {
    await using program = new StdioProgram();
    program.write(bytes);
    program.send(ping('after'));
    expect(await program.answer('after')).toMatchObject({ result: {} });
    program.end();
    expect(await program.ended).toEqual([0, null]);
    expect(program.lines).toHaveLength(2);
    expect(program.lines.find((one) => (one as Message).id !== 'after')).toMatchObject(answer);
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'answers a batch with a batch at %s, notifications left out',
    async (version) => {
      await using program = new StdioProgram();
      program.send(initialize(version));
      expect(await program.answer('hello')).toMatchObject({ result: { protocolVersion: version } });
      const batch = [ping(1), { method: 'notifications/initialized' }, ping('1')];
      program.write(`${JSON.stringify(batch.map((one) => ({ jsonrpc: '2.0', ...one })))}\n`);
      const answers = await program.line(Array.isArray);
      expect(answers).toEqual([
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: '1', result: {} },
      ]);
    },
  );

  it('reads a character that was cut in two between writes', async () => {
    await using program = new StdioProgram();
    const bytes = Buffer.from(call({ name: 'nö€😀' }));
    for (const byte of bytes) program.write(Uint8Array.of(byte));
    expect(await program.answer(1)).toMatchObject({ error: { message: 'unknown tool `nö€😀`' } });
  });

  it('refuses a version it does not speak, however modern the connection already is', async () => {
    await using program = new StdioProgram();
    const list = (id: number, params: object): object => ({ id, method: 'tools/list', params });
    const old = modern({}, { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' });
    program.send(list(1, modern()), list(2, old), list(3, modern()));
    expect(await program.answer(1)).toMatchObject({ result: { resultType: 'complete' } });
    expect(await program.answer(2)).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '1900-01-01' } },
    });
    expect(await program.answer(3)).toMatchObject({ result: { resultType: 'complete' } });
  });

  it('serves modern requests as modern after a request without an envelope', async () => {
    await using program = new StdioProgram();
    program.send(
      { id: 1, method: 'tools/list' },
      { id: 2, method: 'tools/list', params: modern() },
      { id: 3, method: 'tools/list' },
    );
    expect((await program.answer(1)).result).not.toHaveProperty('resultType');
    expect((await program.answer(2)).result).toHaveProperty('resultType', 'complete');
    expect((await program.answer(3)).result).not.toHaveProperty('resultType');
  });

  it('answers a call that is in flight when its input ends', async () => {
    await using program = new StdioProgram();
    program.write(call({ name: 'test_reconnection' }));
    program.end();
    expect(await program.answer(1)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(await program.ended).toEqual([0, null]);
  });

  it.each([
    ['legacy', {}],
    ['modern', modern()],
  ])('says nothing about a cancelled call, %s', async (_, envelope) => {
    await using program = new StdioProgram();
    const params = { name: 'test_tool_with_progress', ...envelope };
    const meta = { ...(Reflect.get(envelope, '_meta') as object), progressToken: 'token' };
    program.send({ id: 1, method: 'tools/call', params: { ...params, _meta: meta } });
    await program.line((one) => (one as Message).method === 'notifications/progress');
    program.send({ method: 'notifications/cancelled', params: { requestId: 1 } }, ping('after'));
    await program.answer('after');
    // The end of input waits for calls in flight; a cancelled one is not among them.
    program.end();
    expect(await program.ended).toEqual([0, null]);
    const said = program.lines.map((one) => (one as Message).method ?? (one as Message).id);
    expect(said).toEqual(['notifications/progress', 'after']);
  });
});
