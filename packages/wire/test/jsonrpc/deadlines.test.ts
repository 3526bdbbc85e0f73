import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines, Timed } from '../../src/jsonrpc/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // First: a spy that is restored later would put the fake timer back in place.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const timed = (expire: () => void): Timed => {
  const item = new Timed();
  item.expire = expire;
  return item;
};

describe('Deadlines', () => {
  it.each([1, 15, 16, 17, 100, 30_000])(
    'fires once after %i ms, never early and at most a slot late',
    (ms) => {
      vi.advanceTimersByTime(7);
      const expire = vi.fn();
      new Deadlines().set(timed(expire), ms);
      vi.advanceTimersByTime(ms - 1);
      expect(expire).not.toHaveBeenCalled();
      vi.advanceTimersByTime(18);
      expect(expire).toHaveBeenCalledOnce();
      vi.advanceTimersByTime(100_000);
      expect(expire).toHaveBeenCalledOnce();
    },
  );

  it.each([0, Number.POSITIVE_INFINITY])('row 81: takes %d for no deadline', (ms) => {
    const expire = vi.fn();
    new Deadlines().set(timed(expire), ms);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('row 81: does not fire a deadline of 2^31 ms early, as a timer alone would', () => {
    const expire = vi.fn();
    new Deadlines().set(timed(expire), 2 ** 31);
    vi.advanceTimersByTime(2 ** 31 - 1);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(20);
    expect(expire).toHaveBeenCalledOnce();
  });

  it('row 83: keeps 100,000 deadlines on one timer', () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const deadlines = new Deadlines();
    let fired = 0;
    for (let i = 0; i < 100_000; i++) {
      deadlines.set(
        timed(() => fired++),
        30_000 + (i % 100),
      );
    }
    expect(vi.getTimerCount()).toBe(1);
    expect(setTimer.mock.calls.length).toBeLessThan(10);
    vi.advanceTimersByTime(30_200);
    expect(fired).toBe(100_000);
    expect(vi.getTimerCount()).toBe(0);
  }, 30_000);

  it('fires in the order of time, however they were added', () => {
    const deadlines = new Deadlines();
    const order: number[] = [];
    for (const ms of [500, 100, 300, 1000, 50]) {
      deadlines.set(
        timed(() => order.push(ms)),
        ms,
      );
    }
    vi.advanceTimersByTime(2000);
    expect(order).toEqual([50, 100, 300, 500, 1000]);
  });

  it('moves a deadline that is set again', () => {
    const deadlines = new Deadlines();
    const expire = vi.fn();
    const item = timed(expire);
    deadlines.set(item, 100);
    vi.advanceTimersByTime(90);
    deadlines.set(item, 100);
    vi.advanceTimersByTime(90);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(30);
    expect(expire).toHaveBeenCalledOnce();
  });

  it('clears one of many in a slot: first, middle, last, and one that is not set', () => {
    const deadlines = new Deadlines();
    const fired: number[] = [];
    const items = [0, 1, 2, 3, 4].map((i) => timed(() => fired.push(i)));
    for (const item of items) deadlines.set(item, 100);
    for (const i of [0, 2, 4]) deadlines.clear(items[i] as Timed);
    deadlines.clear(items[2] as Timed);
    deadlines.clear(new Timed());
    vi.advanceTimersByTime(200);
    expect(fired.sort()).toEqual([1, 3]);
  });

  it('takes deadlines that are set and cleared while others fire', () => {
    const deadlines = new Deadlines();
    const fired: string[] = [];
    const victim = timed(() => fired.push('victim'));
    const late = timed(() => fired.push('late'));
    deadlines.set(victim, 100);
    deadlines.set(
      timed(() => {
        fired.push('first');
        deadlines.clear(victim);
        deadlines.set(late, 50);
      }),
      100,
    );
    vi.advanceTimersByTime(130);
    expect(fired).toEqual(['first']);
    vi.advanceTimersByTime(100);
    expect(fired).toEqual(['first', 'late']);
  });

  it('stops: nothing fires any more, no timer stays', () => {
    const deadlines = new Deadlines();
    const expire = vi.fn();
    deadlines.set(timed(expire), 10);
    vi.advanceTimersToNextTimer();
    deadlines.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(expire).not.toHaveBeenCalled();
  });

  it('works again after a stop', () => {
    const deadlines = new Deadlines();
    const expire = vi.fn();
    deadlines.set(
      timed(() => undefined),
      10,
    );
    deadlines.stop();
    deadlines.set(timed(expire), 500);
    vi.advanceTimersByTime(600);
    expect(expire).toHaveBeenCalledOnce();
  });

  it('does not hold on to slots whose deadlines were cleared, whatever the deadline', () => {
    const deadlines = new Deadlines();
    const keeper = timed(() => undefined);
    deadlines.set(keeper, 2 ** 40);
    for (let i = 0; i < 20_000; i++) {
      const item = timed(() => undefined);
      deadlines.set(item, 2 ** 40);
      deadlines.clear(item);
      vi.advanceTimersByTime(16);
    }
    expect(deadlines.size).toBeLessThanOrEqual(4096);
  });
});
