import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/sqlite/driver.ts';
import { notesByWords } from '../../../src/store/sqlite/notes-by-words.ts';
import { openSqliteStore, storeOn } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { findProject } from '../../../src/store/sqlite/projects.ts';
import { Statements } from '../../../src/store/sqlite/statements.ts';
import type { CandidateRequest, Store } from '../../../src/store/store.ts';
import { axis, makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';

const folder = makeTempFolder();
let made = 0;
let open: Store | undefined;

afterEach(() => open?.close());

/** A store whose notes share a word; of ten the one on the asked axis stands in the middle. */
async function openFilled(): Promise<{ store: Store; spaceId: number }> {
  made += 1;
  const store = await openSqliteStore({ path: join(folder, `${made}.db`) });
  open = store;
  const { id: spaceId } = await store.openSpace({
    provider: 't',
    model: 'm',
    dim: 32,
    baseUrl: null,
  });
  for (let i = 0; i < 10; i += 1) {
    const note = makeNote({ id: `n${i}`, text: `zebra ${i}`, createdAt: i });
    await store.addNote(note, { vector: { spaceId, vector: axis(i, 32) } });
  }
  return { store, spaceId };
}

async function search(
  { store, spaceId }: { store: Store; spaceId: number },
  request: Partial<CandidateRequest> = {},
): Promise<string[]> {
  const { candidates } = await store.findCandidates({
    filter: { projectId: '/p' },
    terms: ['zebra'],
    vectors: [{ spaceId, vector: axis(4, 32) }],
    limit: 1,
    ...request,
  });
  return candidates.map(({ note }) => note.id);
}

describe('notes found by words', () => {
  it('are those closest in meaning where words tell no difference', async () => {
    expect(await search(await openFilled())).toEqual(['n4']);
  });

  it('are those with more of the words, whatever their vectors say', async () => {
    const filled = await openFilled();
    await filled.store.addNote(makeNote({ id: 'both', text: 'zebra crossing' }));
    const found = await search(filled, { terms: ['zebra', 'cross'] });
    expect(found[0]).toBe('both');
  });

  it('keep to their project, time and what is not superseded', async () => {
    const filled = await openFilled();
    const { store, spaceId } = filled;
    const stranger = makeNote({ id: 'stranger', projectId: '/other', text: 'zebra zebra' });
    await store.addNote(stranger, { vector: { spaceId, vector: axis(4, 32) } });
    expect(await search(filled)).toEqual(['n4']);
    expect(await search(filled, { filter: { projectId: '/p', since: 5 } })).not.toContain('n4');
    const newer = makeNote({ id: 'newer', text: 'other', metadata: { supersedes: 'n4' } });
    await store.addNote(newer);
    expect(await search(filled)).not.toContain('n4');
  });
});

describe('the lists that a question reads', () => {
  it('leave out common words once rarer ones have used up the budget', async () => {
    const db = connect(':memory:');
    const store = storeOn(db, { path: ':memory:' });
    open = store;
    await store.addNote(makeNote({ id: 'rare', text: 'aardvark' }));
    await store.addNote(makeNote({ id: 'common', text: 'zebra' }));
    const sql = new Statements(db);
    const project = findProject(sql, '/p');
    if (project === undefined) return expect.unreachable();
    /** As in a store of 10,000 notes, of which so many hold each word. */
    const found = (...listLengths: readonly number[]): unknown[] => {
      const scope = {
        project: { ...project, notes: 10_000 },
        ...{ filter: { projectId: '/p' }, limit: 8, noteCount: 10_000, hasHidden: false },
      };
      const terms = ['aardvark', 'zebra'];
      const asked = { terms, noteFrequency: listLengths, listLengths, deviationsOf: undefined };
      return notesByWords(sql, scope, asked).map((seq) =>
        db.prepare('SELECT id FROM note WHERE seq = ?', 'column').get(seq),
      );
    };
    expect(found(500, 2_000).sort()).toEqual(['common', 'rare']);
    expect(found(500, 2_001)).toEqual(['rare']);
    // A question of common words alone still reads one list.
    expect(found(3_000, 4_000)).toEqual(['rare']);
  });

  it('give the newest notes first where every other note holds the word', async () => {
    const db = connect(':memory:');
    const store = storeOn(db, { path: ':memory:' });
    open = store;
    for (let i = 0; i < 6; i += 1) await store.addNote(makeNote({ id: `n${i}`, text: 'zebra' }));
    const sql = new Statements(db);
    const project = findProject(sql, '/p');
    if (project === undefined) return expect.unreachable();
    const scope = {
      project: { ...project, notes: 10_000 },
      ...{ filter: { projectId: '/p' }, limit: 2, noteCount: 10_000, hasHidden: false },
    };
    const lengths = { noteFrequency: [5_000], listLengths: [5_000] };
    const seqs = notesByWords(sql, scope, {
      ...{ terms: ['zebra'], ...lengths, deviationsOf: undefined },
    });
    const idOf = db.prepare('SELECT id FROM note WHERE seq = ?', 'column');
    expect(seqs.map((seq) => idOf.get(seq))).toEqual(['n5', 'n4']);
  });
});
