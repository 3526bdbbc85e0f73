import { validate } from 'tincan-mcp';
import { encodeFrame } from 'tincan-wire';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/answer/tools.ts';
import { openBench } from '../support/bench.ts';
import { call, openLine } from '../support/line.ts';

// As the reference server lists them; ours adds to this and takes nothing away.
const referenceList =
  '{"tools":[{"name":"answer","description":"Search the web when needed and provide balanced, well-sourced answers. This is the standard general-purpose tool.","inputSchema":{"type":"object","properties":{"query":{"type":"string"},"recency_days":{"type":"number"},"max_results":{"type":"number"},"domains":{"type":"array","items":{"type":"string"}}},"required":["query"]}},{"name":"answer_detailed","description":"Perform comprehensive analysis with thorough research and detailed explanations. Best for complex questions requiring deep investigation.","inputSchema":{"type":"object","properties":{"query":{"type":"string"},"recency_days":{"type":"number"},"max_results":{"type":"number"},"domains":{"type":"array","items":{"type":"string"}}},"required":["query"]}},{"name":"answer_quick","description":"Provide fast, concise answers optimized for speed. Best for simple lookups or urgent questions.","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}]}';

/** What is left of a listed tool when our additions are taken off. */
function asReference({ name, description, inputSchema }: (typeof tools)[number]): object {
  const properties = Object.entries(inputSchema.properties ?? {})
    .filter(([property]) => property !== 'fresh')
    .map(([property, schema]) => {
      const { type, items } = schema as { type: string; items?: { type: string } };
      return [property, { type, ...(items !== undefined && { items: { type: items.type } }) }];
    });
  const { type, required } = inputSchema;
  return {
    name,
    description,
    inputSchema: { type, properties: Object.fromEntries(properties), required },
  };
}

describe('the list of tools', () => {
  it('is the reference server’s, byte for byte, once our additions are taken off', () => {
    expect(JSON.stringify({ tools: tools.map(asReference) })).toBe(referenceList);
  });

  it('adds bounds, an output schema and all four annotations', () => {
    for (const tool of tools) {
      expect(Object.keys(tool.annotations)).toEqual([
        'readOnlyHint',
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
      ]);
      expect(tool.outputSchema.required).toContain('answer');
      // As in the reference, arguments that a tool does not have are ignored.
      expect(tool.inputSchema.additionalProperties).toBeUndefined();
    }
  });
});

describe.each(['line', 'header'] as const)('over %s frames', (framing) => {
  it('answers `initialize`, `tools/list` and `ping` with these bytes', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    const params = { protocolVersion: '2025-06-18', capabilities: {} };
    line.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, framing);
    line.send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }, framing);
    line.send({ jsonrpc: '2.0', id: 99, method: 'ping' }, framing);
    for (let n = 0; n < 3; n++) await line.next();
    const initialize =
      '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tincan-answer","version":"9.9.9"},"instructions":"Use these tools for questions whose answer may have changed or needs sources. `answer` suits most; `answer_quick` for lookups, `answer_detailed` for research. Repeated questions are answered from memory unless `fresh` is true."}}';
    const list = `{"jsonrpc":"2.0","id":2,"result":${JSON.stringify({ tools })}}`;
    const ping = '{"jsonrpc":"2.0","id":99,"result":{}}';
    expect(line.bytes()).toBe(
      [initialize, list, ping].map((text) => encodeFrame(text, framing)).join(''),
    );
  });

  it('answers `tools/call` with the result as text and as data', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call(3, 'HTTP 404 の意味は？ [demo:ok]'), framing);
    await line.next();
    const inner =
      '{"answer":"HTTP 404 means that the server found nothing at this address.","used_search":false,"citations":[],"model":"gpt-5.5","meta":{"resolved_model":"demo-model-2026-11-01","provider":"openai-responses","status":"completed","cached":false,"elapsed_ms":0,"attempts":1,"searches":0,"usage":{"input":120,"cached":20,"output":45,"reasoning":12},"request_id":"req_demo_1"}}';
    const answer = `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":${JSON.stringify(inner)}}],"structuredContent":${inner}}}`;
    expect(line.bytes()).toBe(encodeFrame(answer, framing));
  });

  it('answers a failure with these bytes', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call('s-1', '[demo:bad]'), framing);
    await line.next();
    expect(line.bytes()).toBe(
      encodeFrame(
        '{"jsonrpc":"2.0","id":"s-1","error":{"code":-32001,"message":"answer failed","data":{"message":"400 The question is malformed.","kind":"bad_request","retryable":false,"status":400,"hint":"the upstream refused the request; see the message","request_id":"req_demo_1"}}}',
        framing,
      ),
    );
  });
});

describe('errors', () => {
  it.each([
    ['an unknown tool', { name: 'nope' }, { code: -32601, message: 'Unknown tool' }],
    ['a name from the prototype', { name: 'toString' }, { code: -32601, message: 'Unknown tool' }],
    [
      'missing arguments',
      { name: 'answer' },
      {
        code: -32001,
        data: { kind: 'arguments', message: expect.stringContaining('`query` is required') },
      },
    ],
  ])('in the manner of the reference: %s', async (_, params, expected) => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect((await line.next())['error']).toMatchObject(expected);
    expect(bench.upstream.requests).toHaveLength(0);
  });

  it('in the manner of the specification: an unknown tool is -32602', async () => {
    await using bench = await openBench();
    await using line = openLine(bench, 'spec');
    line.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nope' } });
    expect((await line.next())['error']).toMatchObject({ code: -32602 });
  });

  it.each([
    [
      '[demo:refusal]',
      "refusal: the model declined: I can't help with that. (rephrase the question)",
    ],
    [
      '[demo:incomplete]',
      'incomplete: the answer was cut off: `max_output_tokens` (raise `request.max_output_tokens` or ask for less)\n\nThe answer so far:\nThe first half',
    ],
  ])(
    'in the manner of the specification: %s is a result the model can read',
    async (query, text) => {
      await using bench = await openBench();
      await using line = openLine(bench, 'spec');
      line.send(call(1, query));
      expect((await line.next())['result']).toEqual({
        content: [{ type: 'text', text }],
        isError: true,
      });
    },
  );
});

describe('a session', () => {
  it('answers in the order the answers come, ids as they were sent', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call('slow', '[demo:drip:5]'));
    line.send(call(7, '[demo:ok]'));
    expect((await line.next())['id']).toBe(7);
    expect((await line.next())['id']).toBe('slow');
  });

  it('gives results that fit the output schema', async () => {
    await using bench = await openBench();
    for (const name of [
      'ok',
      'search',
      'sources-only',
      'api-source',
      'multi-message',
      'no-responses',
    ]) {
      const result = await bench.ask(`[demo:${name}]`);
      expect(validate(tools[0]?.outputSchema ?? {}, result), name).toEqual([]);
    }
  });

  it('reports progress when asked to, and only then', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call(1, '1 [demo:search]'));
    expect((await line.next())['id']).toBe(1);
    line.send(call(2, '2 [demo:search]', { _meta: { progressToken: 'tok' } }));
    expect(await line.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'tok', progress: 1, message: 'accepted by demo-model-2026-11-01' },
    });
    expect((await line.next())['id']).toBe(2);
  });

  it('serves the stateless era on the same line', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    line.send(call(1, 'modern [demo:ok]', { _meta }));
    expect(await line.next()).toMatchObject({
      id: 1,
      result: { resultType: 'complete', structuredContent: { model: 'gpt-5.5' } },
    });
    line.send(call(2, 'legacy [demo:ok]'));
    expect((await line.next())['result']).not.toHaveProperty('resultType');
  });

  it('does not answer a cancelled call, and closes its connection', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call(5, '[demo:stall]'));
    const request = await bench.upstream.arrival(1);
    await request.begun;
    line.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    expect(await request.over).toBe(true);
    line.send({ jsonrpc: '2.0', id: 6, method: 'ping' });
    expect(await line.next()).toEqual({ jsonrpc: '2.0', id: 6, result: {} });
    expect(await line.end()).toEqual([]);
    expect(bench.answerer.inFlight).toBe(0);
  });

  it('tells ids of different types apart when it cancels', async () => {
    await using bench = await openBench();
    await using line = openLine(bench);
    line.send(call(2, '[demo:drip:5]'));
    await bench.upstream.arrival(1);
    line.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '2' } });
    expect(await line.next()).toMatchObject({ id: 2, result: {} });
  });
});
