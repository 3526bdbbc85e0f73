import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenize } from '../../src/search/tokenize.ts';
import type { Note, StoredNote } from '../../src/store/note.ts';
import type { CandidateRequest, NoteFilter, Store } from '../../src/store/store.ts';

/** A clock that tests move by hand. */
export interface TestClock {
  now: number;
}

/** A note with everything set that a test does not care about, as the store holds it once it is added. */
export function makeNote(fields: Partial<StoredNote> = {}): StoredNote {
  return {
    id: randomUUID(),
    projectId: '/p',
    groupId: 'g',
    title: null,
    text: 'a note',
    tags: [],
    source: null,
    createdAt: 1_000,
    metadata: null,
    revision: 1,
    ...fields,
  };
}

/** The unit vector along one axis, leaning a little towards the next. */
export function axis(index: number, dim = 32, lean = 0): Float32Array {
  const vector = new Float32Array(dim);
  vector[index % dim] = Math.sqrt(1 - lean * lean);
  vector[(index + 1) % dim] = lean;
  return vector;
}

const MODEL = { provider: 'test', model: 'm', dim: 32, baseUrl: null };

/** What every store must do, whatever engine it stands on. */
export function describeStore(name: string, open: (clock: TestClock) => Promise<Store>): void {
  describe(`${name} keeps the contract of a store`, () => {
    const clock: TestClock = { now: 1_000_000 };
    let store: Store;
    beforeEach(async () => {
      clock.now = 1_000_000;
      store = await open(clock);
    });
    afterEach(() => store.close());

    const ask = async (
      query: string,
      filter: Partial<Parameters<Store['listNotes']>[0]> = {},
      vectors: Parameters<Store['findCandidates']>[0]['vectors'] = [],
    ): Promise<string[]> => {
      const found = await store.findCandidates({
        filter: { projectId: '/p', ...filter },
        terms: [...new Set(tokenize(query))],
        vectors,
        limit: 50,
      });
      return found.candidates.map(({ note }) => note.text).sort();
    };

    describe('notes', () => {
      it('returns every field as it was given', async () => {
        const note = makeNote({
          title: 'T',
          text: 'line one\nline two \u0000 <&> 文章 🙂',
          tags: ['b', 'A', 'b'],
          source: 'chat',
          metadata: { n: 1, nested: { list: [null, true, 'x'] } },
          createdAt: -5,
        });
        expect(await store.addNote(note)).toEqual({ id: note.id, isNew: true });
        expect(await store.getNote(note.id)).toEqual(note);
      });

      it('takes a second note of the same id for the first', async () => {
        const note = makeNote({ text: 'first' });
        await store.addNote(note);
        expect(await store.addNote({ ...note, text: 'second' })).toEqual({
          id: note.id,
          isNew: false,
        });
        expect((await store.getNote(note.id))?.text).toBe('first');
      });

      it('knows no note that was never added', async () => {
        expect(await store.getNote('nope')).toBeUndefined();
        expect(await store.updateNote('nope', { text: 'x' })).toBeUndefined();
        expect(await store.deleteNote('nope')).toBe(false);
      });

      it('changes the given fields and leaves the others', async () => {
        const note = makeNote({ title: 'T', tags: ['a'], source: 's', metadata: { a: 1 } });
        await store.addNote(note);
        await store.updateNote(note.id, { title: null, tags: ['x'], groupId: 'other' });
        const expected = { ...note, title: null, tags: ['x'], groupId: 'other', revision: 2 };
        expect(await store.getNote(note.id)).toEqual(expected);
      });

      it('forgets a deleted note in every way of asking', async () => {
        const space = await store.openSpace(MODEL);
        const note = makeNote({ text: 'gone soon' });
        await store.addNote(note, { vector: { spaceId: space.id, vector: axis(1) } });
        expect(await store.deleteNote(note.id)).toBe(true);
        expect(await store.getNote(note.id)).toBeUndefined();
        expect(await store.listNotes({ projectId: '/p' }, 10)).toEqual([]);
        expect(await ask('gone', {}, [{ spaceId: space.id, vector: axis(1) }])).toEqual([]);
      });

      it('lists the newest first and the later written first among equals', async () => {
        for (const [text, createdAt] of [
          ['b', 5],
          ['c', 9],
          ['a', 5],
        ] as const) {
          await store.addNote(makeNote({ text, createdAt }));
        }
        const listed = await store.listNotes({ projectId: '/p' }, 10);
        expect(listed.map((note) => note.text)).toEqual(['c', 'a', 'b']);
        expect(await store.listNotes({ projectId: '/p' }, 1)).toHaveLength(1);
        expect(await store.listNotes({ projectId: '/p' }, 0)).toEqual([]);
      });

      it('hands out every note for export, of one project or of all', async () => {
        for (let i = 0; i < 3; i += 1) await store.addNote(makeNote({ text: `n${i}` }));
        await store.addNote(makeNote({ text: 'q', projectId: '/q' }));
        const texts = async (options?: { projectId: string }): Promise<string[]> => {
          const found: string[] = [];
          for await (const note of store.allNotes(options)) found.push(note.text);
          return found;
        };
        expect(await texts()).toEqual(['n0', 'n1', 'n2', 'q']);
        expect(await texts({ projectId: '/q' })).toEqual(['q']);
      });
    });

    describe('revisions', () => {
      it('change a note only at the revision that is asked for', async () => {
        const note = makeNote({ text: 'one' });
        await store.addNote(note);
        const updated = await store.updateNote(note.id, { text: 'two' }, { ifRevision: 1 });
        expect(updated).toMatchObject({ text: 'two', revision: 2 });
        await expect(
          store.updateNote(note.id, { text: 'lost' }, { ifRevision: 1 }),
        ).rejects.toMatchObject({
          name: 'RevisionConflict',
          current: { text: 'two', revision: 2 },
        });
        expect(await store.getNote(note.id)).toMatchObject({ text: 'two', revision: 2 });
        expect(await store.updateNote('nope', {}, { ifRevision: 1 })).toBeUndefined();
      });

      it('let one of many writers through', async () => {
        const note = makeNote({ text: 'one' });
        await store.addNote(note);
        const writes = Array.from({ length: 10 }, (_, i) =>
          store.updateNote(note.id, { text: `by ${i}` }, { ifRevision: 1 }),
        );
        const outcomes = await Promise.allSettled(writes);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      });

      it('write a value only at the revision that is asked for, 0 being none', async () => {
        const value = { id: 'v', projectId: '/p', key: 'global.k', value: 1, updatedAt: 1 };
        await expect(store.putValue(value, { ifRevision: 1 })).rejects.toMatchObject({
          name: 'RevisionConflict',
          current: undefined,
        });
        expect(await store.putValue(value, { ifRevision: 0 })).toMatchObject({ revision: 1 });
        await expect(store.putValue(value, { ifRevision: 0 })).rejects.toMatchObject({
          current: { value: 1, revision: 1 },
        });
        const next = await store.putValue({ ...value, value: 2 }, { ifRevision: 1 });
        expect(next).toMatchObject({ revision: 2 });
        expect(await store.getValue('/p', 'global.k')).toMatchObject({ value: 2, revision: 2 });
      });
    });

    describe('filters', () => {
      beforeEach(async () => {
        const all: Partial<Note>[] = [
          { text: 'word one', tags: ['x', 'y'], groupId: 'g1', createdAt: 10 },
          { text: 'word two', tags: ['X'], groupId: 'G1', createdAt: 20 },
          { text: 'word three', tags: ['y'], groupId: 'g1', createdAt: 30 },
          { text: 'word elsewhere', tags: ['x'], groupId: 'g1', projectId: '/other' },
        ];
        for (const fields of all) await store.addNote(makeNote(fields));
      });

      it.each([
        ['the project alone', {}, ['word one', 'word three', 'word two']],
        ['a group, case-sensitively', { groupId: 'g1' }, ['word one', 'word three']],
        ['the group of other case', { groupId: 'G1' }, ['word two']],
        ['a tag, case-sensitively', { tags: ['x'] }, ['word one']],
        ['all of several tags', { tags: ['x', 'y'] }, ['word one']],
        ['tags that no note has together', { tags: ['X', 'y'] }, []],
        ['no tags at all', { tags: [] }, ['word one', 'word three', 'word two']],
        ['since, inclusive', { since: 20 }, ['word three', 'word two']],
        ['until, exclusive', { until: 20 }, ['word one']],
        ['an empty span', { since: 20, until: 20 }, []],
        ['group, tag and time together', { groupId: 'g1', tags: ['y'], since: 11 }, ['word three']],
        ['an unknown project', { projectId: '/none' }, []],
      ])('keeps to %s', async (_, filter, expected) => {
        const listed = await store.listNotes({ projectId: '/p', ...filter }, 10);
        expect(listed.map((note) => note.text).sort()).toEqual(expected);
        expect(await ask('word', filter)).toEqual(expected);
      });

      it('follows a note to its new group and tags', async () => {
        const [note] = await store.listNotes({ projectId: '/p', tags: ['X'] }, 1);
        await store.updateNote(note?.id ?? '', { groupId: 'new', tags: ['moved'] });
        expect(await ask('word', { groupId: 'new', tags: ['moved'] })).toEqual(['word two']);
        expect(await ask('word', { tags: ['X'] })).toEqual([]);
      });
    });

    describe('candidates by words', () => {
      it('looks in title, text and tags', async () => {
        await store.addNote(makeNote({ text: 'plain', title: 'zebra' }));
        await store.addNote(makeNote({ text: 'a zebra' }));
        await store.addNote(makeNote({ text: 'tagged', tags: ['zebra'] }));
        await store.addNote(makeNote({ text: 'other' }));
        expect(await ask('zebra')).toEqual(['a zebra', 'plain', 'tagged']);
      });

      it('finds the new words of an updated note and not the old ones', async () => {
        const note = makeNote({ text: 'oldword' });
        await store.addNote(note);
        await store.updateNote(note.id, { text: 'newword' });
        expect(await ask('newword')).toEqual(['newword']);
        expect(await ask('oldword')).toEqual([]);
      });

      it.each([
        ['東京都の天気', '天気'],
        ['東京都の天気', '都'],
        ['サーバーを再起動する', '起動'],
        ['解析 parseHTTPRequest で', 'parse'],
        ['getUserName_v2', 'getusernamev2'],
        ['Café Zürich', 'zurich'],
        ['ＦＵＬＬ width', 'full'],
      ])('finds `%s` by `%s`', async (text, query) => {
        await store.addNote(makeNote({ text }));
        expect(await ask(query)).toEqual([text]);
      });

      it('tells how common each word is and how long notes are', async () => {
        await store.addNote(makeNote({ text: 'alpha beta' }));
        await store.addNote(makeNote({ text: 'alpha gamma delta epsilon' }));
        await store.addNote(makeNote({ projectId: '/other', text: 'alpha missing' }));
        const { statistics } = await store.findCandidates({
          filter: { projectId: '/p' },
          terms: ['alpha', 'gamma', 'missing'],
          vectors: [],
          limit: 5,
        });
        expect(statistics.noteCount).toBe(2);
        expect(statistics.noteFrequency).toEqual([2, 1, 0]);
        expect(statistics.averageLength).toBe(3);
      });

      it('counts words within one project, whatever the others hold', async () => {
        await store.addNote(makeNote({ text: 'alpha beta', tags: ['gamma'] }));
        await store.addNote(makeNote({ text: 'alpha', title: 'Alpha' }));
        await store.addNote(makeNote({ projectId: '/other', text: 'alpha beta' }));
        const count = (projectId: string) =>
          store.countTerms(['alpha', 'beta', 'gamma'], projectId);
        expect(await count('/p')).toEqual({ noteCount: 2, noteFrequency: [2, 1, 1] });
        expect(await count('/other')).toEqual({ noteCount: 1, noteFrequency: [1, 1, 0] });
        expect(await count('/none')).toEqual({ noteCount: 0, noteFrequency: [0, 0, 0] });
        await store.addNote(makeNote({ text: 'beta' }));
        expect(await count('/p')).toEqual({ noteCount: 3, noteFrequency: [2, 2, 1] });
      });
    });

    describe('candidates by vectors', () => {
      it('gives the closest notes, their exact cosines and how all of them lie', async () => {
        const space = await store.openSpace(MODEL);
        for (let i = 0; i < 4; i += 1) {
          await store.addNote(makeNote({ text: `n${i}` }), {
            vector: { spaceId: space.id, vector: axis(i) },
          });
        }
        const found = await store.findCandidates({
          filter: { projectId: '/p' },
          terms: [],
          vectors: [{ spaceId: space.id, vector: axis(2, 32, 0.6) }],
          limit: 2,
        });
        const scored = found.candidates.map(({ note, cosines }) => [note.text, cosines[0]]);
        expect(scored).toHaveLength(2);
        expect(Object.fromEntries(scored)['n2']).toBeCloseTo(0.8, 6);
        expect(Object.fromEntries(scored)['n3']).toBeCloseTo(0.6, 6);
        // 0, 0, 0.8 and 0.6
        expect(found.spreads[0]?.mean).toBeCloseTo(0.35, 2);
        expect(found.spreads[0]?.deviation).toBeCloseTo(0.357, 2);
        expect(found.projectNotes).toBe(4);
        expect(found.threads).toEqual([]);
      });

      it('applies filters before the limit, not after', async () => {
        const space = await store.openSpace(MODEL);
        for (let i = 0; i < 30; i += 1) {
          const lean = i / 40;
          await store.addNote(makeNote({ text: `n${i}`, groupId: i === 29 ? 'rare' : 'many' }), {
            vector: { spaceId: space.id, vector: axis(0, 32, lean) },
          });
        }
        const found = await store.findCandidates({
          filter: { projectId: '/p', groupId: 'rare' },
          terms: [],
          vectors: [{ spaceId: space.id, vector: axis(0) }],
          limit: 3,
        });
        expect(found.candidates.map(({ note }) => note.text)).toEqual(['n29']);
      });

      it('has no cosine for a note without a vector', async () => {
        const space = await store.openSpace(MODEL);
        await store.addNote(makeNote({ text: 'waiting' }));
        const found = await store.findCandidates({
          filter: { projectId: '/p' },
          terms: ['wait'],
          vectors: [{ spaceId: space.id, vector: axis(0) }],
          limit: 3,
        });
        expect(found.candidates.map(({ cosines }) => cosines)).toEqual([[undefined]]);
        expect(found.spreads).toEqual([undefined]);
      });

      it('leaves the vector alone when anything but the embedded text changes', async () => {
        const space = await store.openSpace(MODEL);
        const note = makeNote({ text: 'same' });
        await store.addNote(note, { vector: { spaceId: space.id, vector: axis(3) } });
        await store.updateNote(note.id, { tags: ['t'], source: 's', groupId: 'h', metadata: {} });
        expect(await store.countPending(space.id)).toBe(0);
        const asked = [{ spaceId: space.id, vector: axis(3) }];
        expect(await ask('', {}, asked)).toEqual(['same']);
      });
    });

    it('looks besides among the notes of a time, within the filter', async () => {
      const space = await store.openSpace(MODEL);
      const add = (
        text: string,
        createdAt: number,
        lean: number,
        groupId = 'g',
      ): Promise<unknown> =>
        store.addNote(makeNote({ text, createdAt, groupId }), {
          vector: { spaceId: space.id, vector: axis(0, 32, lean) },
        });
      for (let i = 0; i < 30; i += 1) await add('word word word', i, 0.1);
      await add('a word of then among some others', 100, 0.7);
      await add('nothing said then', 101, 0.5);
      await add('elsewhere', 102, 0.1, 'other');
      const ask = async (fields: Partial<CandidateRequest>): Promise<string[]> => {
        const { candidates } = await store.findCandidates({
          filter: { projectId: '/p', groupId: 'g' },
          terms: ['word'],
          vectors: [{ spaceId: space.id, vector: axis(0) }],
          limit: 3,
          ...fields,
        });
        return [...new Set(candidates.map(({ note }) => note.text))].sort();
      };
      const time = { from: 100, to: 200, isDate: true };
      const then = ['a word of then among some others', 'nothing said then'];
      expect(await ask({})).toEqual(['word word word']);
      expect(await ask({ time })).toEqual([...then, 'word word word']);
      const filter = { projectId: '/p', until: 101 };
      expect(await ask({ time, filter })).toEqual([then[0], 'word word word']);
    });

    describe('threads', () => {
      const MINUTE = 60_000;
      const around = async (term: string, filter: Partial<NoteFilter> = {}) => {
        const found = await store.findCandidates({
          filter: { projectId: '/p', ...filter },
          terms: [term],
          vectors: [],
          limit: 10,
          withThreads: true,
        });
        const texts = new Map(found.candidates.map(({ note }) => [note.id, note.text]));
        return found.threads.map(({ notes, coherence }) => ({
          notes: notes.map((id) => (id === undefined ? undefined : texts.get(id))),
          coherence,
        }));
      };
      const talk = async (fields: Partial<Note> = {}): Promise<void> => {
        for (const [i, text] of ['one', 'two', 'three', 'four', 'five', 'six'].entries()) {
          await store.addNote(makeNote({ text, createdAt: i * MINUTE, ...fields }));
        }
      };

      it('gives two notes on either side within a named conversation', async () => {
        await talk({ metadata: { conversationId: 'c1' } });
        await store.addNote(makeNote({ text: 'stranger', createdAt: 2.5 * MINUTE }));
        expect(await around('three')).toEqual([
          { notes: ['one', 'two', 'three', 'four', 'five'], coherence: 1 },
        ]);
        expect(await around('six')).toEqual([{ notes: ['four', 'five', 'six'], coherence: 1 }]);
      });

      it('orders notes of one moment as they were written', async () => {
        await talk({ metadata: { conversationId: 7 }, createdAt: 5 });
        expect((await around('two'))[0]?.notes).toEqual(['one', 'two', 'three', 'four']);
      });

      it('ends where more than an hour lies between two notes', async () => {
        await talk({ metadata: { conversationId: 'c1' } });
        const later = { metadata: { conversationId: 'c1' }, createdAt: 100 * MINUTE };
        await store.addNote(makeNote({ text: 'later', ...later }));
        expect(await around('later')).toEqual([]);
        expect((await around('six'))[0]?.notes).toEqual(['four', 'five', 'six']);
      });

      it('keeps the place of a note that the filter leaves out', async () => {
        await talk({ metadata: { conversationId: 'c1' } });
        expect((await around('three', { since: 2 * MINUTE }))[0]?.notes).toEqual([
          undefined,
          undefined,
          'three',
          'four',
          'five',
        ]);
      });

      it.each([
        ['tags', { tags: ['kept'] }, { tags: ['kept', 'more'] }, { tags: ['other'] }],
        ['group', { groupId: 'kept' }, { groupId: 'kept' }, { groupId: 'other' }],
      ])('leaves out neighbours that lack the %s asked for', async (_name, filter, kept, other) => {
        for (const [i, fields] of [other, kept, kept, other].entries()) {
          const metadata = { conversationId: 'c1' };
          await store.addNote(
            makeNote({ text: `n${i}`, createdAt: i * MINUTE, metadata, ...fields }),
          );
        }
        expect((await around('n1', filter))[0]?.notes).toEqual([undefined, 'n1', 'n2', undefined]);
      });

      it('knows no thread without vectors to show it, nor one that was not asked for', async () => {
        await talk();
        expect(await around('three')).toEqual([]);
      });

      it('finds out by its vectors whether a group is a talk', async () => {
        const space = await store.openSpace(MODEL);
        for (let i = 0; i < 64; i += 1) {
          for (const [groupId, topic] of [
            ['talk', Math.floor(i / 4)],
            ['facts', (i * 7) % 31],
          ] as const) {
            await store.addNote(
              makeNote({ text: `${groupId} n${i}`, groupId, createdAt: i * MINUTE }),
              { vector: { spaceId: space.id, vector: axis(topic, 32, (i % 4) / 10) } },
            );
          }
        }
        const coherenceOf = async (groupId: string): Promise<number> => {
          const found = await store.findCandidates({
            filter: { projectId: '/p', groupId },
            terms: ['n9'],
            vectors: [{ spaceId: space.id, vector: axis(3) }],
            limit: 5,
            withThreads: true,
          });
          return Math.max(0, ...found.threads.map(({ coherence }) => coherence));
        };
        expect(await coherenceOf('talk')).toBeGreaterThan(0.9);
        expect(await coherenceOf('facts')).toBeLessThan(0.5);
      });
    });

    describe('spaces', () => {
      it('gives the same space for the same name', async () => {
        const space = await store.openSpace(MODEL);
        expect((await store.openSpace(MODEL)).id).toBe(space.id);
        expect((await store.openSpace({ ...MODEL, dim: 64 })).id).not.toBe(space.id);
      });

      it('has every note waiting in a new space, and new notes in all', async () => {
        await store.addNote(makeNote({ text: 'before' }));
        const first = await store.openSpace(MODEL);
        await store.addNote(makeNote({ text: 'between' }));
        const second = await store.openSpace({ ...MODEL, model: 'n' });
        await store.addNote(makeNote({ text: 'after' }));
        expect(await store.countPending(first.id)).toBe(3);
        expect(await store.countPending(second.id)).toBe(3);
      });

      it('keeps one older space and forgets those before', async () => {
        for (const model of ['one', 'two', 'three']) await store.openSpace({ ...MODEL, model });
        const kept = (await store.listSpaces()).map(({ space }) => space.model);
        expect(kept).toEqual(['three', 'two']);
      });

      it('returns to an older space with its vectors', async () => {
        const one = await store.openSpace({ ...MODEL, model: 'one' });
        await store.addNote(makeNote({ text: 'kept' }), {
          vector: { spaceId: one.id, vector: axis(1) },
        });
        await store.openSpace({ ...MODEL, model: 'two' });
        await store.openSpace({ ...MODEL, model: 'one' });
        const [newest] = await store.listSpaces();
        expect(newest).toMatchObject({ space: { model: 'one' }, vectors: 1, pending: 0 });
      });

      it('hands a waiting note to one worker until its time is over', async () => {
        const space = await store.openSpace(MODEL);
        const note = makeNote({ title: 'T', text: 'x' });
        await store.addNote(note);
        const claim = { limit: 10, claimMs: 1_000 };
        const first = await store.claimPending(space.id, claim);
        expect(first).toEqual([{ id: note.id, revision: 1, title: 'T', text: 'x' }]);
        expect(await store.claimPending(space.id, claim)).toEqual([]);
        clock.now += 1_000;
        expect(await store.claimPending(space.id, claim)).toHaveLength(1);
      });

      it('hands out only the waiting notes that no other worker has', async () => {
        const space = await store.openSpace(MODEL);
        const [first, second] = [makeNote(), makeNote()];
        for (const note of [first, second]) await store.addNote(note);
        const ids = async (limit: number): Promise<string[]> => {
          const claimed = await store.claimPending(space.id, { limit, claimMs: 1_000 });
          return claimed.map(({ id }) => id);
        };
        expect(await ids(1)).toEqual([first.id]);
        expect(await ids(10)).toEqual([second.id]);
      });

      it('stores a vector with a change only if it is of the text that the change leaves', async () => {
        const space = await store.openSpace(MODEL);
        const note = makeNote({ title: 'old title', text: 'old text' });
        await store.addNote(note, { vector: { spaceId: space.id, vector: axis(0) } });
        const late = { spaceId: space.id, vector: axis(5), text: 'old title\nnew text' };
        // Both writers read the note before either wrote.
        await store.updateNote(note.id, { title: 'new title' });
        await store.updateNote(note.id, { text: 'new text' }, { vector: late });
        expect(await store.countPending(space.id)).toBe(1);
        const [claimed] = await store.claimPending(space.id, { limit: 1, claimMs: 1 });
        expect(claimed).toMatchObject({ title: 'new title', text: 'new text' });
        const right = { spaceId: space.id, vector: axis(7), text: 'new title\nlast text' };
        await store.updateNote(note.id, { text: 'last text' }, { vector: right });
        expect(await store.countPending(space.id)).toBe(0);
      });

      it('keeps a note off the others while its writer embeds it', async () => {
        const space = await store.openSpace(MODEL);
        await store.addNote(makeNote(), { claimMs: 500 });
        expect(await store.claimPending(space.id, { limit: 1, claimMs: 1 })).toEqual([]);
        clock.now += 500;
        expect(await store.claimPending(space.id, { limit: 1, claimMs: 1 })).toHaveLength(1);
      });

      it('takes no vector of a text that changed meanwhile, nor of a note that is gone', async () => {
        const space = await store.openSpace(MODEL);
        const [changed, gone, fine] = [makeNote(), makeNote(), makeNote()];
        for (const note of [changed, gone, fine]) await store.addNote(note);
        const claimed = await store.claimPending(space.id, { limit: 10, claimMs: 1 });
        await store.updateNote(changed.id, { text: 'newer' });
        await store.deleteNote(gone.id);
        const vectors = claimed.map((each) => ({ ...each, vector: axis(0) }));
        expect(await store.putVectors(space.id, vectors)).toBe(1);
        expect(await store.countPending(space.id)).toBe(1);
      });

      it('takes no vector of an erased note for one that comes back with its id', async () => {
        const space = await store.openSpace(MODEL);
        const note = makeNote({ text: 'before' });
        await store.addNote(note);
        const claimed = await store.claimPending(space.id, { limit: 1, claimMs: 1 });
        await store.erase(note.id);
        await store.addNote({ ...note, text: 'after' }, { includeErased: true });
        const vectors = claimed.map((each) => ({ ...each, vector: axis(0) }));
        expect(vectors).toHaveLength(1);
        expect(await store.putVectors(space.id, vectors)).toBe(0);
        expect(await store.countPending(space.id)).toBe(1);
      });

      it('makes every note waiting again on reset, the old vectors serving meanwhile', async () => {
        const space = await store.openSpace(MODEL);
        await store.addNote(makeNote({ text: 'v' }), {
          vector: { spaceId: space.id, vector: axis(0) },
        });
        await store.resetSpace(space.id);
        expect(await store.countPending(space.id)).toBe(1);
        const claim = { limit: 5, claimMs: 1_000 };
        expect(await store.claimPending(space.id, claim)).toHaveLength(1);
        await store.resetSpace(space.id);
        expect(await store.claimPending(space.id, claim)).toHaveLength(1);
        expect(await ask('', {}, [{ spaceId: space.id, vector: axis(0) }])).toEqual(['v']);
      });
    });

    describe('groups and values', () => {
      const group = {
        id: 'g-1',
        projectId: '/p',
        groupKey: 'k',
        title: 'T',
        description: '',
        createdAt: 1,
        updatedAt: 1,
      };

      it('keeps groups, one for each key of a project', async () => {
        expect(await store.addGroup(group)).toBe(true);
        expect(await store.addGroup({ ...group, id: 'g-2' })).toBe(false);
        expect(await store.addGroup({ ...group, id: 'g-3', projectId: '/q' })).toBe(true);
        expect(await store.getGroup('g-1')).toEqual(group);
        expect(await store.getGroup('g-2')).toBeUndefined();
      });

      it('changes a group by the given fields', async () => {
        await store.addGroup(group);
        expect(await store.updateGroup('g-1', { title: '' }, 7)).toBe(true);
        expect(await store.getGroup('g-1')).toEqual({ ...group, title: '', updatedAt: 7 });
        expect(await store.updateGroup('nope', {}, 7)).toBe(false);
      });

      it('lists groups oldest first and forgets deleted ones, not their notes', async () => {
        await store.addNote(makeNote({ groupId: 'k' }));
        await store.addGroup({ ...group, id: 'new', groupKey: 'new', createdAt: 9 });
        await store.addGroup(group);
        expect((await store.listGroups('/p')).map(({ id }) => id)).toEqual(['g-1', 'new']);
        expect(await store.deleteGroup('g-1')).toBe(true);
        expect(await store.deleteGroup('g-1')).toBe(false);
        expect(await store.listNotes({ projectId: '/p', groupId: 'k' }, 5)).toHaveLength(1);
      });

      it('lists the projects that hold a note, a group or a value', async () => {
        await store.addNote(makeNote({ id: 'n', projectId: '/notes' }));
        await store.addNote(makeNote({ id: 'm', projectId: '/emptied' }));
        await store.deleteNote('m');
        await store.addGroup({ ...group, projectId: '/groups' });
        const value = { id: 'v', projectId: '/values', key: 'global.k', value: 1, updatedAt: 1 };
        await store.putValue(value);
        expect((await store.listProjects()).sort()).toEqual(['/groups', '/notes', '/values']);
      });

      it.each([[null], [0], [''], ['文章'], [[1, { a: [] }]], [{ __proto__x: 1 }]])(
        'keeps the value %j',
        async (value) => {
          const held = { id: 'v', projectId: '/p', key: 'global.k', value, updatedAt: 3 };
          expect(await store.putValue(held)).toEqual({ id: 'v', revision: 1 });
          expect(await store.getValue('/p', 'global.k')).toEqual({ ...held, revision: 1 });
        },
      );

      it('keeps the id of a value through every change', async () => {
        const value = { id: 'v1', projectId: '/p', key: 'global.k', value: 1, updatedAt: 1 };
        await store.putValue(value);
        const second = await store.putValue({ ...value, id: 'v2', value: 2 });
        expect(second).toEqual({ id: 'v1', revision: 2 });
        expect((await store.getValue('/p', 'global.k'))?.value).toBe(2);
        expect(await store.getValue('/q', 'global.k')).toBeUndefined();
        expect(await store.deleteValue('v1')).toBe(true);
        expect(await store.deleteValue('v1')).toBe(false);
        expect(await store.getValue('/p', 'global.k')).toBeUndefined();
      });
    });

    it('lists groups and values of one project or of all', async () => {
      const group = { title: 't', description: '', createdAt: 5, updatedAt: 5 };
      await store.addGroup({ ...group, id: 'g-2', projectId: '/q', groupKey: 'a', createdAt: 7 });
      await store.addGroup({ ...group, id: 'g-1', projectId: '/p', groupKey: 'b' });
      for (const [id, projectId, key] of [
        ['v-3', '/q', 'global.a'],
        ['v-2', '/p', 'global.b'],
        ['v-1', '/p', 'global.a'],
      ] as const) {
        await store.putValue({ id, projectId, key, value: { id }, updatedAt: 1 });
      }
      const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
      expect(ids(await store.allGroups())).toEqual(['g-1', 'g-2']);
      expect(ids(await store.allGroups({ projectId: '/q' }))).toEqual(['g-2']);
      expect(ids(await store.allGroups({ projectId: '/r' }))).toEqual([]);
      expect(ids(await store.allValues())).toEqual(['v-1', 'v-2', 'v-3']);
      expect(await store.allValues({ projectId: '/q' })).toEqual([
        {
          id: 'v-3',
          projectId: '/q',
          key: 'global.a',
          value: { id: 'v-3' },
          updatedAt: 1,
          revision: 1,
        },
      ]);
    });

    it('tells its size and finds nothing wrong with itself', async () => {
      await store.addNote(makeNote());
      await store.addNote(makeNote({ projectId: '/q' }));
      expect(await store.status()).toMatchObject({ notes: 2, projects: 2 });
      expect(await store.check()).toEqual([]);
    });

    it('takes any text for a text', async () => {
      for (const text of [
        `'; DROP TABLE note; --`,
        '"AND" OR (NOT) NEAR* ^{scope}:x -y + `',
        'a%b_c\\d',
        '§p1 §1',
        '\u0000\u0001',
      ]) {
        const note = makeNote({ text, tags: [text], title: text, source: text });
        await store.addNote(note);
        expect(await store.getNote(note.id)).toEqual(note);
        expect(await store.listNotes({ projectId: '/p', tags: [text] }, 5)).toEqual([note]);
        await expect(ask(text)).resolves.toBeInstanceOf(Array);
      }
    });
  });
}
