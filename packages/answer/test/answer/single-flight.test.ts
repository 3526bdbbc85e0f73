import { describe, expect, it } from 'vitest';
import { SingleFlight } from '../../src/answer/single-flight.ts';

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
const quiet = { onEvent: () => {} };

describe('SingleFlight', () => {
  it('lets identical calls share one piece of work', async () => {
    const flights = new SingleFlight<string, string>();
    const work = deferred<string>();
    let starts = 0;
    const start = () => {
      starts++;
      return work.promise;
    };
    const both = Promise.all([flights.run('k', start, quiet), flights.run('k', start, quiet)]);
    expect(flights.size).toBe(1);
    work.resolve('done');
    expect(await both).toEqual(['done', 'done']);
    expect(starts).toBe(1);
    expect(flights.size).toBe(0);
  });

  it('starts anew after the work is done, and side by side for another key', async () => {
    const flights = new SingleFlight<number, string>();
    let starts = 0;
    const start = async () => ++starts;
    expect(await flights.run('k', start, quiet)).toBe(1);
    expect(await flights.run('k', start, quiet)).toBe(2);
    await Promise.all([flights.run('a', start, quiet), flights.run('b', start, quiet)]);
    expect(starts).toBe(4);
  });

  it('goes on for the others when one caller leaves', async () => {
    const flights = new SingleFlight<string, string>();
    const work = deferred<string>();
    let shared: AbortSignal | undefined;
    const start = (signal: AbortSignal) => {
      shared = signal;
      return work.promise;
    };
    const leaver = new AbortController();
    const first = flights.run('k', start, { ...quiet, signal: leaver.signal });
    const second = flights.run('k', start, quiet);
    await Promise.resolve();
    leaver.abort('bye');
    await expect(first).rejects.toBe('bye');
    expect(shared?.aborted).toBe(false);
    work.resolve('done');
    expect(await second).toBe('done');
  });

  it('ends the work when the last caller leaves', async () => {
    const flights = new SingleFlight<string, string>();
    let shared: AbortSignal | undefined;
    const start = (signal: AbortSignal) => {
      shared = signal;
      return new Promise<string>(() => {});
    };
    const leaver = new AbortController();
    const call = flights.run('k', start, { ...quiet, signal: leaver.signal });
    await Promise.resolve();
    leaver.abort('bye');
    await expect(call).rejects.toBe('bye');
    expect(shared?.aborted).toBe(true);
    expect(shared?.reason).toBe('bye');
    expect(flights.size).toBe(0);
  });

  it('does not let a newcomer join work that is ending', async () => {
    const flights = new SingleFlight<string, string>();
    const leaver = new AbortController();
    const first = flights.run('k', () => new Promise<string>(() => {}), {
      ...quiet,
      signal: leaver.signal,
    });
    leaver.abort('bye');
    await expect(first).rejects.toBe('bye');
    expect(await flights.run('k', async () => 'new', quiet)).toBe('new');
  });

  it('tells every caller what happens, a late one the latest', async () => {
    const flights = new SingleFlight<string, string>();
    const work = deferred<string>();
    const heard: string[] = [];
    const start = (_: AbortSignal, emit: (event: string) => void) => {
      emit('one');
      return work.promise.then((value) => {
        emit('two');
        return value;
      });
    };
    const first = flights.run('k', start, { onEvent: (event) => heard.push(`a ${event}`) });
    await Promise.resolve();
    const second = flights.run('k', start, { onEvent: (event) => heard.push(`b ${event}`) });
    work.resolve('done');
    await Promise.all([first, second]);
    expect(heard).toEqual(['a one', 'b one', 'a two', 'b two']);
  });

  it('passes a failure to everyone and forgets it', async () => {
    const flights = new SingleFlight<string, string>();
    const fail = async (): Promise<string> => {
      throw new Error('no');
    };
    const calls = [flights.run('k', fail, quiet), flights.run('k', fail, quiet)];
    for (const call of calls) await expect(call).rejects.toThrow('no');
    expect(flights.size).toBe(0);
  });

  it('does not start for a caller who has left already', async () => {
    const flights = new SingleFlight<string, string>();
    const options = { ...quiet, signal: AbortSignal.abort('gone') };
    await expect(flights.run('k', async () => 'x', options)).rejects.toBe('gone');
    expect(flights.size).toBe(0);
  });
});
