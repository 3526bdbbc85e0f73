import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Handler } from '../../src/jsonrpc/call.ts';
import { Dispatcher } from '../../src/jsonrpc/dispatcher.ts';
import { serveStdio } from '../../src/stdio/serve-stdio.ts';
import { serveBytes } from '../support/lines.ts';

const MIB = 1024 * 1024;
const methods: Record<string, Handler> = {
  'memory.get_config': () => ({ transportDefaults: { defaultTransport: 'stdio' } }),
  'memory.add_note': (params) => ({ text: (params as { text: string }).text }),
};
const CONFIG = '{"jsonrpc":"2.0","id":1,"method":"memory.get_config"}';
const note = (text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'memory.add_note', params: { text } });

/** The lines a server with the seed's limit writes, each checked to be whole. */
async function run(input: string): Promise<string[]> {
  const options = { maxMessageBytes: MIB, oversize: 'fail' } as const;
  const written = (await serveBytes(methods, [input], options)).toString();
  expect(written === '' || written.endsWith('\n')).toBe(true);
  return written.split('\n').slice(0, -1);
}

describe('the stdio server of the seed', () => {
  it('seed 000, case 1: a single request gets its answer on one line', async () => {
    const lines = await run(`${CONFIG}\n`);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: '2.0', id: 1, result: { transportDefaults: { defaultTransport: 'stdio' } } },
    ]);
  });

  it('seed 000, case 2: two requests get two lines', async () => {
    const lines = await run(`${CONFIG}\n${note('x')}\n`);
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  });

  it('seed 000, case 3: empty lines are skipped', async () => {
    const lines = await run(`\n\n${CONFIG}\n   \n\r\n${note('x')}\n\n`);
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  });

  it('seed 000, case 4: a text with newlines is escaped and stays on one line', async () => {
    const text = 'first\nsecond\r\nthird';
    const lines = await run(`${note(text)}\n`);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ result: { text } });
  });

  it('seed 000, case 5: invalid JSON is answered with a parse error', async () => {
    const lines = await run('{invalid json}\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: null, error: { code: -32700 } },
    ]);
  });

  it('seed 000, case 6: an unknown method is answered with method not found', async () => {
    const lines = await run('{"jsonrpc":"2.0","id":1,"method":"memory.nope"}\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, error: { code: -32601 } },
    ]);
  });

  it('seed 000, case 7: cancelling ends the server with the reason', async () => {
    const controller = new AbortController();
    const served = serveStdio(new Dispatcher(methods), {
      input: new PassThrough(),
      output: new PassThrough(),
      signal: controller.signal,
    });
    const reason = new Error('context cancelled');
    controller.abort(reason);
    await expect(served).rejects.toBe(reason);
  });

  it('seed 000, case 8: the end of input ends the server without an error', async () => {
    await expect(run('')).resolves.toEqual([]);
  });

  it('seed 000, case 9: a message just under 1 MiB is served', async () => {
    const text = 'x'.repeat(MIB - 200);
    const [line = ''] = await run(`${note(text)}\n`);
    expect(JSON.parse(line).result.text).toHaveLength(MIB - 200);
  });

  it('seed 000, case 10: a message over 1 MiB ends the server with a read error', async () => {
    await expect(run(`${note('x'.repeat(MIB))}\n`)).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('over the limit of 1048576'),
    });
  });
});
