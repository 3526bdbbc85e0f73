import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_ANSWER_BYTES } from '../../src/answer-limit.ts';
import { listMemoryResources } from '../../src/faces/resources.ts';
import { makeMemory, type TestMemory } from './fake-memory.ts';

/** A tenth of what one answer holds. */
const tenth = 'x'.repeat(MAX_ANSWER_BYTES / 10);

describe('eleven notes that are too much for one answer', () => {
  let test: TestMemory;
  beforeEach(async () => {
    test = makeMemory();
    for (let i = 0; i < 11; i++) {
      await test.store.addNote({
        ...{
          id: randomUUID(),
          projectId: 'p',
          groupId: 'global',
          title: `note ${i}`,
          text: 'word',
        },
        ...{ tags: [], source: null, createdAt: i, metadata: { tenth } },
      });
    }
  });

  it('are refused by the name of the parameter to lower', async () => {
    await expect(test.call('list_recent', { projectId: 'p', limit: 1000 })).rejects.toMatchObject({
      rpcCode: -32602,
      message: expect.stringMatching(/smaller `limit` than 1000: .* at most 64 MiB/),
      data: { path: 'limit' },
    });
    const asked = { projectId: 'p', query: 'word', mode: 'lexical' };
    await expect(test.call('search', { ...asked, topK: 100 })).rejects.toMatchObject({
      rpcCode: -32602,
      message: expect.stringMatching(/smaller `topK` than 100: .* at most 64 MiB/),
      data: { path: 'topK' },
    });
  });

  it('are found and listed a few at a time', async () => {
    const listed = await test.call<{ items: unknown[] }>('list_recent', {
      projectId: 'p',
      limit: 5,
    });
    expect(listed.items).toHaveLength(5);
    const asked = { projectId: 'p', query: 'word', mode: 'lexical', topK: 5, detail: 'ids' };
    const { results } = await test.call<{ results: unknown[] }>('search', asked);
    expect(results).toHaveLength(5);
  });

  it('are listed as resources, the newest of them', async () => {
    const { resources } = await listMemoryResources(
      {
        call: (name, params) => test.call(name.replace('memory.', ''), params),
        listProjects: async () => ['p'],
      },
      undefined,
    );
    expect(resources.map(({ name }) => name).slice(0, 2)).toEqual(['note 10', 'note 9']);
  });
});

it('a search reads only after its provider has answered and its turn has come', async () => {
  const { memory, call, models } = makeMemory();
  const countAsked = (): number => models.flatMap((model) => model.asked).length;
  // As a model behind a network has it: not in the same turn of the event loop.
  const delayModels = (): void => {
    for (const model of models) model.gate = new Promise((resolve) => setTimeout(resolve, 5));
  };
  await call('add_note', { projectId: 'p', groupId: 'global', text: 'word' });
  delayModels();
  await memory.finder.search({ projectId: 'p', query: 'word' });
  delayModels();
  const before = countAsked();
  let askedAtTurn = 0;
  const turn = async (): Promise<void> => {
    askedAtTurn = countAsked();
  };
  await memory.finder.search({ projectId: 'p', query: 'word again' }, { turn });
  expect(askedAtTurn).toBe(before + 1);
});

it('an answer of versions or groups says how many it leaves out', async () => {
  const { call, store } = makeMemory();
  const names = { projectId: 'p', groupId: 'global', title: null, text: 'word' };
  const note = { ...names, tags: [], source: null, createdAt: 0, metadata: { tenth } };
  const id = randomUUID();
  await store.addNote({ id, ...note });
  for (let i = 0; i < 11; i++) {
    await store.updateNote(id, { title: `${i}` });
    const group = { id: randomUUID(), projectId: 'p', groupKey: `g${i}`, title: 'title' };
    await store.addGroup({ ...group, description: tenth, createdAt: i, updatedAt: i });
  }
  expect(await call('history', { id })).toMatchObject({ omitted: 3 });
  expect(await call('group_list', { projectId: 'p' })).toMatchObject({ omitted: 2 });
});
