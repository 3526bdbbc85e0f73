import { Dispatcher, handleMessage } from 'tincan-wire';
import { expect, it } from 'vitest';
import { callsTo } from '../../src/faces/call.ts';
import { firstOf, memoryMethods } from '../../src/faces/rpc.ts';
import { methods } from '../../src/methods/methods.ts';
import { makeMemory } from '../service/fake-memory.ts';

const note = { projectId: '/p', groupId: 'g', text: 'a green lantern' };

async function ask(text: object | string): Promise<unknown> {
  const { memory } = makeMemory();
  const table = memoryMethods(callsTo(async () => memory));
  const message = typeof text === 'string' ? text : JSON.stringify(text);
  return JSON.parse((await handleMessage(table, message)) ?? 'null');
}

it('finds every method of the table by its name, and nothing else', () => {
  const table = memoryMethods(async () => undefined);
  for (const { name } of methods) expect(table.find(name)).toBeTypeOf('function');
  for (const name of ['memory_add_note', 'memory.', 'add_note', '__proto__', 'initialize']) {
    expect(table.find(name)).toBeUndefined();
  }
});

it('answers a call with the result of its method', async () => {
  const request = { jsonrpc: '2.0', id: 7, method: 'memory.add_note', params: note };
  expect(await ask(request)).toMatchObject({ id: 7, result: { canonicalProjectId: '/p' } });
});

it('answers an error with the code, the message and the path of the contract', async () => {
  const params = { ...note, groupId: 'a b' };
  expect(await ask({ jsonrpc: '2.0', id: 7, method: 'memory.add_note', params })).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: -32602,
      message: 'groupId contains invalid characters',
      data: { path: 'groupId' },
    },
  });
});

it.each([[[]], [[note]]])('refuses parameters by position: %j', async (params) => {
  expect(await ask({ jsonrpc: '2.0', id: 1, method: 'memory.get_config', params })).toMatchObject({
    error: { code: -32602, message: 'params must be an object' },
  });
});

it('passes the call on, so that its cancellation reaches the method', async () => {
  const seen: unknown[] = [];
  const table = memoryMethods(async (_name, _params, context) => seen.push(context?.signal));
  await handleMessage(table, '{"jsonrpc":"2.0","id":1,"method":"memory.search","params":{}}');
  expect(seen).toEqual([expect.any(AbortSignal)]);
});

it('asks one table after the other', async () => {
  const tables = firstOf(
    new Dispatcher({ a: () => 'first' }),
    new Dispatcher({ a: () => 'second', b: () => 'second' }),
  );
  const answerTo = async (method: string): Promise<unknown> =>
    JSON.parse((await handleMessage(tables, `{"jsonrpc":"2.0","id":1,"method":"${method}"}`)) ?? '')
      .result;
  expect([await answerTo('a'), await answerTo('b')]).toEqual(['first', 'second']);
  expect(tables.find('c')).toBeUndefined();
});
