import { RpcError } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { ProtocolError, type Tool, ToolError } from '../../src/index.ts';
import { Exchange, modern, tool } from '../exchange.ts';

function call(exchange: Exchange, name: string, args?: unknown): Promise<Record<string, unknown>> {
  return exchange.result('tools/call', { name, arguments: args });
}

function textOf(result: Record<string, unknown>): string {
  const [first] = result['content'] as { text: string }[];
  return first?.text ?? '';
}

describe('a tool', () => {
  it('is listed with everything it declares but its handler, in the order of declaration', async () => {
    const first: Tool = {
      name: 'z',
      title: 'Zed',
      description: 'Last letter',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      outputSchema: { type: 'object' },
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      handler: () => ({}),
    };
    const exchange = new Exchange({ tools: [first, tool('a', () => '')] });
    const { tools } = (await exchange.result('tools/list')) as { tools: { name: string }[] };
    const { handler: _, ...shown } = first;
    expect(tools[0]).toEqual(shown);
    expect(tools.map(({ name }) => name)).toEqual(['z', 'a']);
  });

  it.each([
    ['a string', () => 'hi', [{ type: 'text', text: 'hi' }]],
    ['blocks', () => [{ type: 'text', text: 'a' }], [{ type: 'text', text: 'a' }]],
    ['a whole result', async () => ({ content: [], isError: true }), []],
    ['nothing', () => undefined, [{ type: 'text', text: 'null' }]],
    ['a value', () => ({ a: 1 }), [{ type: 'text', text: '{"a":1}' }]],
  ])('may return %s', async (_, handler, content) => {
    const exchange = new Exchange({ tools: [tool('t', handler)] });
    expect(await call(exchange, 't')).toMatchObject({ content });
  });

  it('with an output schema gives its result as structure and as the same JSON in text', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const exchange = new Exchange({
      tools: [
        tool('good', () => ({ n: 1 }), { outputSchema }),
        tool('bad', () => ({ n: 'x' }), { outputSchema }),
      ],
    });
    expect(await call(exchange, 'good')).toEqual({
      content: [{ type: 'text', text: '{"n":1}' }],
      structuredContent: { n: 1 },
    });
    expect(await exchange.error('tools/call', { name: 'bad' })).toMatchObject({
      code: -32603,
      message: 'tool `bad` broke its output schema: `n` expected number, got string',
    });
  });

  it('whose output is no object shows its schema and structure to modern clients only', async () => {
    const outputSchema = { type: 'array', items: { type: 'integer' } };
    const exchange = new Exchange({ tools: [tool('count', () => [1, 2], { outputSchema })] });
    const [legacy] = (await exchange.result('tools/list'))['tools'] as object[];
    expect(legacy).not.toHaveProperty('outputSchema');
    expect(await call(exchange, 'count')).toEqual({ content: [{ type: 'text', text: '[1,2]' }] });
    const [listed] = (await exchange.result('tools/list', modern()))['tools'] as object[];
    expect(listed).toMatchObject({ outputSchema });
    expect(await exchange.result('tools/call', { name: 'count', ...modern() })).toMatchObject({
      content: [{ type: 'text', text: '[1,2]' }],
      structuredContent: [1, 2],
    });
  });

  it('is not run with arguments that do not fit; the result says what to mend', async () => {
    let runs = 0;
    const inputSchema = {
      type: 'object',
      properties: { text: { type: 'string' }, n: { type: 'integer', minimum: 1 } },
      required: ['text'],
      additionalProperties: false,
    } as const;
    const exchange = new Exchange({ tools: [tool('t', () => `${runs++}`, { inputSchema })] });
    const result = await call(exchange, 't', { n: 0, Text: 'x' });
    expect(result['isError']).toBe(true);
    expect(textOf(result)).toBe(
      'invalid arguments for `t`: `text` is required; `n` expected at least 1, got 0; `Text` is unknown; did you mean `text`?',
    );
    expect(runs).toBe(0);
  });

  it.each([
    ['an error', () => Promise.reject(new Error('disk full')), 'disk full'],
    ['a tool error', () => Promise.reject(new ToolError('try again')), 'try again'],
    [
      'a remote error',
      () => Promise.reject(new RpcError(-32001, 'upstream said no')),
      'upstream said no',
    ],
    ['a string', () => Promise.reject('plain'), 'plain'],
  ])('that throws %s answers with a result the model can read', async (_, handler, message) => {
    const exchange = new Exchange({ tools: [tool('t', handler)] });
    const result = await call(exchange, 't');
    expect(result['isError']).toBe(true);
    expect(textOf(result)).toBe(message);
  });

  it('that throws a protocol error answers with that error', async () => {
    const exchange = new Exchange({
      tools: [tool('t', () => Promise.reject(new ProtocolError(-32050, 'no', { why: 1 })))],
    });
    expect(await exchange.error('tools/call', { name: 't' })).toEqual({
      code: -32050,
      message: 'no',
      data: { why: 1 },
    });
  });

  it.each([
    [{ name: 'nope' }, 'unknown tool `nope`'],
    [{}, 'expected `name` to be a string'],
    [{ name: 't', arguments: [1] }, 'expected `arguments` to be an object'],
    [{ name: 't', arguments: 'x' }, 'expected `arguments` to be an object'],
    [{ name: 'toString' }, 'unknown tool `toString`'],
  ])('call %o is a protocol error', async (params, message) => {
    const exchange = new Exchange({ tools: [tool('t', () => '')] });
    expect(await exchange.error('tools/call', params)).toMatchObject({ code: -32602, message });
    expect(await exchange.error('tools/call', { ...params, ...modern() })).toMatchObject({
      code: -32602,
    });
  });

  it('can be made to fail the way an older contract wants', async () => {
    const exchange = new Exchange({
      tools: [
        tool('t', () => Promise.reject(new Error('down')), {
          inputSchema: { type: 'object', required: ['q'] },
        }),
      ],
      toolErrors: {
        unknownTool: (name) => new ProtocolError(-32601, `Unknown tool: ${name}`),
        invalidArguments: (_, message) => new ProtocolError(-32001, 'answer failed', { message }),
        failure: (_, error) =>
          new ProtocolError(-32001, 'answer failed', { message: (error as Error).message }),
      },
    });
    expect(await exchange.error('tools/call', { name: 'x' })).toMatchObject({ code: -32601 });
    expect(await exchange.error('tools/call', { name: 't' })).toMatchObject({
      code: -32001,
      data: { message: '`q` is required' },
    });
    expect(await exchange.error('tools/call', { name: 't', arguments: { q: 1 } })).toMatchObject({
      code: -32001,
      data: { message: 'down' },
    });
  });
});

describe('cancellation', () => {
  it('reaches the handler through its signal', async () => {
    const abort = new AbortController();
    let reason: unknown;
    const exchange = new Exchange({
      tools: [
        tool(
          't',
          (_, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => {
                reason = signal.reason;
                resolve('stopped');
              });
              abort.abort(new Error('enough'));
            }),
        ),
      ],
    });
    await exchange.call('tools/call', { name: 't' }, abort.signal);
    expect(reason).toMatchObject({ code: 'CANCELLED', cause: { message: 'enough' } });
  });
});

describe('a tool that checks its own arguments', () => {
  it('is given whatever came, and shows its schema alone', async () => {
    const seen: unknown[] = [];
    const inputSchema = { type: 'object', required: ['n'] } as const;
    const checking = tool('t', (args) => void seen.push(args), {
      inputSchema,
      checksArguments: true,
    });
    const exchange = new Exchange({ tools: [checking] });
    await exchange.result('tools/call', { name: 't', arguments: { n: null, m: 1 } });
    await exchange.result('tools/call', { name: 't' });
    expect(seen).toEqual([{ n: null, m: 1 }, {}]);
    const { tools } = await exchange.result('tools/list');
    expect(tools).toEqual([expect.objectContaining({ name: 't', inputSchema })]);
    expect(JSON.stringify(tools)).not.toContain('checksArguments');
  });
});

describe('lists', () => {
  it('come in pages when the server says so, and refuse cursors that no page came with', async () => {
    const tools = ['a', 'b', 'c', 'd', 'e'].map((name) => tool(name, () => ''));
    const exchange = new Exchange({ tools, pageSize: 2 });
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await exchange.result('tools/list', cursor === undefined ? {} : { cursor });
      seen.push(...(page['tools'] as { name: string }[]).map(({ name }) => name));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const bad of ['', 'x', 7, 'YXQ6OTk']) {
      expect(await exchange.error('tools/list', { cursor: bad })).toMatchObject({
        code: -32602,
        data: { path: 'cursor' },
      });
    }
  });
});
