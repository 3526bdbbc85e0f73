import { describe, expect, it } from 'vitest';
import type { TransferRecord } from '../../src/service/transfer.ts';
import { makeMemory, makeSettings, type TestMemory } from './fake-memory.ts';

const ID = '3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11';
const note = { kind: 'note', projectId: 'p', groupId: 'global', text: 'text' };
const group = { kind: 'group', projectId: 'p', groupKey: 'ops', title: 'Ops' };
const value = { kind: 'value', projectId: 'p', key: 'global.k', value: 1 };

async function recordsOf({ memory }: TestMemory, projectId?: string): Promise<TransferRecord[]> {
  const records: TransferRecord[] = [];
  for await (const record of memory.transfer.records({ projectId })) records.push(record);
  return records;
}

async function filled(): Promise<TestMemory> {
  const test = makeMemory();
  await test.call('group_create', { projectId: 'p', groupKey: 'ops', title: 'Ops' });
  await test.call('upsert_global', { projectId: 'p', key: 'global.k', value: { deep: [null] } });
  const { kind: _, ...params } = note;
  await test.call('add_note', { ...params, tags: ['a'], metadata: { k: 1 } });
  await test.call('add_note', { ...params, projectId: 'q', title: 't', source: 's' });
  return test;
}

describe('transfer', () => {
  it('brings everything into an empty memory as it was', async () => {
    const from = await filled();
    const to = makeMemory();
    const records = await recordsOf(from);
    expect(records.map(({ kind }) => kind)).toEqual(['group', 'value', 'note', 'note']);
    for (const record of records) {
      const carried = JSON.parse(JSON.stringify(record)) as unknown;
      expect(await to.memory.transfer.take(carried)).toMatchObject({ outcome: 'added' });
    }
    const arrived = await recordsOf(to);
    // A value is known by its key; its id is of the place.
    const withoutValueId = (all: TransferRecord[]) =>
      all.map((each) => (each.kind === 'value' ? { ...each, id: '' } : each));
    expect(withoutValueId(arrived)).toEqual(withoutValueId(records));
  });

  it('takes nothing twice', async () => {
    const test = await filled();
    const before = await recordsOf(test);
    for (const record of before) {
      expect(await test.memory.transfer.take(record)).toMatchObject({ outcome: 'kept' });
    }
    expect(await recordsOf(test)).toEqual(before);
  });

  it('exports one project', async () => {
    expect((await recordsOf(await filled(), 'q')).map(({ projectId }) => projectId)).toEqual(['q']);
  });

  it('finds imported notes by words and by vectors', async () => {
    const test = makeMemory();
    await test.memory.transfer.take({ ...note, text: 'zebra crossing' });
    await test.memory.reindex();
    expect(await test.call('search', { projectId: 'p', query: 'zebra' })).toMatchObject({
      results: [{ text: 'zebra crossing' }],
    });
    expect((await test.memory.status()).spaces[0]).toMatchObject({ vectors: 1, pending: 0 });
  });

  it('gives a note without an id the same one each time', async () => {
    const { memory } = makeMemory();
    expect((await memory.transfer.take(note)).outcome).toBe('added');
    expect((await memory.transfer.take(note)).outcome).toBe('kept');
    expect((await memory.transfer.take({ ...note, text: 'other' })).outcome).toBe('added');
    expect((await memory.transfer.take({ ...note, projectId: 'q' })).outcome).toBe('added');
  });

  it('lets the newer group and value win', async () => {
    const test = makeMemory();
    const { transfer } = test.memory;
    const [older, newer] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
    for (const [updatedAt, title, outcome] of [
      [older, 'one', 'added'],
      [newer, 'two', 'updated'],
      [older, 'three', 'kept'],
    ]) {
      expect(await transfer.take({ ...group, title, updatedAt })).toMatchObject({ outcome });
      expect(await transfer.take({ ...value, value: title, updatedAt })).toMatchObject({ outcome });
    }
    expect(await recordsOf(test)).toMatchObject([
      { title: 'two', updatedAt: '2026-02-01T00:00:00.000Z' },
      { value: 'two', updatedAt: '2026-02-01T00:00:00.000Z' },
    ]);
  });

  it('keeps a group whose id another project has, under an id of its own', async () => {
    const test = makeMemory();
    await test.memory.transfer.take({ ...group, id: ID });
    const other = { ...group, id: ID, projectId: 'elsewhere' };
    expect(await test.memory.transfer.take(other)).toMatchObject({ outcome: 'added' });
    expect((await recordsOf(test)).map(({ projectId }) => projectId)).toEqual(['p', 'elsewhere']);
  });

  it.each([false, true])(
    'refuses to give another name to what the store has already (dry run: %s)',
    async (dryRun) => {
      const test = await filled();
      const before = await recordsOf(test);
      const rename = (projectId: string): string => (projectId === 'p' ? 'elsewhere' : projectId);
      for (const record of before) {
        const taking = test.memory.transfer.take(record, { rename, dryRun });
        if (record.projectId === 'q') {
          expect(await taking).toMatchObject({ outcome: 'kept' });
          continue;
        }
        await expect(taking).rejects.toMatchObject({
          ...{ rpcCode: -32602, data: { path: 'id' } },
          message: expect.stringContaining('is in project `p` of this one'),
        });
      }
      expect(await recordsOf(test)).toEqual(before);
    },
  );

  it('gives another name to what comes from another store, twice the same', async () => {
    const [from, to] = [await filled(), makeMemory()];
    await to.call('upsert_global', { projectId: 'p', key: 'global.k', value: 'own' });
    const rename = (): string => 'elsewhere';
    for (const outcome of ['added', 'kept']) {
      for (const record of await recordsOf(from, 'p')) {
        expect(await to.memory.transfer.take(record, { rename })).toMatchObject({ outcome });
      }
    }
    expect(await recordsOf(to, 'elsewhere')).toHaveLength(3);
    expect(await recordsOf(to, 'p')).toMatchObject([{ value: 'own' }]);
  });

  it('changes nothing in a dry run', async () => {
    const test = makeMemory();
    for (const record of [note, group, value]) {
      expect(await test.memory.transfer.take(record, { dryRun: true })).toMatchObject({
        outcome: 'added',
      });
    }
    expect(await recordsOf(test)).toEqual([]);
  });

  it.each([
    [note, 'text'],
    [{ ...note, text: 'x' }, 'title'],
    [group, 'description'],
    [value, 'value'],
  ])('keeps secrets of %j in `%s` out', async (record, field) => {
    const secret = `sk-proj-${'a1B2'.repeat(12)}`;
    const test = makeMemory();
    const taken = await test.memory.transfer.take({ ...record, [field]: secret });
    expect(taken.redacted).not.toEqual([]);
    expect(JSON.stringify(await recordsOf(test))).not.toContain(secret);
    const strict = makeMemory({ settings: makeSettings({ secrets: 'refuse' }) });
    await expect(strict.memory.transfer.take({ ...record, [field]: secret })).rejects.toMatchObject(
      {
        rpcCode: -32602,
      },
    );
  });

  it.each([
    [null],
    [1],
    ['note'],
    [[]],
    [{}],
    [{ kind: 'cat' }],
    [{ kind: 'toString' }],
    [{ ...note, text: '' }],
    [{ ...note, text: null }],
    [{ ...note, projectId: undefined }],
    [{ ...note, projectId: 'a\0b' }],
    [{ ...note, groupId: 'a b' }],
    [{ ...note, id: 'nope' }],
    [{ ...note, tags: 'a' }],
    [{ ...note, tags: [1] }],
    [{ ...note, metadata: [] }],
    [{ ...note, createdAt: 'today' }],
    [{ ...note, createdAt: 5 }],
    [{ ...group, groupKey: 'global' }],
    [{ ...group, groupKey: 'a/b' }],
    [{ ...group, title: 1 }],
    [{ ...group, updatedAt: '2026-13-01T00:00:00Z' }],
    [{ ...value, value: undefined }],
    [{ ...value, updatedAt: '' }],
  ])('refuses %j', async (record) => {
    const test = makeMemory();
    await expect(test.memory.transfer.take(record)).rejects.toMatchObject({ rpcCode: -32602 });
    expect(await recordsOf(test)).toEqual([]);
  });

  it('refuses a value outside `global.`', async () => {
    const { memory } = makeMemory();
    await expect(memory.transfer.take({ ...value, key: 'local.k' })).rejects.toMatchObject({
      rpcCode: -32002,
    });
  });
});

describe('unknown members', () => {
  const metadataOf = async (record: object): Promise<unknown> => {
    const test = makeMemory();
    await test.memory.transfer.take(record);
    const { items } = await test.call<{ items: { metadata: unknown }[] }>('list_recent', {
      projectId: 'p',
    });
    return items[0]?.metadata;
  };

  it.each([
    [{}, null],
    [{ revision: 3, namespace: 'a:b:1', id: ID }, null],
    [{ colour: 'red' }, { colour: 'red' }],
    [{ colour: null, metadata: null }, { colour: null }],
    [
      { colour: 'red', metadata: { a: 1 } },
      { a: 1, colour: 'red' },
    ],
    [{ colour: 'red', metadata: { colour: 'red' } }, { colour: 'red' }],
  ])('of a note with %j make the metadata %j', async (members, metadata) => {
    expect(await metadataOf({ ...note, ...members })).toEqual(metadata);
  });

  it('are named for every kind of record', async () => {
    const { memory } = makeMemory();
    for (const record of [note, group, value]) {
      expect(await memory.transfer.take({ ...record, colour: 'red' })).toMatchObject({
        outcome: 'added',
        unknown: ['colour'],
      });
    }
  });

  it('are redacted as metadata is', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    expect(JSON.stringify(await metadataOf({ ...note, extra: { secret } }))).not.toContain(secret);
  });

  it('never replace what the metadata has', async () => {
    const { memory } = makeMemory();
    const record = { ...note, colour: 'red', metadata: { colour: 'blue' } };
    await expect(memory.transfer.take(record)).rejects.toMatchObject({
      rpcCode: -32602,
      data: { path: 'metadata.colour' },
    });
  });

  it('leave metadata that is not an object to be refused as such', async () => {
    const { memory } = makeMemory();
    const record = { ...note, colour: 'red', metadata: 'x' };
    await expect(memory.transfer.take(record)).rejects.toMatchObject({
      data: { path: 'metadata' },
    });
  });
});
