import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { methods } from '../../src/methods/methods.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { makeMemory, type TestMemory } from '../service/fake-memory.ts';

const note = { projectId: 'p', groupId: 'g', text: 'a text' };

let test: TestMemory;
beforeEach(() => {
  test = makeMemory();
});
afterEach(() => test.memory.close());

/** The error of a call that must fail. */
async function fail(method: string, params: unknown): Promise<unknown> {
  return test.call(method, params).then(
    (result) => expect.unreachable(`expected an error, got ${JSON.stringify(result)}`),
    (error: unknown) => error,
  );
}

/** Every object in the parameters that lists its members, with its path. */
function objectsOf(schema: JsonSchema, path: readonly string[] = []): (readonly string[])[] {
  const { properties } = schema;
  if (properties === undefined) return [];
  const inner = Object.entries(properties).flatMap(([name, property]) =>
    objectsOf(property, [...path, name]),
  );
  return [path, ...inner];
}

describe('an unknown parameter', () => {
  const places = methods.flatMap(({ name, params }) =>
    objectsOf(params).map((path) => [name.replace('memory.', ''), path.join('.')] as const),
  );

  it.each(places)('of memory.%s is refused inside `%s`', async (method, path) => {
    const params = path === '' ? { bogusName: 1 } : { id: 'x', [path]: { bogusName: 1 } };
    const at = path === '' ? 'bogusName' : `${path}.bogusName`;
    const { properties = {} } =
      methods.find(({ name }) => name.endsWith(`.${method}`))?.params ?? {};
    const known = Object.entries(params).filter(([name]) => name !== 'id' || 'id' in properties);
    expect(await fail(method, Object.fromEntries(known))).toMatchObject({
      rpcCode: -32602,
      message: expect.stringContaining(`unknown parameter \`${at}\``),
      data: { path: at },
    });
  });

  it('covers the inner objects of the table', () => {
    expect(places.filter(([, path]) => path !== '')).toEqual([
      ['update', 'patch'],
      ['set_config', 'embedder'],
      ['group_update', 'patch'],
    ]);
  });

  it.each([
    ['add_note', { ...note, txt: 'x' }, 'unknown parameter `txt`, did you mean `text`?'],
    [
      'add_note',
      { projectId: 'p', groupId: 'g', txt: 'x' },
      'unknown parameter `txt`, did you mean `text`?',
    ],
    ['search', { project: 'p' }, 'unknown parameter `project`, did you mean `projectId`?'],
    ['search', { topk: 3 }, 'unknown parameter `topk`, did you mean `topK`?'],
    ['get', { uuid: 'x' }, 'unknown parameter `uuid`, expected one of `id`'],
    ['get_config', { verbose: true }, 'unknown parameter `verbose`, expected none'],
    [
      'update',
      { id: 'x', text: 'y' },
      'unknown parameter `text`, put it inside `patch`: {"patch": {"text": …}}',
    ],
    [
      'update',
      { id: 'x', patch: { txt: 'y' } },
      'unknown parameter `patch.txt`, did you mean `text`?',
    ],
    [
      'group_update',
      { id: 'x', patch: { groupKey: 'y' } },
      'unknown parameter `patch.groupKey`, expected one of `title`, `description`',
    ],
    [
      'set_config',
      { provider: 'none' },
      'unknown parameter `provider`, put it inside `embedder`: {"embedder": {"provider": …}}',
    ],
    [
      'set_config',
      { embedder: { modle: 'x' } },
      'unknown parameter `embedder.modle`, did you mean `model`?',
    ],
  ])('%s %j: what to write instead', async (method, params, message) => {
    expect(await fail(method, params)).toMatchObject({ rpcCode: -32602, message });
  });

  it('changes nothing', async () => {
    const { id } = await test.call<{ id: string }>('add_note', note);
    await fail('update', { id, text: 'changed' });
    await fail('update', { id, patch: { text: 'changed', colour: 'red' } });
    expect(await test.call('get', { id })).toMatchObject({ text: 'a text', revision: 1 });
  });

  it('is refused when it is null too', async () => {
    expect(await fail('add_note', { ...note, txt: null })).toMatchObject({ data: { path: 'txt' } });
  });

  it('that objects inherit is refused', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const params = JSON.parse(`{"id":"x","${name}":{}}`) as object;
      expect(await fail('get', params)).toMatchObject({ data: { path: name } });
    }
  });

  it('of great length is repeated only in part', async () => {
    const name = 'n'.repeat(1_000_000);
    const error = (await fail('get', { id: 'x', [name]: 1 })) as Error & { data: object };
    expect(error.message.length).toBeLessThan(200);
    expect(error.data).toEqual({ path: `${'n'.repeat(100)}…` });
  });

  it('that is a secret is not repeated', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const error = (await fail('get', { id: 'x', [secret]: 1 })) as Error & { data: object };
    expect(`${error.message} ${JSON.stringify(error.data)}`).not.toContain(secret);
  });
});

describe('what is always allowed', () => {
  it('is `_meta` at the top', async () => {
    const _meta = { progressToken: 1 };
    const { id } = await test.call<{ id: string }>('add_note', { ...note, _meta });
    expect(await test.call('get', { id, _meta })).toMatchObject({ metadata: null });
    expect(await test.call('get_config', { _meta })).toBeDefined();
    expect(await fail('update', { id, patch: { _meta } })).toMatchObject({
      data: { path: 'patch._meta' },
    });
  });

  it('is null for what is optional', async () => {
    const { id } = await test.call<{ id: string }>('add_note', note);
    expect(await test.call('update', { id, patch: {}, ifRevision: null })).toEqual({ ok: true });
    expect(await test.call('set_config', { embedder: null })).toMatchObject({ ok: true });
    const embedder = { provider: null, model: null, baseUrl: null, apiKey: null };
    expect(await test.call('set_config', { embedder })).toMatchObject({ ok: true });
  });

  it('is any member of metadata', async () => {
    const metadata = { anything: [1, { deep: true }] };
    const { id } = await test.call<{ id: string }>('add_note', { ...note, metadata });
    expect(await test.call('get', { id })).toMatchObject({ metadata });
  });
});

it.each(['update', 'group_update'])('memory.%s needs a patch', async (method) => {
  for (const params of [{ id: 'x' }, { id: 'x', patch: null }]) {
    expect(await fail(method, params)).toMatchObject({
      rpcCode: -32602,
      message: 'patch is required',
      data: { path: 'patch' },
    });
  }
});
