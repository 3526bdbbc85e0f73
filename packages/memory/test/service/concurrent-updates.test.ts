import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedText } from '../../src/search/searchable.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { inMemoryStore } from '../store/in-memory-store.ts';
import { makeNote } from '../store/store-contract.ts';
import { makeTempFolder } from '../store/temp-folder.ts';
import { embedderSettings, FakeModel, makeMemory, type TestMemory } from './fake-memory.ts';

const folder = makeTempFolder();
let files = 0;

/** Stores of two users of the same notes: of one process, or of two. */
const SHARED: Readonly<Record<string, () => Promise<[Store, Store]>>> = {
  'in one process': async () => {
    const store = inMemoryStore();
    return [store, store];
  },
  'in two processes': async () => {
    files += 1;
    const path = join(folder, `${files}.db`);
    return [await openSqliteStore({ path }), await openSqliteStore({ path })];
  },
};

/** No two combinations have the same letters, so no two texts have the same vector. */
const patch = fc.oneof(
  fc.record({ title: fc.constantFrom('s', 'tt', 'uuu', null) }),
  fc.record({ text: fc.constantFrom('a', 'bb', 'ccc', 'dddd') }),
  fc.record({ tags: fc.constantFrom(['x'], ['y']) }),
);
const update = fc.record({ by: fc.nat({ max: 1 }), patch });

/** Cosine of a note's vector with that of its text: 1 where the one was made from the other. */
async function likeness(store: Store, id: string, projectId: string): Promise<number | undefined> {
  const [current] = await store.listSpaces();
  const note = await store.getNote(id);
  if (current === undefined || note === undefined) throw new Error('nothing to compare');
  const [vector] = await new FakeModel(embedderSettings).embed([embeddedText(note)]);
  const { candidates } = await store.findCandidates({
    ...{ filter: { projectId }, terms: [], limit: 10 },
    vectors: vector === undefined ? [] : [{ spaceId: current.space.id, vector }],
  });
  return candidates.find((each) => each.note.id === id)?.cosines[0];
}

/** A memory whose model answers at once or when the scheduler says so. */
function scheduled(store: Store, scheduler: fc.Scheduler, isSlow: () => boolean): TestMemory {
  return makeMemory({
    store,
    openEmbedder: async (settings) => {
      const model = new FakeModel(settings);
      const embed = model.embed.bind(model);
      model.embed = async (texts, options) => {
        if (isSlow()) await scheduler.schedule(Promise.resolve(), texts.join(' | '));
        return embed(texts, options);
      };
      return model;
    },
  });
}

describe.each(Object.keys(SHARED))('updates at the same time %s', (where) => {
  it('leave each note with the vector of its text, or waiting for it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(update, { minLength: 2, maxLength: 8 }),
        fc.infiniteStream(fc.boolean()),
        fc.boolean(),
        async (scheduler, updates, slow, isQuick) => {
          const stores = await (SHARED[where] ?? SHARED['in one process'])?.();
          if (stores === undefined) throw new Error('no store');
          let isWarm = false;
          const isSlow = (): boolean => isWarm && slow.next().value;
          const memories = stores.map((store) => scheduled(store, scheduler, isSlow));
          const [store] = stores;
          const { id, projectId } = makeNote();
          const assertOwnVector = async (): Promise<void> => {
            const [current] = await store.listSpaces();
            if ((current?.pending ?? 1) > 0) return;
            expect(await likeness(store, id, projectId)).toBeCloseTo(1, 5);
          };
          try {
            await store.addNote(makeNote({ id, projectId, title: 's', text: 'a' }));
            // A model that has answered at once is asked within the update, another one in the background.
            if (isQuick) {
              for (const { call } of memories) await call('search', { projectId, query: 'a' });
            }
            isWarm = true;
            for (const { memory } of memories) memory.resume();
            const running = updates.map(async ({ by, patch: fields }) => {
              await memories[by]?.call('update', { id, patch: fields });
              await assertOwnVector();
            });
            await scheduler.waitFor(Promise.all(running));
            const filling = memories.map(({ memory }) => memory.reindex());
            await scheduler.waitFor(Promise.all(filling));
            expect((await store.listSpaces())[0]).toMatchObject({ vectors: 1, pending: 0 });
            await assertOwnVector();
          } finally {
            const closing = memories.map(({ memory }) => memory.close());
            await scheduler.waitFor(Promise.all(closing));
          }
        },
      ),
      { numRuns: 50 },
    );
  }, 60_000);
});

describe('two workers', () => {
  it('embed no note twice', async () => {
    const store = inMemoryStore();
    await store.openSpace({ provider: 'ollama', model: 'letters', dim: 16, baseUrl: null });
    for (let i = 0; i < 200; i += 1) await store.addNote(makeNote({ text: `note ${i}` }));
    const workers = [makeMemory({ store }), makeMemory({ store })];
    // Both have claimed before either is done.
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const worker of workers) {
      await worker.call('get_config');
      for (const model of worker.models) model.gate = gate;
    }
    const filling = workers.map(({ memory }) => memory.reindex());
    while (workers.some(({ models }) => models[0]?.asked.length === 0)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    release();
    await Promise.all(filling);
    const texts = workers.flatMap(({ models }) => models.flatMap(({ asked }) => asked.flat()));
    expect(texts).toHaveLength(200);
    expect(new Set(texts).size).toBe(200);
    for (const { memory } of workers) await memory.close();
  });
});
