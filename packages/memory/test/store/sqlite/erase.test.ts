import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { axis, makeNote } from '../store-contract.ts';
import { makeTempFolder } from '../temp-folder.ts';

const folder = makeTempFolder();
const MODEL = { provider: 'test', model: 'm', dim: 32, baseUrl: null };

/** Bytes of everything the store has on disk. */
function bytesOf(path: string): Buffer {
  const files = [path, `${path}-wal`].filter((file) => existsSync(file));
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

/** A vector that no other note has, and what it looks like in the file. */
function oddVector(): { vector: Float32Array; floats: Buffer; code: Buffer } {
  const vector = axis(0);
  for (const index of vector.keys()) vector[index] = Math.sin(index * index + 1) / 4;
  const peak = Math.max(...vector.map(Math.abs));
  const code = Int8Array.from(vector, (value) => Math.round((value * 127) / peak));
  return { vector, floats: Buffer.from(vector.buffer), code: Buffer.from(code.buffer) };
}

describe('erasing a note', () => {
  it.each([
    ['that is there', false],
    ['that was deleted before', true],
  ])('%s leaves none of its bytes in the file or its log', async (_, isDeleted) => {
    const path = join(folder, `erase-${isDeleted}.db`);
    const store = await openSqliteStore({ path });
    const space = await store.openSpace(MODEL);
    const { vector, floats, code } = oddVector();
    const secret = makeNote({
      title: 'zyzzyvatitle',
      text: `quixotryword ${'flibbertigibbet '.repeat(600)}`,
      tags: ['wamblecropttag'],
      source: 'xertzsource',
      metadata: { k: 'borborygmusmeta' },
    });
    await store.addNote(secret, { vector: { spaceId: space.id, vector } });
    const filler = { spaceId: space.id, vector: axis(3) };
    // Enough for the vector to be folded into a block, and for the text index to merge.
    for (let i = 0; i < 1_200; i += 50) {
      const batch = Array.from({ length: 50 }, (_each, j) => makeNote({ text: `filler ${i + j}` }));
      await Promise.all(batch.map((note) => store.addNote(note, { vector: filler })));
    }
    await store.updateNote(secret.id, { text: `gobbledygookword ${'x'.repeat(9_000)}` });
    await store.updateNote(secret.id, { tags: [] });
    const traces = [
      ...['zyzzyvatitle', 'quixotryword', 'flibbertigibbet', 'wamblecropttag', 'xertzsource'],
      ...['borborygmusmeta', 'gobbledygookword'],
      // The text index writes a word without what it shares with the one before.
      ...['yzzyva', 'uixotry', 'libbertigibbet', 'amblecropt', 'obbledygook'],
    ].map((text) => Buffer.from(text));
    const kept = (): string[] =>
      [...traces, code].filter((trace) => bytesOf(path).includes(trace)).map(String);
    expect(kept()).toHaveLength(traces.length + 1);
    expect(bytesOf(path).includes(floats)).toBe(true);
    if (isDeleted) await store.deleteNote(secret.id);

    expect(await store.erase(secret.id)).toBe(true);

    expect(kept()).toEqual([]);
    // The tombstone: the id and the time.
    expect(await store.listErased()).toEqual([{ id: secret.id, at: expect.any(Number) }]);
    expect(bytesOf(path).includes(floats)).toBe(false);
    const filter = { projectId: '/p' };
    const vectors = [{ spaceId: space.id, vector }];
    const found = await store.findCandidates({ filter, terms: [], vectors, limit: 5 });
    expect(found.candidates.map(({ note }) => note.text)).not.toContain(secret.text);
    expect(found.candidates).toHaveLength(5);
    expect(await store.check()).toEqual([]);
    await store.close();
  });
});
