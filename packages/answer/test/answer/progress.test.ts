import { describe, expect, it } from 'vitest';
import { createProgressMeter, type ProgressReport } from '../../src/answer/progress.ts';
import { FakeClock } from '../support/fake-clock.ts';

function start() {
  const clock = new FakeClock();
  const reports: ProgressReport[] = [];
  const meter = createProgressMeter(clock, (report) => reports.push(report));
  const messages = () => reports.map(({ message }) => message);
  return { clock, reports, meter, messages };
}

describe('the progress meter', () => {
  it('reports the first event at once', () => {
    const { meter, messages } = start();
    meter.note('accepted');
    expect(messages()).toEqual(['accepted']);
  });

  it('holds back a flood and then tells the newest', () => {
    const { clock, meter, messages } = start();
    for (let n = 0; n < 100; n++) meter.note(`writing ${n}`);
    expect(messages()).toEqual(['writing 0']);
    clock.advance(499);
    expect(messages()).toHaveLength(1);
    clock.advance(1);
    expect(messages()).toEqual(['writing 0', 'writing 99']);
  });

  it('never reports more than twice a second', () => {
    const { clock, meter, messages } = start();
    for (let n = 0; n < 1_000; n++) {
      meter.note(`${n}`);
      clock.advance(10);
    }
    expect(messages().length).toBeLessThanOrEqual(21);
    expect(messages().length).toBeGreaterThanOrEqual(19);
  });

  it('gives a sign of life every ten seconds of silence', () => {
    const { clock, messages } = start();
    clock.advance(35_000);
    expect(messages()).toEqual([
      'still working, 10 s',
      'still working, 20 s',
      'still working, 30 s',
    ]);
  });

  it('counts strictly upwards', () => {
    const { clock, meter, reports } = start();
    for (let n = 0; n < 5; n++) {
      meter.note('x');
      clock.advance(12_000);
    }
    const values = reports.map(({ progress }) => progress);
    expect(values).toEqual(values.map((_, index) => index + 1));
  });

  it('says nothing after the answer and leaves no timer', () => {
    const { clock, meter, messages } = start();
    meter.note('one');
    meter.note('two');
    meter.close();
    meter.note('three');
    clock.advance(60_000);
    expect(messages()).toEqual(['one']);
    expect(clock.pending).toEqual([]);
  });
});
