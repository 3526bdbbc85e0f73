import { describe, expect, it } from 'vitest';
import { CrashBudget } from '../../src/stdio/crash-budget.ts';

describe('CrashBudget', () => {
  it('waits 250 ms, then twice as long each time, and gives up after five crashes', () => {
    const budget = new CrashBudget({});
    const waits = Array.from({ length: 6 }, () => budget.next(1000));
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, undefined]);
  });

  it('never waits longer than the longest wait', () => {
    const budget = new CrashBudget({ maxCrashes: 20, maxBackoffMs: 30_000 });
    const waits = Array.from({ length: 10 }, () => budget.next(0));
    expect(waits.slice(-3)).toEqual([30_000, 30_000, 30_000]);
  });

  it('forgets crashes that are older than the window', () => {
    const budget = new CrashBudget({ maxCrashes: 2, windowMs: 1000, backoffMs: 10 });
    expect(budget.next(0)).toBe(10);
    expect(budget.next(500)).toBe(20);
    expect(budget.next(1200)).toBe(20);
    expect(budget.next(5000)).toBe(10);
    expect(budget.crashes).toBe(1);
  });

  it('restarts never with a budget of none', () => {
    expect(new CrashBudget({ maxCrashes: 0 }).next(0)).toBeUndefined();
  });

  it.each([
    [{ maxCrashes: -1 }, 'expected `restart.maxCrashes` to be an integer of at least 0, got `-1`'],
    [{ backoffMs: 1.5 }, 'expected `restart.backoffMs` to be an integer of at least 0, got `1.5`'],
    [
      { windowMs: Number.NaN },
      'expected `restart.windowMs` to be an integer of at least 0, got `NaN`',
    ],
  ])('refuses %o', (options, message) => {
    expect(() => new CrashBudget(options)).toThrow(message);
  });

  it('refuses an option it does not know', () => {
    const options = { maxCrashes: 1, backOffMs: 5 };
    expect(() => new CrashBudget(options)).toThrow('did you mean `backoffMs`?');
  });
});
