import { describe, expect, it } from 'vitest';
import { EmbeddingLog, type EmbeddingMessage } from '../../src/faces/embedding-log.ts';

function openLog(): { told: EmbeddingMessage[]; log: EmbeddingLog; clock: { now: number } } {
  const told: EmbeddingMessage[] = [];
  const clock = { now: 0 };
  const log = new EmbeddingLog((message) => told.push(message), { now: () => clock.now });
  return { told, log, clock };
}

describe('the log of a long embedding', () => {
  it('tells at most once a second, and always of the end', () => {
    const { told, log, clock } = openLog();
    for (let done = 64; done <= 1_024; done += 64) {
      log.report({ done, pending: 1_024 - done });
      clock.now += 200;
    }
    expect(told.map(({ pending }) => pending)).toEqual([960, 640, 320, 0]);
    expect(told[0]).toEqual({ message: 'embedding notes, 960 to go', done: 64, pending: 960 });
    expect(told.at(-1)).toEqual({ message: 'all notes are embedded', done: 1_024, pending: 0 });
  });

  it('is silent about the notes of the day, before a long one and after', () => {
    const { told, log, clock } = openLog();
    log.report({ done: 1, pending: 0 });
    log.report({ done: 2, pending: 100 });
    expect(told).toEqual([]);
    log.report({ done: 64, pending: 200 });
    log.report({ done: 264, pending: 0 });
    clock.now += 5_000;
    log.report({ done: 265, pending: 0 });
    expect(told).toHaveLength(2);
  });
});
