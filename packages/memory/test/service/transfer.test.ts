import { describe, expect, it } from 'vitest';
import type { TransferRecord } from '../../src/service/transfer-records.ts';
import { makeMemory, makeSettings, type TestMemory } from './fake-memory.ts';

const ID = '3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11';
const note = { kind: 'note', projectId: 'p', groupId: 'global', text: 'text' };
const group = { kind: 'group', projectId: 'p', groupKey: 'ops', title: 'Ops' };
const value = { kind: 'value', projectId: 'p', key: 'global.k', value: 1 };

async function recordsOf(
  { memory }: TestMemory,
  projectId?: string,
  history?: boolean,
): Promise<TransferRecord[]> {
  const records: TransferRecord[] = [];
  for await (const record of memory.transfer.records({ projectId, history })) records.push(record);
  return records;
}

function projectOf(record: TransferRecord): string | undefined {
  return record.kind === 'erased' ? undefined : record.projectId;
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
    expect(await recordsOf(to)).toEqual(records);
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
    expect((await recordsOf(await filled(), 'q')).map(projectOf)).toEqual(['q']);
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
    expect((await recordsOf(test)).map(projectOf)).toEqual(['p', 'elsewhere']);
  });

  it.each([false, true])(
    'refuses to give another name to what the store has already (dry run: %s)',
    async (dryRun) => {
      const test = await filled();
      const before = await recordsOf(test);
      const rename = (projectId: string): string => (projectId === 'p' ? 'elsewhere' : projectId);
      for (const record of before) {
        const taking = test.memory.transfer.take(record, { rename, dryRun });
        if (projectOf(record) === 'q') {
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

describe('transfer with history', () => {
  /** A memory in which everything happened that an export with history must carry. */
  async function lived(): Promise<TestMemory & { readonly ids: Record<string, string> }> {
    const test = await filled();
    const ids: Record<string, string> = {};
    const { kind: _, ...params } = note;
    for (const name of ['changed', 'deleted', 'restored', 'erased']) {
      const { id } = await test.call<{ id: string }>('add_note', { ...params, text: name });
      ids[name] = id;
      test.clock.now += 1_000;
      await test.call('update', { id, patch: { text: `${name} twice`, tags: ['t'] } });
    }
    await test.call('delete', { id: ids['deleted'] });
    await test.call('delete', { id: ids['restored'] });
    test.clock.now += 1_000;
    await test.call('restore', { id: ids['restored'] });
    await test.call('delete', { id: ids['erased'], hard: true });
    await test.call('upsert_global', { projectId: 'p', key: 'global.k', value: 'again' });
    return { ...test, ids };
  }

  it('brings ids, revisions, versions, deleted notes and tombstones into an empty memory', async () => {
    const from = await lived();
    const to = makeMemory();
    const records = await recordsOf(from, undefined, true);
    expect(records.map(({ kind }) => kind)).toEqual([
      ...['group', 'value', 'erased', 'note', 'note', 'note', 'note', 'deleted'],
    ]);
    for (const record of records) {
      const carried = JSON.parse(JSON.stringify(record)) as unknown;
      expect(await to.memory.transfer.take(carried)).toMatchObject({ outcome: 'added' });
    }
    expect(await recordsOf(to, undefined, true)).toEqual(records);
    for (const id of [from.ids['changed'], from.ids['deleted'], from.ids['restored']]) {
      expect(await to.call('history', { id })).toEqual(await from.call('history', { id }));
    }
    const key = { projectId: 'p', key: 'global.k' };
    expect(await to.call('get_global', key)).toEqual(await from.call('get_global', key));
    expect(await to.call('get', { id: from.ids['changed'] })).toMatchObject({ revision: 2 });
    expect((await to.memory.check()).length).toBe(0);
  });

  it('lets what arrived live on: restored, changed at its revision, found by words', async () => {
    const from = await lived();
    const to = makeMemory();
    for (const record of await recordsOf(from, undefined, true))
      await to.memory.transfer.take(record);
    expect(await to.call('restore', { id: from.ids['deleted'] })).toMatchObject({ version: 4 });
    const id = from.ids['changed'];
    await to.call('update', { id, patch: { text: 'thrice' }, ifRevision: 2 });
    expect(await to.call('history', { id })).toMatchObject({
      versions: [{ version: 3 }, { version: 2 }, { version: 1, text: 'changed' }],
    });
    const { results } = await to.call<{ results: unknown[] }>('search', {
      projectId: 'p',
      query: 'restored',
    });
    expect(results[0]).toMatchObject({ text: 'restored twice' });
    expect((await to.memory.check()).length).toBe(0);
  });

  it('takes nothing twice', async () => {
    const test = await lived();
    const before = await recordsOf(test, undefined, true);
    for (const record of before) {
      expect(await test.memory.transfer.take(record)).toMatchObject({ outcome: 'kept' });
    }
    expect(await recordsOf(test, undefined, true)).toEqual(before);
  });

  it('keeps the history that is there, and brings a deleted note back on top of it', async () => {
    const test = await lived();
    const records = await recordsOf(test, undefined, true);
    const changed = records.find((each) => 'id' in each && each.id === test.ids['changed']);
    await test.call('delete', { id: test.ids['changed'] });
    expect(await test.memory.transfer.take(changed)).toMatchObject({ outcome: 'added' });
    expect(await test.call('history', { id: test.ids['changed'] })).toMatchObject({
      versions: [{ version: 4, event: 'restored' }, { event: 'deleted' }, {}, {}],
    });
  });

  it('leaves tombstones out of the export of one project', async () => {
    const kinds = (await recordsOf(await lived(), 'p', true)).map(({ kind }) => kind);
    expect(kinds).toContain('deleted');
    expect(kinds).not.toContain('erased');
  });

  it('leaves a default export as it was: no versions, no revision', async () => {
    const records = await recordsOf(await lived());
    expect(new Set(records.map(({ kind }) => kind))).toEqual(new Set(['group', 'value', 'note']));
    // The order too: an export is compared with an older one line by line.
    const fields = new Set(records.map((record) => Object.keys(record).join()));
    expect(fields).toEqual(
      new Set([
        'kind,id,projectId,groupKey,title,description,createdAt,updatedAt',
        'kind,id,projectId,key,value,updatedAt',
        'kind,id,projectId,groupId,title,text,tags,source,metadata,createdAt',
      ]),
    );
  });

  it('keeps secrets of earlier versions out', async () => {
    const secret = `sk-proj-${'a1B2'.repeat(12)}`;
    const test = makeMemory();
    const version = { ...note, version: 1, event: 'added', at: '2026-01-01T00:00:00Z' };
    const versions = [
      { ...version, createdAt: version.at, version: 2, event: 'updated' },
      { ...version, createdAt: version.at, text: secret },
    ];
    const taken = await test.memory.transfer.take({ ...note, id: ID, versions });
    expect(taken.redacted).not.toEqual([]);
    expect(JSON.stringify(await recordsOf(test, undefined, true))).not.toContain(secret);
  });

  const at = '2026-01-01T00:00:00Z';
  const v1 = { ...note, createdAt: at, version: 1, event: 'added', at };
  const gone = { ...v1, version: 2, event: 'deleted' };
  it.each([
    [{ ...note, id: ID, versions: [] }],
    [{ ...note, id: ID, versions: 'all' }],
    [{ ...note, id: ID, versions: [gone, v1] }],
    [{ ...note, id: ID, versions: [v1, { ...v1, version: 2 }] }],
    [{ ...note, id: ID, versions: [v1, v1] }],
    [{ ...note, id: ID, versions: [{ ...v1, version: 0 }] }],
    [{ ...note, id: ID, versions: [{ ...v1, version: 1.5 }] }],
    [{ ...note, id: ID, versions: [{ ...v1, version: 1e300 }] }],
    [{ ...note, id: ID, versions: [{ ...v1, event: 'sung' }] }],
    [{ ...note, id: ID, versions: [{ ...v1, at: 'then' }] }],
    [{ ...note, id: ID, versions: [{ ...v1, text: '' }] }],
    [{ ...note, id: ID, versions: [{ ...v1, groupId: 'a b' }] }],
    [{ ...note, id: ID, versions: [{ ...v1, projectId: 'a\0b' }] }],
    [{ kind: 'deleted', id: ID, projectId: 'p', versions: [v1] }],
    [{ kind: 'deleted', id: ID, projectId: 'p', versions: [] }],
    [{ kind: 'deleted', projectId: 'p', versions: [gone] }],
    [{ kind: 'erased', id: 'nope', at }],
    [{ kind: 'erased', id: ID }],
    [{ kind: 'erased', id: ID, at: 'then' }],
    [{ ...value, id: 'nope' }],
    [{ ...value, revision: 0 }],
  ])('refuses %j', async (record) => {
    const test = makeMemory();
    await expect(test.memory.transfer.take(record)).rejects.toMatchObject({ rpcCode: -32602 });
    expect(await recordsOf(test, undefined, true)).toEqual([]);
  });
});

describe('transfer of what was erased', () => {
  async function erased(): Promise<{ test: TestMemory; records: TransferRecord[] }> {
    const test = await filled();
    const records = await recordsOf(test);
    for (const { kind, ...record } of records) {
      if (kind !== 'group') await test.call('delete', { id: record.id, hard: true });
    }
    return { test, records };
  }

  it.each([[true], [false]])('leaves it out and names it (dry run: %s)', async (dryRun) => {
    const { test, records } = await erased();
    const outcomes: unknown[] = [];
    for (const record of records) {
      const { outcome, id } = await test.memory.transfer.take(record, { dryRun });
      outcomes.push([outcome, id === record.id]);
    }
    expect(outcomes).toEqual([['kept', true], ...Array(3).fill(['erased', true])]);
    expect(await recordsOf(test)).toMatchObject([{ kind: 'group' }]);
  });

  it('takes it when asked to, and then as any other', async () => {
    const { test, records } = await erased();
    for (const record of records) await test.memory.transfer.take(record, { includeErased: true });
    expect(await recordsOf(test)).toEqual(records);
    for (const record of records) {
      expect(await test.memory.transfer.take(record)).toMatchObject({ outcome: 'kept' });
    }
    expect(await test.store.listErased()).toEqual([]);
  });

  it('leaves it out with its history too, and a tombstone never takes a note away', async () => {
    const from = await filled();
    const records = await recordsOf(from, undefined, true);
    const to = makeMemory();
    const notes = records.filter(({ kind }) => kind === 'note');
    for (const { id } of notes) {
      const tombstone = { kind: 'erased', id, at: '2026-01-01T00:00:00Z' };
      expect(await to.memory.transfer.take(tombstone)).toMatchObject({ outcome: 'added' });
      expect(await from.memory.transfer.take(tombstone)).toMatchObject({ outcome: 'kept' });
    }
    for (const record of notes) {
      expect(await to.memory.transfer.take(record)).toMatchObject({ outcome: 'erased' });
    }
    expect(await recordsOf(from, undefined, true)).toEqual(records);
  });
});
