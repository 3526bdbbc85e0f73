import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAX_ANSWER_BYTES } from '../../../src/answer-limit.ts';
import type { Note } from '../../../src/store/note.ts';
import type { Store } from '../../../src/store/store.ts';
import { inMemoryStore } from '../in-memory-store.ts';

/** A tenth of what one answer holds. */
const tenth = 'x'.repeat(MAX_ANSWER_BYTES / 10);

let store: Store;
beforeEach(() => {
  store = inMemoryStore();
});
afterEach(() => store.close());

function makeNote(fields: Partial<Note> = {}): Note {
  return {
    ...{ id: randomUUID(), projectId: '/p', groupId: 'global', title: null, text: 'word' },
    ...{ tags: [], source: null, createdAt: 0, metadata: { tenth } },
    ...fields,
  };
}

it('refuses a list whose notes hold more than one answer, and says how much', async () => {
  for (let i = 0; i < 11; i++) await store.addNote(makeNote({ createdAt: i }));
  expect(await store.listNotes({ projectId: '/p' }, 9)).toHaveLength(9);
  await expect(store.listNotes({ projectId: '/p' }, 100)).rejects.toMatchObject({
    name: 'AnswerTooLarge',
    bytes: expect.toSatisfy((bytes: number) => bytes > 11 * tenth.length),
  });
});

it('lists one note, however long it is', async () => {
  await store.addNote(makeNote({ source: tenth.repeat(11) }));
  expect(await store.listNotes({ projectId: '/p' }, 1)).toHaveLength(1);
});

it('gathers no more candidates than one answer holds, and says so', async () => {
  for (let i = 0; i < 11; i++) await store.addNote(makeNote());
  const request = { filter: { projectId: '/p' }, terms: ['word'], vectors: [], limit: 24 };
  const { candidates, cutAt } = await store.findCandidates(request);
  expect(candidates).toHaveLength(9);
  expect(cutAt).toBe(MAX_ANSWER_BYTES);
  const few = await store.findCandidates({ ...request, limit: 5 });
  expect(few.candidates).toHaveLength(5);
  expect(few.cutAt).toBeUndefined();
});

it('lists the newest versions that one answer holds', async () => {
  const note = makeNote();
  await store.addNote(note);
  for (let i = 2; i <= 12; i++) await store.updateNote(note.id, { title: `version ${i}` });
  const { first, omitted } = await store.listVersions(note.id);
  expect(first.map(({ version }) => version)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4]);
  expect(omitted).toBe(3);
  expect(await store.noteHistory(note.id)).toHaveLength(12);
});

it('lists the oldest groups that one answer holds', async () => {
  for (let i = 0; i < 11; i++) {
    const names = { id: randomUUID(), projectId: '/p', groupKey: `g${i}`, title: '' };
    await store.addGroup({ ...names, description: tenth, createdAt: i, updatedAt: i });
  }
  const { first, omitted } = await store.listSomeGroups('/p');
  expect(first.map(({ groupKey }) => groupKey)).toEqual(
    Array.from({ length: 9 }, (_, i) => `g${i}`),
  );
  expect(omitted).toBe(2);
  expect(await store.listGroups('/p')).toHaveLength(11);
});
