import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenize } from '../../src/search/tokenize.ts';
import type { Store } from '../../src/store/store.ts';
import { axis, makeNote, type TestClock } from './store-contract.ts';

const MODEL = { provider: 'test', model: 'm', dim: 32, baseUrl: null };

/** What every store must do with a note from its adding to its erasure. */
export function describeNoteLife(name: string, open: (clock: TestClock) => Promise<Store>): void {
  describe(`${name} keeps the contract of a note's life`, () => {
    const clock: TestClock = { now: 1_000 };
    let store: Store;
    beforeEach(async () => {
      clock.now = 1_000;
      store = await open(clock);
    });
    afterEach(() => store.close());

    const ask = async (
      query: string,
      vectors: Parameters<Store['findCandidates']>[0]['vectors'] = [],
      limit = 50,
    ): Promise<string[]> => {
      const filter = { projectId: '/p' };
      const terms = [...new Set(tokenize(query))];
      const found = await store.findCandidates({ filter, terms, vectors, limit });
      return found.candidates.map(({ note }) => note.text).sort();
    };
    const events = async (id: string): Promise<[number, string, number][]> =>
      (await store.noteHistory(id)).map(({ version, event, at }) => [version, event, at]);

    describe('duplicates', () => {
      const always = { isDuplicate: () => true };

      it.each([
        ['the same text', 'caf\u00e9 au lait'],
        ['another composition of the same characters', 'cafe\u0301 au lait'],
        ['other spaces', '  caf\u00e9\tau\n\nlait '],
      ])('takes the first note for %s', async (_, text) => {
        const first = makeNote({ text: 'caf\u00e9 au lait' });
        await store.addNote(first);
        const added = await store.addNote(makeNote({ text }), always);
        expect(added).toEqual({ id: first.id, isNew: false });
        expect(await store.listNotes({ projectId: '/p' }, 10)).toEqual([first]);
      });

      it.each([
        ['another text', { text: 'Same' }],
        ['another group', { groupId: 'h' }],
        ['another project', { projectId: '/q' }],
      ])('takes %s for another note', async (_, fields) => {
        await store.addNote(makeNote({ text: 'same' }));
        const note = makeNote({ text: 'same', ...fields });
        expect(await store.addNote(note, always)).toEqual({ id: note.id, isNew: true });
      });

      it('asks about each note of the text, oldest first', async () => {
        const notes = ['a', 'b', 'c'].map((title) => makeNote({ text: 'same', title }));
        for (const note of notes) await store.addNote(note);
        const asked: unknown[] = [];
        const added = await store.addNote(makeNote({ text: 'same' }), {
          isDuplicate: ({ title }) => {
            asked.push(title);
            return title === 'b';
          },
        });
        expect(asked).toEqual(['a', 'b']);
        expect(added.id).toBe(notes[1]?.id);
      });

      it('adds the same text where nobody asks, as an import does', async () => {
        await store.addNote(makeNote({ text: 'same' }));
        expect(await store.addNote(makeNote({ text: 'same' }))).toMatchObject({ isNew: true });
      });

      it('follows a note to its new text, and forgets one that was deleted', async () => {
        const note = makeNote({ text: 'old' });
        await store.addNote(note);
        await store.updateNote(note.id, { text: 'new' });
        expect(await store.addNote(makeNote({ text: 'old' }), always)).toMatchObject({
          isNew: true,
        });
        expect(await store.addNote(makeNote({ text: 'new' }), always)).toMatchObject({
          id: note.id,
        });
        await store.deleteNote(note.id);
        expect(await store.addNote(makeNote({ text: 'new' }), always)).toMatchObject({
          isNew: true,
        });
      });

      it('does not take a superseded note for the first', async () => {
        const old = makeNote({ text: 'same' });
        await store.addNote(old);
        await store.addNote(makeNote({ text: 'newer', metadata: { supersedes: old.id } }));
        expect(await store.addNote(makeNote({ text: 'same' }), always)).toMatchObject({
          isNew: true,
        });
      });
    });

    describe('lookalikes', () => {
      it('are other notes of the project of nearly the same words, with their cosine', async () => {
        const space = await store.openSpace(MODEL);
        const vector = (index: number) => ({ vector: { spaceId: space.id, vector: axis(index) } });
        const alike = makeNote({ text: 'the turquoise lighthouse blinks slowly at night' });
        await store.addNote(alike, vector(1));
        await store.addNote(makeNote({ text: 'nothing of that kind' }), vector(2));
        await store.addNote(makeNote({ text: alike.text, projectId: '/q' }), vector(1));
        const old = makeNote({ text: 'the turquoise lighthouse blinks slowly at dusk' });
        await store.addNote(old);
        await store.addNote(makeNote({ text: 'newer', metadata: { supersedes: old.id } }));
        const note = makeNote({ text: 'a turquoise lighthouse blinks slowly, at night' });
        await store.addNote(note);
        const asked = { spaceId: space.id, vector: axis(1) };
        const found = await store.findLookalikes(note, asked);
        expect(found).toEqual([{ id: alike.id, overlap: 1, cosine: expect.closeTo(1) }]);
      });

      it('have no cosine without vectors', async () => {
        await store.addNote(makeNote({ text: 'turquoise lighthouse' }));
        const [found] = await store.findLookalikes(makeNote({ text: 'turquoise lighthouse' }));
        expect(found?.cosine).toBeUndefined();
      });
    });

    describe('superseding', () => {
      it('hides the old note from search and from nothing else', async () => {
        const old = makeNote({ text: 'word old' });
        await store.addNote(old);
        const metadata = { supersedes: old.id };
        await store.addNote(makeNote({ text: 'word new', metadata }));
        expect(await ask('word')).toEqual(['word new']);
        expect(await store.getNote(old.id)).toEqual(old);
        expect(await store.listNotes({ projectId: '/p' }, 10)).toHaveLength(2);
        expect(await store.noteHistory(old.id)).toHaveLength(1);
      });

      it('takes a list, a note that comes later, and nothing of another project', async () => {
        const [one, two, later] = [1, 2, 3].map((n) => makeNote({ text: `word ${n}` }));
        const foreign = makeNote({ text: 'word foreign', projectId: '/q' });
        if (!one || !two || !later) throw new Error('three notes were made');
        for (const note of [one, two, foreign]) await store.addNote(note);
        const supersedes = [one.id, two.id, later.id, foreign.id, 'no-such-note', 5];
        await store.addNote(makeNote({ text: 'word new', metadata: { supersedes } }));
        await store.addNote(later);
        expect(await ask('word')).toEqual(['word new']);
        const elsewhere = await store.findCandidates({
          filter: { projectId: '/q' },
          terms: ['word'],
          vectors: [],
          limit: 5,
        });
        expect(elsewhere.candidates).toHaveLength(1);
      });

      it('ends with the note that says so, and with its saying so', async () => {
        const old = makeNote({ text: 'word old' });
        await store.addNote(old);
        const [one, two] = [1, 2].map((n) =>
          makeNote({ text: `word ${n}`, metadata: { supersedes: old.id } }),
        );
        if (!one || !two) throw new Error('two notes were made');
        for (const note of [one, two]) await store.addNote(note);
        await store.deleteNote(one.id);
        expect(await ask('word')).toEqual(['word 2']);
        await store.updateNote(two.id, { metadata: null });
        expect(await ask('word')).toEqual(['word 2', 'word old']);
        await store.restoreNote(one.id, 1);
        expect(await ask('word')).toEqual(['word 1', 'word 2']);
        await store.erase(one.id);
        expect(await ask('word')).toEqual(['word 2', 'word old']);
      });

      it('keeps the old note out of the thread around a note that was found', async () => {
        const old = makeNote({ text: 'neighbour', metadata: { conversationId: 'c' } });
        await store.addNote(old);
        const metadata = { conversationId: 'c', supersedes: old.id };
        await store.addNote(makeNote({ text: 'word', metadata }));
        await store.addNote(makeNote({ text: 'other', metadata: { conversationId: 'c' } }));
        const found = await store.findCandidates({
          ...{ filter: { projectId: '/p' }, terms: ['word'], vectors: [], limit: 5 },
          withThreads: true,
        });
        expect(found.candidates.map(({ note }) => note.text).sort()).toEqual(['other', 'word']);
      });

      it('cannot hide a note by itself', async () => {
        const id = makeNote().id;
        await store.addNote(makeNote({ id, text: 'word', metadata: { supersedes: id } }));
        expect(await ask('word')).toEqual(['word']);
      });

      it('is applied before the limit, by words and by vectors', async () => {
        const space = await store.openSpace(MODEL);
        const near = Array.from({ length: 30 }, () => makeNote({ text: 'word word word' }));
        for (const note of near) {
          await store.addNote(note, { vector: { spaceId: space.id, vector: axis(0) } });
        }
        const far = makeNote({
          text: 'a word among many others that make it longer',
          metadata: { supersedes: near.map(({ id }) => id) },
        });
        await store.addNote(far, { vector: { spaceId: space.id, vector: axis(0, 32, 0.9) } });
        expect(await ask('word', [], 2)).toEqual([far.text]);
        const asked = [{ spaceId: space.id, vector: axis(0) }];
        expect(await ask('', asked, 2)).toEqual([far.text]);
      });
    });

    describe('history', () => {
      it('tells every version with its fields, newest first', async () => {
        const note = makeNote({ text: 'one', tags: ['a'], createdAt: 5, metadata: { n: 1 } });
        await store.addNote(note);
        clock.now = 2_000;
        await store.updateNote(note.id, { text: 'two' });
        clock.now = 3_000;
        await store.updateNote(note.id, { tags: [], groupId: 'h' });
        clock.now = 4_000;
        await store.deleteNote(note.id);
        const { revision: _, ...first } = note;
        const third = { ...first, text: 'two', tags: [], groupId: 'h' };
        expect(await store.noteHistory(note.id)).toEqual([
          { version: 4, event: 'deleted', at: 4_000, note: third },
          { version: 3, event: 'updated', at: 3_000, note: third },
          { version: 2, event: 'updated', at: 2_000, note: { ...first, text: 'two' } },
          { version: 1, event: 'added', at: 1_000, note: first },
        ]);
        expect(await store.noteHistory('nope')).toEqual([]);
      });

      it('has no version of a change that changed nothing', async () => {
        const note = makeNote({ text: 'one', tags: ['a'] });
        await store.addNote(note);
        await store.updateNote(note.id, { text: 'one', tags: ['a'] });
        await store.restoreNote(note.id, 1);
        expect(await events(note.id)).toEqual([[1, 'added', 1_000]]);
      });

      it('keeps the last fifty versions', async () => {
        const note = makeNote({ text: 'v1' });
        await store.addNote(note);
        for (let i = 2; i <= 60; i += 1) await store.updateNote(note.id, { text: `v${i}` });
        const kept = await store.noteHistory(note.id);
        expect(kept).toHaveLength(50);
        expect(kept[0]).toMatchObject({ version: 60, note: { text: 'v60' } });
        expect(kept[49]).toMatchObject({ version: 11, note: { text: 'v11' } });
        await store.deleteNote(note.id);
        expect(await store.noteHistory(note.id)).toHaveLength(50);
        expect(await store.restoreNote(note.id, 11)).toBeUndefined();
      });

      it('goes on where a note comes back by an import', async () => {
        const note = makeNote({ text: 'one' });
        await store.addNote(note);
        await store.deleteNote(note.id);
        expect(await store.addNote({ ...note, text: 'two' })).toMatchObject({ isNew: true });
        const told = (await events(note.id)).map(([version, event]) => [version, event]);
        expect(told).toEqual([
          [3, 'restored'],
          [2, 'deleted'],
          [1, 'added'],
        ]);
      });
    });

    describe('restoring', () => {
      it('brings a deleted note back as it was, found by words and vectors', async () => {
        const space = await store.openSpace(MODEL);
        const note = makeNote({ text: 'lost word', tags: ['t'], createdAt: 7 });
        await store.addNote(note, { vector: { spaceId: space.id, vector: axis(1) } });
        await store.deleteNote(note.id);
        const vector = { spaceId: space.id, vector: axis(1), text: 'lost word' };
        expect(await store.restoreNote(note.id, 2, { vector })).toBe(3);
        expect(await store.getNote(note.id)).toEqual({ ...note, revision: 3 });
        expect(await ask('lost')).toEqual(['lost word']);
        expect(await ask('', [vector])).toEqual(['lost word']);
        expect(await store.countPending(space.id)).toBe(0);
        expect((await store.status()).notes).toBe(1);
      });

      it('makes an earlier version the newest', async () => {
        const space = await store.openSpace(MODEL);
        const note = makeNote({ text: 'first word', title: 'T' });
        await store.addNote(note, { vector: { spaceId: space.id, vector: axis(1) } });
        await store.updateNote(note.id, { text: 'second word', title: null });
        expect(await store.restoreNote(note.id, 1)).toBe(3);
        expect(await store.getNote(note.id)).toEqual({ ...note, revision: 3 });
        expect(await ask('first')).toEqual(['first word']);
        expect(await ask('second')).toEqual([]);
        expect(await store.countPending(space.id)).toBe(1);
      });

      it('takes no vector of another text than the one that comes back', async () => {
        const space = await store.openSpace(MODEL);
        const [there, deleted] = [makeNote({ text: 'one' }), makeNote({ text: 'one' })];
        const vector = { spaceId: space.id, vector: axis(1), text: 'another' };
        for (const note of [there, deleted]) {
          await store.addNote(note);
          await store.updateNote(note.id, { text: 'two' });
        }
        await store.deleteNote(deleted.id);
        for (const { id } of [there, deleted]) await store.restoreNote(id, 1, { vector });
        expect(await store.countPending(space.id)).toBe(2);
      });

      it('knows no version that never was', async () => {
        const note = makeNote();
        await store.addNote(note);
        expect(await store.restoreNote(note.id, 2)).toBeUndefined();
        expect(await store.restoreNote('nope', 1)).toBeUndefined();
      });

      it('takes no vector of a text from before the deletion', async () => {
        const space = await store.openSpace(MODEL);
        const note = makeNote({ text: 'one' });
        await store.addNote(note);
        await store.updateNote(note.id, { text: 'two' });
        const claimed = await store.claimPending(space.id, { limit: 1, claimMs: 1 });
        await store.deleteNote(note.id);
        await store.restoreNote(note.id, 1);
        const vectors = claimed.map((each) => ({ ...each, vector: axis(1) }));
        expect(vectors).toHaveLength(1);
        expect(await store.putVectors(space.id, vectors)).toBe(0);
        expect(await store.countPending(space.id)).toBe(1);
      });
    });

    describe('erasing', () => {
      it('leaves nothing of a note that is there, nor of one that was deleted', async () => {
        const [there, deleted] = [makeNote({ text: 'word' }), makeNote({ text: 'word' })];
        for (const note of [there, deleted]) {
          await store.addNote(note);
          await store.updateNote(note.id, { text: 'word again' });
        }
        await store.deleteNote(deleted.id);
        for (const { id } of [there, deleted]) {
          expect(await store.erase(id)).toBe(true);
          expect(await store.noteHistory(id)).toEqual([]);
          expect(await store.getNote(id)).toBeUndefined();
          expect(await store.restoreNote(id, 1)).toBeUndefined();
          expect(await store.erase(id)).toBe(false);
        }
        expect(await ask('word')).toEqual([]);
        expect((await store.status()).notes).toBe(0);
        expect(await store.check()).toEqual([]);
      });

      it('leaves a tombstone, which keeps the note out until it is wanted back', async () => {
        const note = makeNote({ text: 'word' });
        await store.addNote(note);
        expect(await store.findId(note.id)).toBe('used');
        expect(await store.addErased({ id: note.id, at: 1 })).toBe(false);
        await store.deleteNote(note.id);
        expect(await store.findId(note.id)).toBe('used');
        await store.erase(note.id);
        expect(await store.findId(note.id)).toBe('erased');
        expect(await store.listErased()).toEqual([{ id: note.id, at: expect.any(Number) }]);
        const version = { version: 1, event: 'added', at: 1, note } as const;
        for (const attempt of [store.addNote(note), store.addHistory([version])]) {
          expect(await attempt).toEqual({ id: note.id, isNew: false, isErased: true });
        }
        expect(await store.getNote(note.id)).toBeUndefined();
        expect(await store.addNote(note, { includeErased: true })).toMatchObject({ isNew: true });
        expect(await store.noteHistory(note.id)).toMatchObject([{ version: 1, event: 'added' }]);
        expect(await store.listErased()).toEqual([]);
        expect(await store.findId('nobody')).toBe('free');
      });

      it('takes a value where there is no such note', async () => {
        const value = { projectId: '/p', key: 'global.k', value: 1, updatedAt: 1, id: 'v' };
        await store.putValue(value);
        expect(await store.erase('v')).toBe(true);
        expect(await store.getValue('/p', 'global.k')).toBeUndefined();
      });
    });
  });
}
