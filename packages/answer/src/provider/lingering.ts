import type { Clock } from '../clock.ts';

const lingerMs = 1_000;

/**
 * Lets a reader leave a stream early without closing its connection: the rest is read in the
 * background so that the connection can be used again, and cut if the stream does not end soon.
 */
export async function* lingering<T>(
  events: AsyncIterable<T>,
  clock: Clock,
  cut: () => void,
): AsyncGenerator<T> {
  const iterator = events[Symbol.asyncIterator]();
  let isOver = false;
  try {
    while (true) {
      const next = await iterator.next();
      if (next.done) {
        isOver = true;
        return;
      }
      yield next.value;
    }
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    if (!isOver) void drain(iterator, clock, cut);
  }
}

async function drain<T>(iterator: AsyncIterator<T>, clock: Clock, cut: () => void): Promise<void> {
  const stop = clock.after(lingerMs, cut);
  try {
    let next = await iterator.next();
    while (!next.done) next = await iterator.next();
  } catch {
    // The answer is complete already; how its connection ends concerns nobody.
  } finally {
    stop();
  }
}
