import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Space } from '../../../src/store/space.ts';
import { connect } from '../../../src/store/sqlite/driver.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { axis, makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';

const folder = makeTempFolder();
const MODEL = { provider: 'test', model: 'm', dim: 32, baseUrl: null };
let made = 0;

/** Two connections to one file, as two processes would have them. */
async function openTwice(): Promise<{ path: string; a: Store; b: Store; space: Space }> {
  made += 1;
  const path = join(folder, `${made}.db`);
  const a = await openSqliteStore({ path });
  const space = await a.openSpace(MODEL);
  return { path, a, b: await openSqliteStore({ path }), space };
}

async function closest(store: Store, space: Space, vector: Float32Array): Promise<string[]> {
  const found = await store.findCandidates({
    filter: { projectId: '/p' },
    terms: [],
    vectors: [{ spaceId: space.id, vector }],
    limit: 1,
  });
  return found.candidates.map(({ note }) => note.text);
}

/** Many notes at once, each on its own axis with its own lean. */
async function addMany(store: Store, space: Space, from: number, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) => {
      const n = from + i;
      return store.addNote(makeNote({ id: `n${n}`, text: `n${n}` }), {
        vector: { spaceId: space.id, vector: spread(n) },
      });
    }),
  );
}

function spread(n: number): Float32Array {
  return axis(n, 32, 0.9 - (Math.floor(n / 32) % 80) / 100);
}

describe('codes in memory', () => {
  it('see what another connection added, changed and deleted', async () => {
    const { a, b, space } = await openTwice();
    await addMany(a, space, 0, 3);
    expect(await closest(b, space, spread(1))).toEqual(['n1']);
    await b.addNote(makeNote({ id: 'late', text: 'late' }), {
      vector: { spaceId: space.id, vector: axis(9) },
    });
    expect(await closest(a, space, axis(9))).toEqual(['late']);
    await a.updateNote(
      'late',
      { text: 'moved' },
      { vector: { spaceId: space.id, vector: axis(20), text: 'moved' } },
    );
    expect(await closest(b, space, axis(20))).toEqual(['moved']);
    await b.deleteNote('late');
    expect(await closest(a, space, axis(20))).not.toEqual(['moved']);
    await a.close();
    await b.close();
  });

  it('are the same whether they were watched growing or loaded from blocks', async () => {
    const { path, a, b, space } = await openTwice();
    // Asked early, `b` follows every change; a third connection loads the blocks at the end.
    expect(await closest(b, space, axis(0))).toEqual([]);
    await addMany(a, space, 0, 700);
    expect(await closest(b, space, spread(650))).toEqual(['n650']);
    await addMany(a, space, 700, 1_800);
    for (const n of [3, 999, 2_000]) await a.deleteNote(`n${n}`);
    await a.updateNote(
      'n5',
      { text: 'n5 anew' },
      { vector: { spaceId: space.id, vector: axis(31, 32, -0.5), text: 'n5 anew' } },
    );
    const db = connect(path);
    expect(db.prepare('SELECT count(*) FROM code_block', 'column').get()).toBe(2);
    db.close();
    const c = await openSqliteStore({ path });
    for (const n of [0, 3, 5, 700, 999, 1_500, 2_000, 2_499]) {
      const expected = await closest(a, space, spread(n));
      expect(await closest(b, space, spread(n))).toEqual(expected);
      expect(await closest(c, space, spread(n))).toEqual(expected);
    }
    for (const store of [a, b, c]) {
      expect(await closest(store, space, axis(31, 32, -0.5))).toEqual(['n5 anew']);
      await store.close();
    }
  });

  it('stay small when notes are rewritten again and again', async () => {
    const { path, a, b, space } = await openTwice();
    await addMany(a, space, 0, 1_000);
    for (let round = 1; round <= 4; round += 1) {
      await Promise.all(
        Array.from({ length: 1_000 }, (_, n) =>
          a.updateNote(
            `n${n}`,
            { text: `n${n} round ${round}` },
            {
              vector: {
                spaceId: space.id,
                vector: spread(n + round),
                text: `n${n} round ${round}`,
              },
            },
          ),
        ),
      );
      expect(await closest(b, space, spread(40 + round))).toHaveLength(1);
    }
    const db = connect(path);
    expect(Number(db.prepare('SELECT count(*) FROM code_block', 'column').get())).toBeLessThan(5);
    db.close();
    const c = await openSqliteStore({ path });
    expect(await closest(c, space, spread(104))).toEqual(await closest(b, space, spread(104)));
    for (const store of [a, b, c]) await store.close();
  });

  it('answer narrow and wide filters exactly', async () => {
    const { a, b, space } = await openTwice();
    await Promise.all(
      Array.from({ length: 1_200 }, (_, n) =>
        a.addNote(
          makeNote({
            text: `n${n}`,
            tags: [n % 2 === 0 ? 'even' : 'odd', ...(n % 100 === 7 ? ['rare'] : [])],
            createdAt: n,
          }),
          { vector: { spaceId: space.id, vector: spread(n) } },
        ),
      ),
    );
    for (const filter of [{ tags: ['rare'] }, { tags: ['odd'], since: 600 }, { until: 50 }]) {
      const found = await b.findCandidates({
        filter: { projectId: '/p', ...filter },
        terms: [],
        vectors: [{ spaceId: space.id, vector: spread(7) }],
        limit: 5,
      });
      const listed = await b.listNotes({ projectId: '/p', ...filter }, 2_000);
      const query = spread(7);
      const expected = listed
        .map((note) => dot(query, spread(note.createdAt)))
        .sort((x, y) => y - x)
        .slice(0, 5);
      const cosines = found.candidates.map(({ cosines: [cosine] }) => cosine ?? 0);
      cosines.sort((x, y) => y - x);
      for (const [i, cosine] of cosines.entries()) expect(cosine).toBeCloseTo(expected[i] ?? 9, 5);
      expect(cosines).toHaveLength(5);
    }
    await a.close();
    await b.close();
  });
});

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
