import { beforeEach, describe, expect, it } from 'vitest';
import { makeMemory, type TestMemory } from '../service/fake-memory.ts';

let test: TestMemory;
beforeEach(() => {
  test = makeMemory();
});

describe('ifRevision', () => {
  it('refuses a change of a note that has changed since it was read, and tells what it is now', async () => {
    const { id } = await test.call<{ id: string }>('add_note', {
      ...{ projectId: 'p', groupId: 'g', text: 'one' },
    });
    const read = await test.call<{ revision: number }>('get', { id });
    await test.call('update', { id, patch: { text: 'two' } });
    await expect(
      test.call('update', { id, patch: { title: 'T' }, ifRevision: read.revision }),
    ).rejects.toMatchObject({
      rpcCode: -32005,
      message: expect.stringMatching(/^expected revision 1, but it is 2/),
      data: {
        expected: 1,
        current: { id, text: 'two', revision: 2, createdAt: '2026-01-01T00:00:00.000Z' },
      },
    });
    const now = await test.call<{ revision: number }>('get', { id });
    const update = { id, patch: { title: 'T' }, ifRevision: now.revision };
    expect(await test.call('update', update)).toEqual({ ok: true, revision: 3 });
    expect(await test.call('get', { id })).toMatchObject({ text: 'two', title: 'T', revision: 3 });
  });

  it('is the revision that every read of a note returns', async () => {
    const { id } = await test.call<{ id: string }>('add_note', {
      ...{ projectId: 'p', groupId: 'g', text: 'lantern' },
    });
    await test.call('update', { id, patch: { tags: ['t'] } });
    expect(await test.call('get', { id })).toMatchObject({ revision: 2 });
    expect(await test.call('list_recent', { projectId: 'p' })).toMatchObject({
      items: [{ revision: 2 }],
    });
    expect(await test.call('search', { projectId: 'p', query: 'lantern' })).toMatchObject({
      results: [{ revision: 2 }],
    });
  });

  it('refuses a value that has changed since it was read, or that is there already', async () => {
    const key = { projectId: 'p', key: 'global.k' };
    const first = { ...key, value: 'a', ifRevision: 0 };
    expect(await test.call('upsert_global', first)).toMatchObject({ ok: true, revision: 1 });
    await expect(test.call('upsert_global', first)).rejects.toMatchObject({
      rpcCode: -32005,
      data: { expected: 0, current: { found: true, value: 'a', revision: 1 } },
    });
    await test.call('upsert_global', { ...key, value: 'b' });
    await expect(
      test.call('upsert_global', { ...key, value: 'c', ifRevision: 1 }),
    ).rejects.toMatchObject({ data: { current: { value: 'b', revision: 2 } } });
    expect(await test.call('get_global', key)).toMatchObject({ value: 'b', revision: 2 });
    await expect(
      test.call('upsert_global', { ...key, key: 'global.none', value: 'c', ifRevision: 1 }),
    ).rejects.toMatchObject({ message: expect.stringContaining('there is no value') });
  });

  it('lets nobody pass where the note is gone', async () => {
    await expect(
      test.call('update', { id: 'nope', patch: {}, ifRevision: 1 }),
    ).rejects.toMatchObject({ rpcCode: -32003 });
  });
});
