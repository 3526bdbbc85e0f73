import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pacedReads } from '../../src/faces/paced-reads.ts';

describe('reads that come together', () => {
  it('run eight at a time, in order, each when one before it has ended', async () => {
    const begun: unknown[] = [];
    const ends: (() => void)[] = [];
    const call = pacedReads(
      (_name, params) => {
        begun.push(params);
        return new Promise((resolve) => ends.push(() => resolve(params)));
      },
      async () => undefined,
    );
    const answers = Array.from({ length: 20 }, (_, n) => call('memory.get', n));
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    ends[3]?.();
    // One turn to answer, one to hand the place on.
    await turn();
    await turn();
    expect(begun.length).toBe(9);
    for (let i = 0; i < 20; i++) {
      ends[i]?.();
      await turn();
      await turn();
    }
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('never begin for a client that left while they waited', async () => {
    const begun: unknown[] = [];
    let open = (): void => undefined;
    const room = new Promise<void>((resolve) => {
      open = resolve;
    });
    const call = pacedReads(
      async (_name, params) => begun.push(params),
      () => room,
    );
    const gone = new AbortController();
    const left = Array.from({ length: 20 }, (_, n) =>
      call('memory.list_recent', n, { signal: gone.signal }).catch(() => 'left'),
    );
    const stays = call('memory.get', 'stays');
    gone.abort();
    open();
    expect(await Promise.all(left)).toEqual(Array.from({ length: 20 }, () => 'left'));
    await stays;
    expect(begun).toEqual(['stays']);
  });

  it('are not held up by searches that wait for a provider, which take their turn after it', async () => {
    const reading: unknown[] = [];
    let answer = (): void => undefined;
    const provider = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const ends: (() => void)[] = [];
    const call = pacedReads(
      async (name, params, context) => {
        if (name === 'memory.get') return 'a note';
        await provider;
        await context?.turn?.();
        reading.push(params);
        await new Promise<void>((resolve) => ends.push(resolve));
        return params;
      },
      async () => undefined,
    );
    const searches = Array.from({ length: 20 }, (_, n) => call('memory.search', n));
    expect(await call('memory.get', {})).toBe('a note');
    answer();
    await turn();
    await turn();
    expect(reading).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    for (let i = 0; i < 20; i++) {
      ends[i]?.();
      await turn();
      await turn();
    }
    expect(await Promise.all(searches)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('wait for room, and give their place on when they fail; writes do neither', async () => {
    const begun: string[] = [];
    let open = (): void => undefined;
    const room = new Promise<void>((resolve) => {
      open = resolve;
    });
    const call = pacedReads(
      async (name) => {
        begun.push(name);
        if (name === 'memory.get') throw new Error('no such note');
        return name;
      },
      () => room,
    );
    const reads = Array.from({ length: 9 }, () => call('memory.get', {}).catch(() => 'failed'));
    expect(await call('memory.add_note', {})).toBe('memory.add_note');
    await turn();
    expect(begun).toEqual(['memory.add_note']);
    open();
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 9 }, () => 'failed'));
    expect(await call('memory.search', {})).toBe('memory.search');
  });
});
