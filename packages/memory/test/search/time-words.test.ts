import { describe, expect, it } from 'vitest';
import { timeNamed } from '../../src/search/time-words.ts';

/** A Wednesday. */
const now = Date.UTC(2026, 10, 18, 15, 30);
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

describe('the time a question names', () => {
  it.each([
    ['What did we decide today?', '2026-11-18', '2026-11-19'],
    ['what happened yesterday', '2026-11-17', '2026-11-18'],
    ['Plans made this week', '2026-11-16', '2026-11-23'],
    ['what did we do last week?', '2026-11-09', '2026-11-16'],
    ['the past month', '2026-10-01', '2026-11-01'],
    ['goals of this year', '2026-01-01', '2027-01-01'],
    ['what broke last year', '2025-01-01', '2026-01-01'],
    ['Where were we in March?', '2026-03-01', '2026-04-01'],
    ['What was shipped in December?', '2025-12-01', '2026-01-01'],
    ['先週の会議で決めたこと', '2026-11-09', '2026-11-16'],
    ['昨日何をした', '2026-11-17', '2026-11-18'],
    ['3月に決めたこと', '2026-03-01', '2026-04-01'],
    ['12月24日の予定', '2025-12-24', '2025-12-25'],
  ])('%s', (question, from, to) => {
    expect(timeNamed(question, now)).toMatchObject({ from: day(from), to: day(to), isDate: false });
  });

  it.each([
    ['the trip of May 2023', '2023-05-01', '2023-06-01'],
    ['who joined in June, 2024', '2024-06-01', '2024-07-01'],
    ['notes of 2026-02-03', '2026-02-03', '2026-02-04'],
    ['notes of 2026/2/3', '2026-02-03', '2026-02-04'],
    ['What did she share on 16 June, 2023?', '2023-06-16', '2023-06-17'],
    ['the talk of the 1st of Feb 2023', '2023-02-01', '2023-02-02'],
    ['who came on May 3, 2023?', '2023-05-03', '2023-05-04'],
    ['What did they do last week, on December 31st 2024?', '2024-12-31', '2025-01-01'],
    ['2024年3月の旅行', '2024-03-01', '2024-04-01'],
    ['2024年3月16日に決めたこと', '2024-03-16', '2024-03-17'],
  ])('%s, a date', (question, from, to) => {
    expect(timeNamed(question, now)).toMatchObject({ from: day(from), to: day(to), isDate: true });
  });

  it.each([
    ['What did she share on 16 June, 2023?', '16 June, 2023'],
    ['what did we do Last Week?', 'Last Week'],
    ['先週の会議', '先週'],
  ])('in `%s` is named by `%s`', (question, words) => {
    expect(timeNamed(question, now)?.words).toBe(words);
  });

  it.each([
    'may I march on?',
    'may 20 people come?',
    'the marching band',
    'how long does it last',
    'this weekend',
    'in the week of the fair',
    '',
    '歳月',
  ])('is none in `%s`', (question) => {
    expect(timeNamed(question, now)).toBeUndefined();
  });
});
