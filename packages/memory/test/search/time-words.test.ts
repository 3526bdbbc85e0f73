import { describe, expect, it } from 'vitest';
import { calendarOf } from '../../src/search/calendar.ts';
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
    ['29 February 2024', '2024-02-29', '2024-03-01'],
    ['2024年2月29日', '2024-02-29', '2024-03-01'],
    ['2024-31-12 or 2024-12-31', '2024-12-31', '2025-01-01'],
    ['31 February or yesterday', '2026-11-17', '2026-11-18'],
  ])('%s exists', (question, from, to) => {
    expect(timeNamed(question, now)).toMatchObject({ from: day(from), to: day(to) });
  });

  it.each([
    ['today', 'Asia/Tokyo', '2026-11-18T15:00Z', '2026-11-19T15:00Z'],
    ['today', 'America/New_York', '2026-11-18T05:00Z', '2026-11-19T05:00Z'],
    ['16 June 2023', 'Europe/Berlin', '2023-06-15T22:00Z', '2023-06-16T22:00Z'],
    ['in March', 'Europe/Berlin', '2026-02-28T23:00Z', '2026-03-31T22:00Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    // The clocks skip this midnight: the day begins at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
    // They show this one twice.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
  ])('%s is a day of %s', (question, zone, from, to) => {
    expect(timeNamed(question, now, calendarOf(zone))).toMatchObject({
      from: Date.parse(from),
      to: Date.parse(to),
    });
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
    'notes of 2024-31-12',
    'notes of 2023-02-29',
    'notes of 2024/4/31',
    'notes of 2024-00-10',
    'notes of 0024-01-10',
    'what happened on 31 February',
    'the 31st of February',
    'what happened on 31 February 2023',
    'the talk of February 30, 2024',
    'the talk of the 31st of June, 2023',
    '2023年2月29日に決めたこと',
    '2月30日の予定',
    '13月1日の予定',
  ])('is none in `%s`', (question) => {
    expect(timeNamed(question, now)).toBeUndefined();
  });
});
