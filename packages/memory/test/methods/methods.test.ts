import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callMethod } from '../../src/methods/call-method.ts';
import { methods } from '../../src/methods/methods.ts';
import { validate } from '../../src/schema/validate.ts';
import { FakeModel, makeMemory, makeSettings, type TestMemory } from '../service/fake-memory.ts';
import { inMemoryStore } from '../store/in-memory-store.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NAMESPACE = 'ollama:letters:16';
const note = { projectId: 'p', groupId: 'g', text: 'a text' };

let test: TestMemory;
beforeEach(() => {
  test = makeMemory();
});
afterEach(() => test.memory.close());

/** The error of a call that must fail. */
async function fail(
  method: string,
  params?: unknown,
): Promise<{ rpcCode: number; message: string; data: unknown }> {
  const error = await test.call(method, params).then(
    (result) => {
      throw new Error(`expected an error, got ${JSON.stringify(result)}`);
    },
    (thrown: unknown) => thrown,
  );
  return error as { rpcCode: number; message: string; data: unknown };
}

describe('the method table', () => {
  it('names the seventeen methods, in order', () => {
    expect(methods.map(({ name }) => name)).toEqual([
      'memory.add_note',
      'memory.search',
      'memory.get',
      'memory.update',
      'memory.delete',
      'memory.list_recent',
      'memory.history',
      'memory.restore',
      'memory.get_config',
      'memory.set_config',
      'memory.upsert_global',
      'memory.get_global',
      'memory.group_create',
      'memory.group_get',
      'memory.group_update',
      'memory.group_delete',
      'memory.group_list',
    ]);
  });

  it('sets all four hints of every method', () => {
    for (const { annotations } of methods) {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
      for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]) {
        expect(hint).toBeTypeOf('boolean');
      }
    }
  });

  it('refuses an unknown method, naming it', async () => {
    expect(await fail('nope')).toMatchObject({
      rpcCode: -32601,
      message: 'Method not found',
      data: 'memory.nope',
    });
  });

  it('answers as its result schemas say', async () => {
    const { id } = await test.call<{ id: string }>('add_note', note);
    const group = await test.call<{ id: string }>('group_create', {
      projectId: 'p',
      groupKey: 'k',
      title: 'T',
    });
    const params: Record<string, unknown> = {
      'memory.add_note': note,
      'memory.search': { projectId: 'p', query: 'text' },
      'memory.get': { id },
      'memory.update': { id, patch: { title: 'x' } },
      'memory.list_recent': { projectId: 'p' },
      'memory.history': { id },
      'memory.restore': { id, version: 1 },
      'memory.upsert_global': { projectId: 'p', key: 'global.k', value: [1] },
      'memory.get_global': { projectId: 'p', key: 'global.none' },
      'memory.group_create': { projectId: 'p', groupKey: 'k2', title: 'T' },
      'memory.group_get': { id: group.id },
      'memory.group_update': { id: group.id, patch: { title: 'x' } },
      'memory.group_list': { projectId: 'p' },
      'memory.group_delete': { id: group.id },
      'memory.delete': { id },
    };
    const ordered = methods.toSorted(
      (a, b) => Number(a.name.includes('delete')) - Number(b.name.includes('delete')),
    );
    for (const method of ordered) {
      const result = await callMethod(test.memory, method.name, params[method.name]);
      expect(validate({ ...method.result, additionalProperties: false }, result)).toEqual([]);
    }
  });
});

describe('memory.add_note', () => {
  it('gives id, namespace and the canonical project', async () => {
    const added = await test.call('add_note', { ...note, projectId: '/tmp/../tmp/demo-not-there' });
    expect(added).toEqual({
      id: expect.stringMatching(UUID),
      namespace: NAMESPACE,
      canonicalProjectId: '/tmp/demo-not-there',
    });
  });

  it.each([
    ['projectId', 'projectId is required'],
    ['groupId', 'groupId is required'],
    ['text', 'text is required'],
  ])('needs %s: neither absent, nor null, nor empty', async (field, message) => {
    for (const value of [undefined, null, '']) {
      const params = Object.fromEntries(
        Object.entries({ ...note, [field]: value }).filter(([, v]) => v !== undefined),
      );
      expect(await fail('add_note', params)).toMatchObject({
        rpcCode: -32602,
        message,
        data: { path: field },
      });
    }
  });

  it.each(['a b', 'a/b', 'ü', 'a.b', '日本', 'a\n', "x'--"])(
    'refuses the groupId `%s`',
    async (groupId) => {
      expect(await fail('add_note', { ...note, groupId })).toMatchObject({
        rpcCode: -32602,
        message: 'groupId contains invalid characters',
      });
    },
  );

  it.each(['2024-01-15', 'yesterday', '2024-02-30T00:00:00Z'])(
    'refuses the createdAt `%s`',
    async (createdAt) => {
      const error = await fail('add_note', { ...note, createdAt });
      expect(error).toMatchObject({ rpcCode: -32602, data: { path: 'createdAt' } });
      expect(error.message).toContain('invalid time format (expected ISO8601 UTC)');
    },
  );

  it('takes null for absent wherever a field is optional', async () => {
    const { id } = await test.call<{ id: string }>('add_note', {
      ...note,
      title: null,
      tags: null,
      source: null,
      createdAt: null,
      metadata: null,
    });
    expect(await test.call('get', { id })).toEqual({
      ...note,
      id,
      namespace: NAMESPACE,
      title: null,
      tags: [],
      source: null,
      metadata: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      revision: 1,
    });
  });

  it('keeps every field and tells times in UTC', async () => {
    const full = {
      ...note,
      title: 'T',
      tags: ['b', 'A'],
      source: 's',
      createdAt: '2024-01-15T10:30:00.25+09:00',
      metadata: { deep: { list: [1, null] } },
    };
    const { id } = await test.call<{ id: string }>('add_note', full);
    expect(await test.call('get', { id })).toEqual({
      ...full,
      id,
      namespace: NAMESPACE,
      createdAt: '2024-01-15T01:30:00.250Z',
      revision: 1,
    });
  });

  it('redacts a secret and says so', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const added = await test.call<{ id: string; redacted: string[] }>('add_note', {
      ...note,
      text: `push with ${secret}`,
      metadata: { secret },
    });
    expect(added.redacted).toEqual(['github-token']);
    expect(JSON.stringify(await test.call('get', { id: added.id }))).not.toContain(secret);
  });

  it('refuses a secret where so configured', async () => {
    test = makeMemory({ settings: makeSettings({ secrets: 'refuse' }) });
    expect(await fail('add_note', { ...note, text: `ghp_${'a1B2'.repeat(9)}` })).toMatchObject({
      rpcCode: -32602,
      data: { path: 'text' },
    });
  });
});

describe('memory.search', () => {
  const search = (params: object) =>
    test.call<{ namespace: string; results: { text: string; score: number }[] }>('search', {
      projectId: 'p',
      ...params,
    });
  const texts = async (params: object): Promise<string[]> =>
    (await search(params)).results.map(({ text }) => text);

  it('gives namespace and results, best first', async () => {
    await test.call('add_note', { ...note, text: 'refresh token seven days', tags: ['x'] });
    await test.call('add_note', { ...note, text: 'unrelated' });
    const { namespace, results } = await search({ query: 'refresh token' });
    expect(namespace).toBe(NAMESPACE);
    expect(results[0]).toEqual({
      id: expect.stringMatching(UUID),
      projectId: 'p',
      groupId: 'g',
      title: null,
      text: 'refresh token seven days',
      tags: ['x'],
      source: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      metadata: null,
      revision: 1,
      score: expect.any(Number),
      match: { by: expect.stringMatching(/^(?:lexical|both)$/), words: ['refresh', 'token'] },
    });
    for (const { score } of results) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  it('gives five by default, none for 0, and as many as asked', async () => {
    for (let i = 0; i < 8; i += 1) await test.call('add_note', { ...note, text: `word ${i}` });
    expect(await texts({ query: 'word' })).toHaveLength(5);
    expect(await texts({ query: 'word', topK: null })).toHaveLength(5);
    expect(await texts({ query: 'word', topK: 0 })).toEqual([]);
    expect(await texts({ query: 'word', topK: 7 })).toHaveLength(7);
    expect(await texts({ query: 'word', topK: 100 })).toHaveLength(8);
  });

  it.each([-1, 101, 1.5, '5', true, [], 1e300])('refuses the topK %j', async (topK) => {
    expect(await fail('search', { projectId: 'p', query: 'x', topK })).toMatchObject({
      rpcCode: -32602,
      data: { path: 'topK' },
    });
  });

  it.each([
    ['projectId', 'projectId is required'],
    ['query', 'query is required'],
  ])('needs %s', async (field, message) => {
    for (const value of [undefined, null, '']) {
      const params = { projectId: 'p', query: 'q', [field]: value };
      if (value === undefined) delete params[field];
      expect(await fail('search', params)).toMatchObject({ rpcCode: -32602, message });
    }
  });

  it('refuses an empty groupId, as every other empty name', async () => {
    expect(await fail('search', { projectId: 'p', query: 'x', groupId: '' })).toMatchObject({
      rpcCode: -32602,
      message: 'groupId is required',
    });
  });

  it.each(['since', 'until'])('refuses %s that is no time', async (field) => {
    expect(
      await fail('search', { projectId: 'p', query: 'x', [field]: 'yesterday' }),
    ).toMatchObject({
      rpcCode: -32602,
      data: { path: field },
    });
  });

  it('compares times as instants: since inclusive, until exclusive', async () => {
    await test.call('add_note', { ...note, text: 'word', createdAt: '2024-01-15T10:30:00+09:00' });
    const at = '2024-01-15T01:30:00Z';
    expect(await texts({ query: 'word', since: at })).toEqual(['word']);
    expect(await texts({ query: 'word', until: at })).toEqual([]);
    expect(await texts({ query: 'word', since: at, until: '2024-01-15T01:30:00.001Z' })).toEqual([
      'word',
    ]);
  });

  it('finds a note under every spelling of its project', async () => {
    await test.call('add_note', { ...note, projectId: '~/demo-x', text: 'word' });
    const found = await test.call<{ results: unknown[] }>('search', {
      projectId: '~/./demo-x/',
      query: 'word',
    });
    expect(found.results).toHaveLength(1);
  });

  it.each([
    '"',
    "'",
    '*',
    '(',
    'AND',
    'a OR',
    'NOT x',
    'NEAR(a b)',
    'col:x',
    '{a}',
    '^x',
    '-x',
    '+',
    '?',
    '/',
    '#',
    '%',
    '_',
    '\\',
    ';',
    '--',
    '`',
    '[',
    '~',
    '\u0000',
    '\ud800',
    '🙂',
    '§p1',
    'a"b\'c',
    ' ',
    `'); DROP TABLE note; --`,
  ])('takes the query `%s` for what it says', async (query) => {
    await test.call('add_note', note);
    await expect(search({ query })).resolves.toMatchObject({ namespace: NAMESPACE });
  });
});

describe('a search that names a day', () => {
  it.each([
    ['UTC', 'evening'],
    ['Asia/Tokyo', 'morning'],
  ])('means the day of %s', async (timeZone, expected) => {
    const zoned = makeMemory({ settings: makeSettings({ search: { timeZone } }) });
    const day = { morning: '2025-12-24T20:00:00Z', evening: '2025-12-25T20:00:00Z' };
    for (const [source, createdAt] of Object.entries(day)) {
      await zoned.call('add_note', { ...note, source, createdAt, text: 'the tree was lit' });
    }
    const found = await zoned.call('search', {
      projectId: 'p',
      query: 'tree lit 25 December 2025',
    });
    expect(found).toMatchObject({ results: [{ source: expected }, {}] });
    await zoned.memory.close();
  });
});

describe('memory.get', () => {
  it('needs an id', async () => {
    expect(await fail('get', {})).toMatchObject({ rpcCode: -32602, message: 'id is required' });
    expect(await fail('get')).toMatchObject({ rpcCode: -32602, message: 'id is required' });
  });

  it('knows no note of an unknown id', async () => {
    expect(await fail('get', { id: 'nope' })).toMatchObject({
      rpcCode: -32003,
      message: 'Note not found',
    });
  });
});

describe('memory.update', () => {
  let id: string;
  const full = { ...note, title: 'T', tags: ['a'], source: 's', metadata: { a: 1 } };
  beforeEach(async () => {
    ({ id } = await test.call<{ id: string }>('add_note', full));
  });
  const patched = async (patch: unknown): Promise<Record<string, unknown>> => {
    expect(await test.call('update', { id, patch })).toEqual({ ok: true });
    return test.call('get', { id });
  };

  it.each([
    ['nothing', {}, {}],
    ['a title', { title: 'new' }, { title: 'new' }],
    [
      'title, source and metadata to null',
      { title: null, source: null, metadata: null },
      { title: null, source: null, metadata: null },
    ],
    ['title and source by an empty text', { title: '', source: '' }, { title: null, source: null }],
    ['tags to none', { tags: null }, { tags: [] }],
    ['tags to others', { tags: ['x', 'y'] }, { tags: ['x', 'y'] }],
    ['the text', { text: 'new text' }, { text: 'new text' }],
    ['the group', { groupId: 'other' }, { groupId: 'other' }],
    ['metadata', { metadata: { b: [] } }, { metadata: { b: [] } }],
  ])('changes %s and nothing else', async (_, patch, changes) => {
    const before = await test.call('get', { id });
    const revision = Object.keys(patch).length === 0 ? 1 : 2;
    expect(await patched(patch)).toEqual({ ...before, ...changes, revision });
  });

  it('does nothing for an empty patch', async () => {
    expect(await test.call('update', { id, patch: {} })).toEqual({ ok: true });
  });

  it.each([
    [{ groupId: null }, 'groupId is required'],
    [{ groupId: '' }, 'groupId is required'],
    [{ groupId: 'bad id' }, 'groupId contains invalid characters'],
    [{ text: null }, 'text is required'],
    [{ text: '' }, 'text is required'],
  ])('refuses the patch %j', async (patch, message) => {
    expect(await fail('update', { id, patch })).toMatchObject({ rpcCode: -32602, message });
  });

  it('leaves the note findable whatever changes', async () => {
    for (const patch of [
      { tags: ['z'] },
      { title: null },
      { metadata: null },
      { text: 'another text' },
      { groupId: 'h' },
    ]) {
      await test.call('update', { id, patch });
      const { results } = await test.call<{ results: { id: string }[] }>('search', {
        projectId: 'p',
        query: 'text',
      });
      expect(results.map((result) => result.id)).toEqual([id]);
    }
  });

  it('knows no note of an unknown id', async () => {
    expect(await fail('update', { id: 'nope', patch: {} })).toMatchObject({
      rpcCode: -32003,
      message: 'Note not found',
    });
    expect(await fail('update', { patch: {} })).toMatchObject({
      rpcCode: -32602,
      message: 'id is required',
    });
  });
});

describe('memory.delete', () => {
  it('deletes a note, then a value, then finds nothing', async () => {
    const { id } = await test.call<{ id: string }>('add_note', note);
    const value = await test.call<{ id: string }>('upsert_global', {
      projectId: 'p',
      key: 'global.k',
      value: 1,
    });
    expect(await test.call('delete', { id })).toEqual({ ok: true });
    expect(await test.call('delete', { id: value.id })).toEqual({ ok: true });
    for (const gone of [id, value.id]) {
      expect(await fail('delete', { id: gone })).toMatchObject({
        rpcCode: -32003,
        message: 'Not found',
      });
    }
    expect(await fail('delete', {})).toMatchObject({ rpcCode: -32602, message: 'id is required' });
  });

  it('does not delete a group', async () => {
    const { id } = await test.call<{ id: string }>('group_create', {
      projectId: 'p',
      groupKey: 'k',
      title: 'T',
    });
    expect(await fail('delete', { id })).toMatchObject({ rpcCode: -32003 });
  });
});

describe('memory.list_recent', () => {
  it('gives namespace and items, newest first, ten by default', async () => {
    for (let i = 0; i < 12; i += 1) {
      test.clock.now += 1_000;
      await test.call('add_note', { ...note, text: `n${i}` });
    }
    const { namespace, items } = await test.call<{
      namespace: string;
      items: { text: string; namespace: string }[];
    }>('list_recent', { projectId: 'p' });
    expect(namespace).toBe(NAMESPACE);
    expect(items.map(({ text }) => text)).toEqual(
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((i) => `n${i}`),
    );
    expect(items.every((item) => item.namespace === NAMESPACE)).toBe(true);
    expect(
      (await test.call<{ items: unknown[] }>('list_recent', { projectId: 'p', limit: 0 })).items,
    ).toEqual([]);
  });

  it('needs a project and a sensible limit', async () => {
    expect(await fail('list_recent', {})).toMatchObject({
      rpcCode: -32602,
      message: 'projectId is required',
    });
    for (const limit of [-1, 1_001, 1.5, '1']) {
      expect(await fail('list_recent', { projectId: 'p', limit })).toMatchObject({
        data: { path: 'limit' },
      });
    }
  });
});

describe('memory.get_config and set_config', () => {
  it('shows the configuration without a key', async () => {
    const embedder = {
      ...makeSettings().embedder,
      provider: 'openai',
      apiKey: 'sk-very-secret',
    } as const;
    test = makeMemory({ settings: makeSettings({ embedder }) });
    const config = await test.call('get_config');
    expect(config).toEqual({
      transportDefaults: { defaultTransport: 'stdio' },
      embedder: { provider: 'openai', model: 'letters', dim: 16, baseUrl: 'http://127.0.0.1:1' },
      store: { type: 'memory', path: null, url: null },
      paths: { configPath: '/nowhere/config.json', dataDir: '/nowhere/data' },
    });
    expect(JSON.stringify(config)).not.toContain('secret');
  });

  it.each([[undefined], [{}], [{ embedder: null }], [{ embedder: {} }]])(
    'changes nothing for %j',
    async (params) => {
      expect(await test.call('set_config', params)).toEqual({
        ok: true,
        effectiveNamespace: NAMESPACE,
      });
      expect(test.saved).toEqual([]);
    },
  );

  it('persists a change and puts it in force at once', async () => {
    const changed = await test.call('set_config', { embedder: { model: 'other' } });
    expect(changed).toEqual({ ok: true, effectiveNamespace: 'ollama:other:16' });
    expect(test.saved).toMatchObject([{ provider: 'ollama', model: 'other' }]);
    expect(await test.call('add_note', note)).toMatchObject({ namespace: 'ollama:other:16' });
    expect(await test.call('get_config')).toMatchObject({ embedder: { model: 'other' } });
  });

  it('tells how far the notes are on their way to a new model, and nothing afterwards', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    test = makeMemory({
      openEmbedder: async (settings) => {
        const model = new FakeModel(settings);
        const embed = model.embed.bind(model);
        model.embed = async (texts, options) => {
          if (settings.model === 'other' && texts.length > 1) await gate;
          return embed(texts, options);
        };
        return model;
      },
    });
    for (let i = 0; i < 150; i += 1) await test.call('add_note', { ...note, text: `text ${i}` });
    await test.memory.reindex();
    expect(await test.call('get_config')).not.toHaveProperty('vectors');
    await test.call('set_config', { embedder: { model: 'other' } });
    expect(await test.call('get_config')).toMatchObject({ vectors: { done: 0, pending: 150 } });
    release();
    await test.memory.reindex();
    expect(await test.call('get_config')).not.toHaveProperty('vectors');
  });

  it('refuses OpenAI without a key and stays as it was', async () => {
    expect(await fail('set_config', { embedder: { provider: 'openai' } })).toMatchObject({
      rpcCode: -32001,
    });
    expect(test.saved).toEqual([]);
    expect(await test.call('get_config')).toMatchObject({ embedder: { provider: 'ollama' } });
  });

  it('takes a key and never shows it', async () => {
    const params = { embedder: { provider: 'openai', apiKey: 'sk-new' } };
    await test.call('set_config', params);
    expect(test.saved).toMatchObject([
      { provider: 'openai', model: 'text-embedding-3-small', apiKey: 'sk-new' },
    ]);
    expect(JSON.stringify(await test.call('get_config'))).not.toContain('sk-new');
  });

  it('refuses an unknown provider', async () => {
    expect(await fail('set_config', { embedder: { provider: 'nonsense' } })).toMatchObject({
      rpcCode: -32602,
      data: { path: 'embedder.provider' },
    });
  });

  it('refuses to change what the environment decides', async () => {
    const fixedByEnvironment = { model: 'TINCAN_EMBEDDER_MODEL' };
    test = makeMemory({ settings: makeSettings({ fixedByEnvironment }) });
    const error = await fail('set_config', { embedder: { model: 'x' } });
    expect(error).toMatchObject({ rpcCode: -32602, data: { path: 'embedder.model' } });
    expect(error.message).toContain('TINCAN_EMBEDDER_MODEL');
  });
});

describe('global values', () => {
  it('keep their id, may be null, and are found again', async () => {
    const params = { projectId: 'p', key: 'global.project.conventions', value: { a: 1 } };
    const first = await test.call<{ id: string }>('upsert_global', params);
    expect(first).toEqual({ ok: true, id: expect.stringMatching(UUID), namespace: NAMESPACE });
    const second = await test.call('upsert_global', {
      ...params,
      value: null,
      updatedAt: '2024-01-01T00:00:00Z',
    });
    expect(second).toMatchObject({ id: first.id });
    expect(await test.call('get_global', { projectId: 'p', key: params.key })).toEqual({
      namespace: NAMESPACE,
      found: true,
      id: first.id,
      value: null,
      updatedAt: '2024-01-01T00:00:00.000Z',
      revision: 2,
    });
  });

  it('are nulls when not found', async () => {
    expect(await test.call('get_global', { projectId: 'p', key: 'global.none' })).toEqual({
      namespace: NAMESPACE,
      found: false,
      id: null,
      value: null,
      updatedAt: null,
      revision: null,
    });
  });

  it.each(['x', 'Global.x', 'global', 'global.', 'global.a b', 'global.ü'])(
    'refuse the key `%s`',
    async (key) => {
      for (const [method, params] of [
        ['upsert_global', { value: 1 }],
        ['get_global', {}],
      ] as const) {
        const error = await fail(method, { projectId: 'p', key, ...params });
        expect(error.rpcCode).toBe(-32002);
        expect(error.message).toMatch(/^key must start with 'global\.'/);
      }
    },
  );

  it.each([
    ['upsert_global', { key: 'global.k', value: 1 }, 'projectId is required'],
    ['upsert_global', { projectId: 'p', value: 1 }, 'key is required'],
    ['upsert_global', { projectId: 'p', key: '', value: 1 }, 'key is required'],
    ['upsert_global', { projectId: 'p', key: 'global.k' }, 'value is required'],
    ['get_global', { key: 'global.k' }, 'projectId is required'],
    ['get_global', { projectId: 'p' }, 'key is required'],
    ['get_global', { projectId: 'p', key: '' }, 'key is required'],
  ])('%s refuses %j', async (method, params, message) => {
    expect(await fail(method, params)).toMatchObject({ rpcCode: -32602, message });
  });

  it('refuse an updatedAt that is no time', async () => {
    const params = { projectId: 'p', key: 'global.k', value: 1, updatedAt: 'now' };
    expect(await fail('upsert_global', params)).toMatchObject({
      rpcCode: -32602,
      data: { path: 'updatedAt' },
    });
  });
});

describe('groups', () => {
  const group = { projectId: 'p', groupKey: 'feature-1', title: 'F1' };

  it('are created, told, listed, changed and deleted', async () => {
    const { id, namespace } = await test.call<{ id: string; namespace: string }>(
      'group_create',
      group,
    );
    expect(namespace).toBe(NAMESPACE);
    const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
    const told = { id, ...group, description: '', ...times };
    expect(await test.call('group_get', { id })).toEqual({ ...told, namespace });
    expect(await test.call('group_list', { projectId: 'p' })).toEqual({
      namespace,
      groups: [told],
    });
    test.clock.now += 5;
    await test.call('group_update', {
      id,
      patch: { title: '', description: 'd' },
    });
    expect(await test.call('group_get', { id })).toMatchObject({
      title: '',
      description: 'd',
      groupKey: 'feature-1',
      updatedAt: '2026-01-01T00:00:00.005Z',
    });
    expect(await test.call('group_delete', { id })).toEqual({ ok: true });
    for (const method of ['group_get', 'group_delete', 'group_update']) {
      const patch = method === 'group_update' ? { patch: {} } : {};
      expect(await fail(method, { id, ...patch })).toMatchObject({
        rpcCode: -32003,
        message: 'Group not found',
      });
    }
  });

  it('conflict when the key exists in the project', async () => {
    await test.call('group_create', group);
    expect(await fail('group_create', group)).toMatchObject({
      rpcCode: -32005,
      message: 'groupKey already exists in this project',
    });
  });

  it.each([
    [{ groupKey: 'global' }, /groupKey contains invalid characters or is reserved/],
    [{ groupKey: 'a b' }, /groupKey contains invalid characters or is reserved/],
    [{ groupKey: '' }, /^groupKey is required$/],
    [{ title: '' }, /^title is required$/],
    [{ projectId: null }, /^projectId is required$/],
  ])('refuse %j', async (fields, message) => {
    const error = await fail('group_create', { ...group, ...fields });
    expect(error.rpcCode).toBe(-32602);
    expect(error.message).toMatch(message);
  });
});

describe('bad input', () => {
  const wrong: Record<string, unknown[]> = {
    string: [1, true, [], {}],
    integer: ['1', true, [], {}, 0.5],
    array: ['x', 1, {}, [1], [null], [{}]],
    object: ['x', 1, []],
  };
  const cases = methods.flatMap((method) =>
    Object.entries(method.params.properties ?? {}).flatMap(([field, schema]) => {
      const [type] = [schema.type ?? []].flat();
      return (type === undefined ? [] : (wrong[type] ?? [])).map(
        (value) => [method.name, field, value] as const,
      );
    }),
  );
  const base = {
    projectId: 'p',
    groupId: 'g',
    text: 't',
    query: 'q',
    id: 'i',
    key: 'global.k',
    value: 1,
    groupKey: 'k',
    title: 't',
  };

  it.each(cases)('%s refuses %s of the wrong type: %j', async (method, field, value) => {
    const error = await fail(method.replace('memory.', ''), { ...base, [field]: value });
    expect(error.rpcCode).toBe(-32602);
    expect(error.data).toMatchObject({
      path: expect.stringMatching(new RegExp(`^${field}([.[]|$)`)),
    });
  });

  const patches = ['title', 'text', 'tags', 'source', 'groupId', 'metadata'];
  it.each(patches.flatMap((field) => [5, true].map((value) => [field, value] as const)))(
    'memory.update refuses patch.%s of the wrong type: %j',
    async (field, value) => {
      const { id } = await test.call<{ id: string }>('add_note', note);
      expect(await fail('update', { id, patch: { [field]: value } })).toMatchObject({
        rpcCode: -32602,
        data: { path: `patch.${field}` },
      });
    },
  );

  it.each([[[1]], ['x'], [5], [true]])('refuses the parameters %j', async (params) => {
    expect(await fail('get_config', params)).toMatchObject({ rpcCode: -32602 });
  });

  it('refuses a project with a NUL in it, and keeps one in a text', async () => {
    expect(await fail('add_note', { ...note, projectId: '/a\0b' })).toMatchObject({
      rpcCode: -32602,
      data: { path: 'projectId' },
    });
    const { id } = await test.call<{ id: string }>('add_note', { ...note, text: 'a\0b' });
    expect(await test.call('get', { id })).toMatchObject({ text: 'a\0b' });
  });

  it('makes half an emoji whole', async () => {
    const { id } = await test.call<{ id: string }>('add_note', {
      ...note,
      text: 'cut \ud83d',
      tags: ['\udc00'],
    });
    expect(await test.call('get', { id })).toMatchObject({ text: 'cut \ufffd', tags: ['\ufffd'] });
  });

  it('refuses metadata without bottom', async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 3_000; i += 1) deep = { deep };
    expect(await fail('add_note', { ...note, metadata: { deep } })).toMatchObject({
      rpcCode: -32602,
    });
  });

  it('refuses more than a hundred tags', async () => {
    const tags = Array.from({ length: 101 }, (_, i) => `t${i}`);
    expect(await fail('add_note', { ...note, tags })).toMatchObject({
      rpcCode: -32602,
      data: { path: 'tags' },
    });
  });

  it('tells nothing of an unforeseen error but that it happened', async () => {
    test = makeMemory({ openStore: () => Promise.reject(new TypeError('/home/me/secret')) });
    const error = await fail('get', { id: 'x' });
    expect(error).toMatchObject({ rpcCode: -32603, message: 'Internal error', data: undefined });
  });
});

describe('a search of one or two characters', () => {
  it.each([
    ['猫', '庭で猫が寝ている'],
    ['京都', '来月は京都へ行く'],
    ['駅', '駅前の旅館に泊まる'],
  ])('%s finds its note', async (query, text) => {
    for (const other of ['犬の散歩は朝にする', '会議は三時から', '空が青い']) {
      await test.call('add_note', { ...note, text: other });
    }
    await test.call('add_note', { ...note, text });
    const { results } = await test.call<{ results: { text: string }[] }>('search', {
      projectId: 'p',
      query,
      mode: 'lexical',
    });
    expect(results.map((result) => result.text)).toEqual([text]);
  });
});

describe('what a search answers with', () => {
  const search = (params: object) =>
    test.call<{ results: Record<string, unknown>[]; omitted?: number }>('search', {
      projectId: 'p',
      ...params,
    });
  it('is only what reaches a score that was asked for', async () => {
    for (const i of [1, 2, 3, 4])
      await test.call('add_note', { ...note, text: `filler number ${i}` });
    await test.call('add_note', { ...note, text: 'the lantern is green' });
    const { results } = await search({ query: 'green lantern', minScore: 0.9 });
    expect(results.map(({ text }) => text)).toEqual(['the lantern is green']);
  });

  it('is as short as was asked for', async () => {
    await test.call('add_note', { ...note, text: `lantern ${'x '.repeat(2_000)}` });
    const { results } = await search({ query: 'lantern', detail: 'ids' });
    expect(Object.keys(results[0] ?? {}).sort()).toEqual(['id', 'match', 'score']);
    expect((await search({ query: 'lantern', maxTokens: 200 })).results[0]).toMatchObject({
      isCut: true,
    });
    expect(await search({ query: 'lantern', maxTokens: 5 })).toMatchObject({
      results: [],
      omitted: 1,
    });
  });

  it('is nothing where nothing of a large project fits, unless a single stage is asked', async () => {
    const store = inMemoryStore();
    const find = store.findCandidates.bind(store);
    store.findCandidates = async (request) => ({ ...(await find(request)), projectNotes: 1e6 });
    await using large = makeMemory({ store }).memory;
    const ask = (method: string, params: object) =>
      callMethod(large, `memory.${method}`, { projectId: 'p', ...params });
    await ask('add_note', { ...note, text: 'the lantern is green' });
    await large.reindex();
    expect(await ask('search', { query: 'zebra' })).toMatchObject({ results: [] });
    for (const mode of ['vector', 'hybrid']) {
      expect(await ask('search', { query: 'zebra', mode })).toMatchObject({ results: [{}] });
    }
  });

  it.each(['lexical', 'vector', 'hybrid', 'context'])('can be found by %s alone', async (mode) => {
    await test.call('add_note', { ...note, text: 'the lantern is green' });
    await test.memory.reindex();
    const { results } = await search({ query: 'lantern', mode });
    expect(results[0]).toMatchObject({
      match: { words: mode === 'vector' ? [] : ['lantern'] },
    });
  });

  it.each([
    [{ detail: 'most' }, 'detail'],
    [{ mode: 'magic' }, 'mode'],
    [{ minScore: 2 }, 'minScore'],
    [{ minScore: '0.5' }, 'minScore'],
    [{ maxTokens: 0 }, 'maxTokens'],
    [{ maxTokens: 1.5 }, 'maxTokens'],
  ])('refuses %j', async (params, path) => {
    expect(await fail('search', { projectId: 'p', query: 'x', ...params })).toMatchObject({
      rpcCode: -32602,
      data: { path },
    });
  });
});
