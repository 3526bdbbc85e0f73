import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { inMemoryStore } from '../store/in-memory-store.ts';
import { makeNote } from '../store/store-contract.ts';
import {
  embedderSettings,
  makeMemory,
  makeSettings,
  providerDown,
  type TestMemory,
} from './fake-memory.ts';

const note = { projectId: 'p', groupId: 'g', text: 'alpha beta' };
const open: TestMemory[] = [];
function start(options: Parameters<typeof makeMemory>[0] = {}): TestMemory {
  const test = makeMemory(options);
  open.push(test);
  return test;
}
afterEach(async () => {
  for (const { memory } of open.splice(0)) await memory.close();
});

/** Waits for background work without a clock. */
async function settle(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (await isDone()) return;
    await nextTurn();
  }
  throw new Error('never settled');
}

const waiting = async (store: Store): Promise<number> =>
  (await store.listSpaces())[0]?.pending ?? 0;

function gate(): { promise: Promise<void>; open: () => void } {
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, open: release };
}

describe('embedding in the background', () => {
  it('answers add and search before the model does, then gives the note its vector', async () => {
    const test = start({ askWaitMs: 5 });
    const hold = gate();
    await test.call('get_config');
    const [model] = test.models;
    if (model === undefined) throw new Error('no model');
    model.gate = hold.promise;
    await test.call('add_note', note);
    expect(await waiting(test.store)).toBe(1);
    const found = await test.call<{ results: unknown[]; warning: { code: number } }>('search', {
      projectId: 'p',
      query: 'alpha',
    });
    expect(found.results).toHaveLength(1);
    expect(found.warning.code).toBe(-32004);
    hold.open();
    await settle(async () => (await waiting(test.store)) === 0);
    expect(await test.call('search', { projectId: 'p', query: 'alpha' })).not.toHaveProperty(
      'warning',
    );
  });

  it('writes note and vector in one step once the model is quick', async () => {
    const test = start();
    await test.call('add_note', note);
    await settle(async () => (await waiting(test.store)) === 0);
    await test.call('add_note', { ...note, text: 'gamma' });
    expect(await waiting(test.store)).toBe(0);
  });

  it('embeds title and text together', async () => {
    const test = start();
    await test.call('add_note', { ...note, title: 'Title' });
    await settle(
      () => test.models[0]?.asked.some((texts) => texts.includes('Title\nalpha beta')) ?? false,
    );
  });

  it('takes up what an earlier process left behind', async () => {
    const store = inMemoryStore();
    await store.openSpace({ provider: 'ollama', model: 'letters', dim: 16, baseUrl: null });
    for (let i = 0; i < 200; i += 1) await store.addNote(makeNote({ text: `note ${i}` }));
    const test = start({ store });
    test.memory.resume();
    await settle(async () => (await waiting(store)) === 0);
    // In batches, not one by one.
    expect(test.models[0]?.asked.length).toBeLessThan(10);
  });

  it('keeps a note whose provider is down, and says why it waits', async () => {
    const test = start();
    await test.call('get_config');
    const [model] = test.models;
    if (model === undefined) throw new Error('no model');
    model.failure = providerDown;
    const { id } = await test.call<{ id: string }>('add_note', note);
    await settle(() => test.memory.embeddingFailure !== undefined);
    expect(test.memory.embeddingFailure).toBe(providerDown);
    expect(await test.call('get', { id })).toMatchObject({ text: 'alpha beta' });
    await expect(test.memory.reindex()).rejects.toBe(providerDown);
    model.failure = undefined;
    await test.memory.reindex();
    expect(await waiting(test.store)).toBe(0);
    expect(test.memory.embeddingFailure).toBeUndefined();
  });

  it('re-embeds everything on request', async () => {
    const test = start();
    await test.call('add_note', note);
    await test.memory.reindex();
    const before = test.models[0]?.asked.length ?? 0;
    await test.memory.reindex({ all: true });
    expect(test.models[0]?.asked.length).toBe(before + 1);
  });

  it('reports its progress', async () => {
    const seen: number[] = [];
    const test = start({ onProgress: ({ pending }) => seen.push(pending) });
    for (let i = 0; i < 150; i += 1) await test.store.addNote(makeNote({ text: `n${i}` }));
    await test.memory.reindex();
    expect(seen).toEqual([86, 22, 0]);
  });

  it('stops in the middle when the memory closes', async () => {
    const test = start();
    await test.call('get_config');
    const hold = gate();
    if (test.models[0] !== undefined) test.models[0].gate = hold.promise;
    await test.call('add_note', note);
    const closing = test.memory.close();
    hold.open();
    await closing;
    await expect(test.call('get', { id: 'x' })).rejects.toMatchObject({ data: { code: 'CLOSED' } });
  });
});

describe('a model of unknown size', () => {
  const settings = makeSettings({ embedder: { ...embedderSettings, dim: 0 } });

  it('is learnt before the first write', async () => {
    const test = start({ settings, size: 24 });
    expect(await test.call('get_config')).toMatchObject({ embedder: { dim: 0 } });
    expect(await test.call('add_note', note)).toMatchObject({ namespace: 'ollama:letters:24' });
    expect(await test.call('get_config')).toMatchObject({ embedder: { dim: 24 } });
  });

  it('does not keep notes from being written while it is away', async () => {
    const test = start({ settings });
    await test.call('get_config');
    if (test.models[0] !== undefined) test.models[0].failure = providerDown;
    expect(await test.call('add_note', note)).toMatchObject({ namespace: 'ollama:letters:0' });
    if (test.models[0] !== undefined) test.models[0].failure = undefined;
    await test.memory.reindex();
    expect((await test.store.listSpaces())[0]).toMatchObject({ vectors: 1, pending: 0 });
  });
});

describe('without vectors', () => {
  it('search works by words alone, and says nothing of a model nobody wanted', async () => {
    const test = start({
      settings: makeSettings({
        embedder: { ...embedderSettings, provider: 'none', model: 'none', dim: 0 },
      }),
    });
    expect(await test.call('add_note', note)).toMatchObject({ namespace: 'none:none:0' });
    const found = await test.call<{ results: unknown[] }>('search', {
      projectId: 'p',
      query: 'beta',
    });
    expect(found.results).toHaveLength(1);
    expect(found).not.toHaveProperty('warning');
    expect(await test.call('search', { projectId: 'p', query: 'missing' })).toMatchObject({
      results: [],
    });
  });

  const keyless = {
    settings: makeSettings({
      embedder: {
        ...embedderSettings,
        provider: 'openai',
        baseUrl: 'https://api.openai.com/v1',
        model: 'text-embedding-3-small',
        dim: 0,
      },
    }),
    openEmbedder: () => Promise.reject(new MemoryError('KEY_MISSING', 'API key missing')),
  } as const;

  it('a missing key leaves adding and finding by words, with a warning', async () => {
    const test = start(keyless);
    const namespace = 'openai:text-embedding-3-small:1536';
    expect(await test.call('add_note', note)).toMatchObject({ namespace });
    const found = await test.call('search', { projectId: 'p', query: 'beta' });
    expect(found).toMatchObject({ results: [{ text: 'alpha beta' }], warning: { code: -32001 } });
  });

  it('a search that words cannot answer says why meaning was not asked', async () => {
    const test = start(keyless);
    expect(await test.call('search', { projectId: 'p', query: 'x' })).toMatchObject({
      results: [],
    });
    await test.call('add_note', note);
    await expect(test.call('search', { projectId: 'p', query: 'other' })).rejects.toMatchObject({
      rpcCode: -32001,
    });
  });

  it('a model that cannot be opened says in its own words why', async () => {
    const test = start({
      openEmbedder: () => Promise.reject(new Error('data is missing; reinstall')),
    });
    await test.call('add_note', note);
    const found = await test.call('search', { projectId: 'p', query: 'alpha' });
    expect(found).toMatchObject({
      results: [{}],
      warning: { code: -32004, message: 'data is missing; reinstall', data: { retryable: false } },
    });
  });

  it('a failing provider gives its status and whether to try again', async () => {
    const test = start();
    await test.call('add_note', note);
    await test.memory.reindex();
    if (test.models[0] !== undefined) test.models[0].failure = providerDown;
    const found = await test.call('search', { projectId: 'p', query: 'alpha' });
    const data = { status: 503, retryable: true };
    expect(found).toMatchObject({ results: [{}], warning: { code: -32004, data } });
    await expect(test.call('search', { projectId: 'p', query: 'zzz' })).rejects.toMatchObject({
      rpcCode: -32004,
      data,
    });
  });
});

describe('a change of model', () => {
  const many = 120;
  async function filled(): Promise<TestMemory> {
    const test = start();
    for (let i = 0; i < many; i += 1)
      await test.store.addNote(makeNote({ projectId: 'p', text: `note ${i}` }));
    await test.store.addNote(makeNote({ projectId: 'p', text: 'zzzz yyyy' }));
    await test.memory.reindex();
    return test;
  }

  it('keeps notes, groups and values visible', async () => {
    const test = await filled();
    await test.call('group_create', { projectId: 'p', groupKey: 'k', title: 'T' });
    await test.call('upsert_global', { projectId: 'p', key: 'global.k', value: 1 });
    await test.call('set_config', { embedder: { model: 'other' } });
    expect(await test.call('group_list', { projectId: 'p' })).toMatchObject({ groups: [{}] });
    expect(await test.call('get_global', { projectId: 'p', key: 'global.k' })).toMatchObject({
      found: true,
    });
    expect(await test.call('list_recent', { projectId: 'p', limit: 1 })).toMatchObject({
      items: [{}],
    });
  });

  it('lets the old vectors serve until the new ones are there', async () => {
    const test = await filled();
    const hold = gate();
    const changing = test.call('set_config', { embedder: { model: 'other' } });
    await changing;
    const current = test.models.at(-1);
    if (current === undefined) throw new Error('no model');
    current.gate = hold.promise;
    await test.store.resetSpace((await test.store.listSpaces())[0]?.space.id ?? 0);
    hold.open();
    await test.memory.reindex();
    const [newest, older] = await test.store.listSpaces();
    expect(newest).toMatchObject({ space: { model: 'other' }, vectors: many + 1, pending: 0 });
    expect(older).toMatchObject({ space: { model: 'letters' }, vectors: many + 1 });
  });

  it('asks the old model too while the new one is filling', async () => {
    const store = inMemoryStore();
    const old = await store.openSpace({ provider: 'ollama', model: 'old', dim: 16, baseUrl: null });
    for (let i = 0; i < many; i += 1) {
      const vector = new Float32Array(16).fill(i % 2 === 0 ? 0.25 : -0.25);
      await store.addNote(makeNote({ projectId: 'p', text: `x${i}` }), {
        vector: { spaceId: old.id, vector },
      });
    }
    const hold = gate();
    const test = start({ store });
    await test.call('get_config');
    const [current] = test.models;
    const embed = current?.embed.bind(current);
    if (current !== undefined && embed !== undefined) {
      // Notes wait, questions do not.
      current.embed = async (texts, options) => {
        if (options && 'kind' in options && options.kind === 'note') await hold.promise;
        return embed(texts, options);
      };
    }
    const found = await test.call<{ results: unknown[] }>('search', {
      projectId: 'p',
      query: 'qqq',
      minScore: 0,
    });
    expect(found.results).toHaveLength(5);
    expect(test.models.map(({ model }) => model)).toEqual(['letters', 'old']);
    // Asking the old space does not make it the one in force.
    expect((await store.listSpaces())[0]?.space.model).toBe('letters');
    hold.open();
    await test.memory.reindex();
  });

  it('asks the old model while the new one is away and its size unknown', async () => {
    const store = inMemoryStore();
    const old = await store.openSpace({ provider: 'ollama', model: 'old', dim: 16, baseUrl: null });
    const vector = new Float32Array(16).fill(0.25);
    const held = makeNote({ projectId: 'p', text: 'nothing shared' });
    await store.addNote(held, { vector: { spaceId: old.id, vector } });
    const test = start({
      store,
      settings: makeSettings({ embedder: { ...embedderSettings, dim: 0 } }),
    });
    await test.call('get_config');
    const [current] = test.models;
    if (current === undefined) throw new Error('no model');
    current.failure = providerDown;
    const found = await test.call('search', { projectId: 'p', query: 'qqq', minScore: 0 });
    expect(found).toMatchObject({ results: [{ id: held.id }], warning: { code: -32004 } });
  });

  it('goes back to the last model at no cost', async () => {
    const test = await filled();
    await test.call('set_config', { embedder: { model: 'other' } });
    await test.memory.reindex();
    await test.call('set_config', { embedder: { model: 'letters' } });
    expect((await test.store.listSpaces())[0]).toMatchObject({
      space: { model: 'letters' },
      pending: 0,
    });
  });
});
