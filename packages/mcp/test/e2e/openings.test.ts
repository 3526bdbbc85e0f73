import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Message, StdioProgram } from './stdio-program.ts';

const ECHO = fileURLToPath(new URL('fixtures/echo-server.mjs', import.meta.url));

/** The envelope of a client that speaks the modern revision. */
function envelope(name: string, capabilities: object): object {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

function initialize(protocolVersion: string, name: string, capabilities: object): object {
  const clientInfo = { name, version: '1.0.0' };
  return { id: 0, method: 'initialize', params: { protocolVersion, capabilities, clientInfo } };
}

const isAcknowledged = (one: unknown): boolean =>
  (one as Message).method === 'notifications/subscriptions/acknowledged';

describe('the opening of Claude Code', () => {
  const _meta = envelope('claude-code', { roots: {}, elicitation: { form: {}, url: {} } });
  const discover = (id: number): object => ({ id, method: 'server/discover', params: { _meta } });
  const listen = {
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta },
  };

  it('is served: discovery, a subscription, discovery again, the tools; SIGINT ends it with 0', async () => {
    await using program = new StdioProgram();
    program.send(discover(0));
    expect(await program.answer(0)).toMatchObject({
      result: { supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } },
    });
    program.send(listen, discover(2), { id: 3, method: 'tools/list', params: { _meta } });
    expect(await program.line(isAcknowledged)).toMatchObject({
      params: {
        notifications: { toolsListChanged: true },
        _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
      },
    });
    expect(await program.answer(2)).toMatchObject({ result: { resultType: 'complete' } });
    expect((await program.answer(3)).result?.['tools']).not.toHaveLength(0);
    program.child.kill('SIGINT');
    expect(await program.ended).toEqual([0, null]);
  });

  it('gets an empty subscription from a server whose lists never change', async () => {
    await using program = new StdioProgram(ECHO);
    program.send(discover(0), listen);
    expect(await program.line(isAcknowledged)).toMatchObject({ params: { notifications: {} } });
  });

  it('falls back to the handshake on the same process', async () => {
    await using program = new StdioProgram(ECHO);
    program.send(discover(9), initialize('2025-11-25', 'claude-code', { roots: {} }));
    await program.line((one) => (one as Message).result?.['protocolVersion'] === '2025-11-25');
    program.send({ method: 'notifications/initialized' }, { id: 4, method: 'tools/list' });
    expect((await program.answer(4)).result).not.toHaveProperty('resultType');
  });
});

describe('the opening of Codex', () => {
  it('is served: an older handshake, a progress token on the list, lists nobody declared', async () => {
    await using program = new StdioProgram(ECHO);
    program.send(initialize('2025-06-18', 'codex-mcp-client', { elicitation: {} }));
    expect(await program.answer(0)).toMatchObject({
      result: { protocolVersion: '2025-06-18', instructions: 'Use echo to hear yourself.' },
    });
    const _meta = { progressToken: 1 };
    program.send(
      { method: 'notifications/initialized' },
      { id: 1, method: 'tools/list', params: { _meta } },
      { id: 2, method: 'resources/list', params: { _meta: { progressToken: 2 } } },
      { id: 3, method: 'resources/templates/list', params: { _meta: { progressToken: 3 } } },
    );
    expect(await program.answer(1)).toMatchObject({ result: { tools: [{ name: 'echo' }] } });
    expect(await program.answer(2)).toMatchObject({ error: { code: -32601 } });
    expect(await program.answer(3)).toMatchObject({ error: { code: -32601 } });
    expect(program.lines).toHaveLength(4);
    program.end();
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual([0, null]);
  });
});

describe('the opening of Gemini CLI', () => {
  it('is served: an older handshake and a ping; SIGTERM ends it with 0', async () => {
    await using program = new StdioProgram(ECHO);
    program.send(initialize('2025-06-18', 'gemini-cli-mcp-client', {}));
    expect(await program.answer(0)).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
    program.send({ method: 'notifications/initialized' }, { id: 1, method: 'ping' });
    expect(await program.answer(1)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual([0, null]);
  });
});

describe('a client that probes a sibling process', () => {
  it('ends the sibling with SIGTERM and is served by the other process', async () => {
    const _meta = envelope('sdk', {});
    await using sibling = new StdioProgram(ECHO);
    await using program = new StdioProgram(ECHO);
    sibling.send({ id: 0, method: 'server/discover', params: { _meta } });
    expect(await sibling.answer(0)).toMatchObject({ result: { resultType: 'complete' } });
    sibling.child.kill('SIGTERM');
    expect(await sibling.ended).toEqual([0, null]);
    const params = { name: 'echo', arguments: { text: 'hi' }, _meta };
    program.send({ id: 0, method: 'tools/call', params });
    expect(await program.answer(0)).toMatchObject({
      result: { resultType: 'complete', content: [{ type: 'text', text: 'hi' }] },
    });
    program.end();
    expect(await program.ended).toEqual([0, null]);
  });
});

describe('a server process', () => {
  const _meta = envelope('test', {});
  const listen = {
    id: 'sub',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta },
  };

  it.each([
    ['the end of input', (program: StdioProgram) => program.end()],
    ['SIGINT', ({ child }: StdioProgram) => void child.kill('SIGINT')],
    ['SIGTERM', ({ child }: StdioProgram) => void child.kill('SIGTERM')],
    ['SIGHUP', ({ child }: StdioProgram) => void child.kill('SIGHUP')],
  ])('ends at %s with 0', async (_, end) => {
    await using program = new StdioProgram(ECHO);
    program.send({ id: 1, method: 'ping' });
    await program.answer(1);
    end(program);
    expect(await program.ended).toEqual([0, null]);
  });

  it('answers a subscription that is open when its input ends, instead of waiting for it', async () => {
    await using program = new StdioProgram();
    program.send(listen);
    await program.line(isAcknowledged);
    program.end();
    expect(await program.ended).toEqual([0, null]);
    // One that was waited for in vain would have been dropped without an answer.
    expect(program.lines.at(-1)).toMatchObject({
      id: 'sub',
      result: {
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' },
      },
    });
  });

  it('says nothing more to a subscription that was cancelled', async () => {
    await using program = new StdioProgram();
    const change = (id: number): object => ({
      id,
      method: 'tools/call',
      params: { name: 'test_trigger_tool_change', _meta },
    });
    program.send(listen);
    await program.line(isAcknowledged);
    program.send(change(1));
    await program.answer(1);
    program.send({ method: 'notifications/cancelled', params: { requestId: 'sub' } }, change(2));
    await program.answer(2);
    program.end();
    expect(await program.ended).toEqual([0, null]);
    const said = program.lines.map((one) => (one as Message).method ?? (one as Message).id);
    expect(said).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      1,
      2,
    ]);
  });
});
