import { describe, expect, it } from 'vitest';
import { dayIn, sleep, systemClock } from '../src/clock.ts';
import { FakeClock } from './support/fake-clock.ts';

describe('sleep', () => {
  it('ends when its time has come', async () => {
    const clock = new FakeClock();
    let isAwake = false;
    const nap = sleep(clock, 100).then(() => {
      isAwake = true;
    });
    clock.advance(99);
    await Promise.resolve();
    expect(isAwake).toBe(false);
    clock.advance(1);
    await nap;
    expect(isAwake).toBe(true);
  });

  it('is cut short by its signal and leaves no timer', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const nap = sleep(clock, 100, controller.signal);
    controller.abort('enough');
    await expect(nap).rejects.toBe('enough');
    expect(clock.pending).toEqual([]);
  });

  it('does not begin under a signal that is aborted already', async () => {
    const clock = new FakeClock();
    await expect(sleep(clock, 100, AbortSignal.abort('no'))).rejects.toBe('no');
    expect(clock.pending).toEqual([]);
  });
});

describe('the system clock', () => {
  it('runs an action, and not one that was called off', async () => {
    const ran: string[] = [];
    systemClock.after(0, () => ran.push('never'))();
    await new Promise<void>((resolve) => systemClock.after(1, resolve));
    expect(ran).toEqual([]);
    expect(systemClock.now()).toBeGreaterThan(0);
  });
});

describe('dayIn', () => {
  it.each([
    ['UTC', '2026-11-15'],
    ['Asia/Tokyo', '2026-11-16'],
    ['America/New_York', '2026-11-15'],
  ])('gives the day in %s', (zone, day) => {
    expect(dayIn(zone, Date.parse('2026-11-15T20:00:00Z'))).toBe(day);
  });
});
