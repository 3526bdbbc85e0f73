import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAnswerCache, timeToLive } from '../../src/answer/answer-cache.ts';
import type { AnswerResult } from '../../src/answer/result.ts';
import { cacheDirectory } from '../../src/node-files.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { MemoryDirectory } from '../support/memory-directory.ts';

const result = { answer: 'Yes.', citations: [] } as unknown as AnswerResult;

describe('the answer cache', () => {
  it('gives back what was put, until it expires', async () => {
    const clock = new FakeClock();
    const cache = createAnswerCache(new MemoryDirectory(), { clock, maxEntries: 10 });
    await cache.put('k', result, 1_000);
    clock.advance(999);
    expect(await cache.get('k')).toEqual({ result, storedAt: clock.now() - 999 });
    clock.advance(1);
    expect(await cache.get('k')).toBeUndefined();
  });

  it('keeps nothing for no time', async () => {
    const directory = new MemoryDirectory();
    const cache = createAnswerCache(directory, { clock: new FakeClock(), maxEntries: 10 });
    await cache.put('k', result, 0);
    expect(directory.files.size).toBe(0);
  });

  it.each(['', '{', 'null', '[]', '{"v":2}', '{"v":1,"result":{}}'])(
    'takes a damaged entry for none: %j',
    async (text) => {
      const directory = new MemoryDirectory();
      directory.files.set('k.json', text);
      const cache = createAnswerCache(directory, { clock: new FakeClock(), maxEntries: 10 });
      expect(await cache.get('k')).toBeUndefined();
    },
  );

  it('drops the oldest when it is full', async () => {
    const directory = new MemoryDirectory();
    const cache = createAnswerCache(directory, { clock: new FakeClock(), maxEntries: 5 });
    for (let n = 0; n < 41; n++) await cache.put(`k${n}`, result, 1_000);
    expect([...directory.files.keys()]).toEqual(
      ['k36', 'k37', 'k38', 'k39', 'k40'].map((name) => `${name}.json`),
    );
  });
});

describe('timeToLive', () => {
  const hour = 3_600_000;
  it.each([
    [0, hour / 12],
    [1, hour],
    [60, 60 * hour],
    [3_650, 168 * hour],
  ])('of %i days of recency is %i ms', (days, ms) => {
    expect(timeToLive(days)).toBe(ms);
  });
});

describe('cacheDirectory', () => {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'answer-cache-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('writes privately, in one step, into a directory made when needed', async () => {
    const directory = cacheDirectory(join(root, 'deep', 'er'));
    expect(await directory.read('a.json')).toBeUndefined();
    await Promise.all(['1', '2', '3'].map((text) => directory.write('a.json', text)));
    expect(['1', '2', '3']).toContain(await directory.read('a.json'));
    expect(await readdir(join(root, 'deep', 'er'))).toEqual(['a.json']);
    expect((await stat(join(root, 'deep', 'er', 'a.json'))).mode & 0o077).toBe(0);
  });

  it('lists entries by age and removes them', async () => {
    const directory = cacheDirectory(root);
    for (const name of ['new.json', 'old.json', 'note.txt']) await directory.write(name, '1');
    await utimes(join(root, 'old.json'), 1, 1);
    expect(await directory.list()).toEqual(['old.json', 'new.json']);
    await directory.remove('old.json');
    await directory.remove('old.json');
    expect(await directory.list()).toEqual(['new.json']);
  });
});
