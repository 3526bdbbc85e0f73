import { beforeEach, describe, expect, it } from 'vitest';
import { makeMemory, type TestMemory } from '../service/fake-memory.ts';

const note = { projectId: 'p', groupId: 'g', text: 'the green lantern hangs above the old door' };
const NOT_FOUND = { rpcCode: -32003 };

let test: TestMemory;
beforeEach(() => {
  test = makeMemory();
});

interface Added {
  readonly id: string;
  readonly duplicate?: boolean;
  readonly similar?: readonly { readonly id: string; readonly score: number }[];
}
const add = (fields: object = {}): Promise<Added> => test.call('add_note', { ...note, ...fields });
const texts = async (query: string): Promise<string[]> => {
  const { results } = await test.call<{ results: { text: string }[] }>('search', {
    projectId: 'p',
    query,
  });
  return results.map(({ text }) => text);
};
const count = async (): Promise<number> => (await test.memory.status()).notes;

describe('adding what is there', () => {
  it.each([
    ['in the same words', {}],
    ['with other spaces', { text: ` ${note.text.replaceAll(' ', '\n')} ` }],
    ['with other tags and another source', { tags: ['new'], source: 'new' }],
    ['with its title', { title: 'Lantern' }],
    ['with its metadata in another order', { metadata: { b: 2, a: 1 } }],
    ['with its time', { createdAt: '2026-01-01T00:00:00.000Z' }],
  ])('answers with the first note when it comes %s', async (_, fields) => {
    const first = await add({ title: 'Lantern', tags: ['old'], metadata: { a: 1, b: 2 } });
    test.clock.now += 1_000;
    const second = await add(fields);
    expect(second).toMatchObject({ id: first.id, duplicate: true });
    expect(second.similar).toBeUndefined();
    expect(await count()).toBe(1);
    expect(await test.call('get', { id: first.id })).toMatchObject({ tags: ['old'] });
    expect(await test.memory.history.list({ id: first.id })).toMatchObject({ versions: [{}] });
  });

  it.each([
    ['another title', { title: 'Door' }],
    ['other metadata', { metadata: { a: 2 } }],
    ['another time', { createdAt: '2026-01-02T00:00:00Z' }],
    ['another group', { groupId: 'h' }],
  ])('adds a note of its own with %s, and tells of the first', async (_, fields) => {
    const first = await add({ metadata: { a: 1 } });
    const second = await add(fields);
    expect(second.duplicate).toBeUndefined();
    expect(second.similar).toEqual([{ id: first.id, score: expect.any(Number) }]);
    expect(await count()).toBe(2);
  });

  it('decides among many at once', async () => {
    const added = await Promise.all(Array.from({ length: 20 }, () => add()));
    expect(new Set(added.map(({ id }) => id)).size).toBe(1);
    expect(added.filter(({ duplicate }) => duplicate !== true)).toHaveLength(1);
  });

  it('tells of notes that say nearly the same, the most similar first, and merges nothing', async () => {
    const far = await add({ text: 'nothing here is shared with those that follow, not a bit' });
    const near = await add({ text: `${note.text}, it is said` });
    const nearer = await add();
    const { similar = [], duplicate } = await add({ text: `${note.text} today` });
    expect(duplicate).toBeUndefined();
    expect(similar.map(({ id }) => id)).toEqual([nearer.id, near.id]);
    expect(similar[0]?.score).toBeGreaterThan(similar[1]?.score ?? 1);
    expect(similar.map(({ id }) => id)).not.toContain(far.id);
    expect(await count()).toBe(4);
  });

  it('does not stop an import, which keeps its ids', async () => {
    await add();
    const id = '3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11';
    const taken = await test.memory.transfer.take({ kind: 'note', id, ...note });
    expect(taken.outcome).toBe('added');
    expect(await test.call('get', { id })).toMatchObject({ text: note.text });
  });
});

describe('superseding', () => {
  it('hides the old note from search only', async () => {
    const old = await add({ text: 'the lantern is red' });
    await add({ text: 'the lantern is blue', metadata: { supersedes: old.id } });
    expect(await texts('lantern')).toEqual(['the lantern is blue']);
    expect(await test.call('get', { id: old.id })).toMatchObject({ text: 'the lantern is red' });
    const { items } = await test.call<{ items: object[] }>('list_recent', { projectId: 'p' });
    expect(items).toHaveLength(2);
  });

  it.each([[5], [{}], [[1]], [''], [['']], [Array.from({ length: 101 }, () => 'x')]])(
    'refuses %j, which could hide nothing',
    async (supersedes) => {
      const { id } = await add();
      const refused = { rpcCode: -32602, data: { path: 'metadata.supersedes' } };
      await expect(add({ text: 'x', metadata: { supersedes } })).rejects.toMatchObject(refused);
      await expect(
        test.call('update', { id, patch: { metadata: { supersedes } } }),
      ).rejects.toMatchObject({ rpcCode: -32602, data: { path: 'patch.metadata.supersedes' } });
    },
  );
});

describe('memory.history and memory.restore', () => {
  it('tell what a note was, and bring it back', async () => {
    const { id } = await add({ text: 'first words', tags: ['t'] });
    test.clock.now += 1_000;
    await test.call('update', { id, patch: { text: 'second words' } });
    test.clock.now += 1_000;
    await test.call('delete', { id });
    expect(await texts('words')).toEqual([]);
    const { versions } = await test.call<{ versions: object[] }>('history', { id });
    const same = {
      id,
      projectId: 'p',
      groupId: 'g',
      tags: ['t'],
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    expect(versions).toMatchObject([
      { version: 3, event: 'deleted', at: '2026-01-01T00:00:02.000Z', text: 'second words' },
      { version: 2, event: 'updated', at: '2026-01-01T00:00:01.000Z', text: 'second words' },
      { version: 1, event: 'added', at: '2026-01-01T00:00:00.000Z', text: 'first words', ...same },
    ]);
    expect(await test.call('restore', { id })).toEqual({ ok: true, version: 4 });
    expect(await texts('words')).toEqual(['second words']);
    expect(await test.call('restore', { id, version: 1 })).toEqual({ ok: true, version: 5 });
    expect(await texts('words')).toEqual(['first words']);
    expect(await test.call('get', { id })).toMatchObject({ ...same, text: 'first words' });
  });

  it('embed what they bring back', async () => {
    const { id } = await add({ text: 'first words' });
    await test.memory.reindex();
    await test.call('update', { id, patch: { text: 'second words' } });
    await test.call('delete', { id });
    await test.call('restore', { id, version: 1 });
    await test.memory.reindex();
    expect(test.models[0]?.asked.flat().at(-1)).toBe('first words');
    expect((await test.memory.status()).spaces[0]).toMatchObject({ vectors: 1, pending: 0 });
  });

  it('know no note that never was, and no version that is not kept', async () => {
    const { id } = await add();
    await expect(test.call('history', { id: 'nope' })).rejects.toMatchObject(NOT_FOUND);
    await expect(test.call('restore', { id: 'nope' })).rejects.toMatchObject(NOT_FOUND);
    await expect(test.call('restore', { id, version: 7 })).rejects.toMatchObject({
      ...NOT_FOUND,
      message: 'Version not found',
    });
  });

  it('ask for a version where nothing is deleted', async () => {
    const { id } = await add();
    const refused = { rpcCode: -32602, data: { path: 'version' } };
    await expect(test.call('restore', { id })).rejects.toMatchObject(refused);
    for (const version of [0, -1, 1.5, '1']) {
      await expect(test.call('restore', { id, version })).rejects.toMatchObject(refused);
    }
  });
});

describe('memory.delete', () => {
  it('finds a deleted note no more, until it is restored', async () => {
    const { id } = await add();
    await test.call('delete', { id });
    await expect(test.call('delete', { id })).rejects.toMatchObject(NOT_FOUND);
    await expect(test.call('get', { id })).rejects.toMatchObject(NOT_FOUND);
    await expect(test.call('update', { id, patch: {} })).rejects.toMatchObject(NOT_FOUND);
  });

  it.each([[false], [true]])(
    'erases for good when told to (deleted before: %s)',
    async (before) => {
      const { id } = await add();
      if (before) await test.call('delete', { id });
      expect(await test.call('delete', { id, hard: true })).toEqual({ ok: true });
      for (const method of ['history', 'restore', 'get', 'delete']) {
        await expect(test.call(method, { id })).rejects.toMatchObject(NOT_FOUND);
      }
      await expect(test.call('delete', { id, hard: true })).rejects.toMatchObject(NOT_FOUND);
    },
  );
});
