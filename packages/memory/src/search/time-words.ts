import { type Calendar, utc } from './calendar.ts';

/** A stretch of time that a question names: `from <= createdAt < to`. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
  /** Whether it is a date with its year: the same whenever it is asked, and seldom said by the way. */
  readonly isDate: boolean;
  /** The part of the question that names it. */
  readonly words: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const MONTHS =
  'january february march april may june july august september october november december';
const monthNumbers: ReadonlyMap<string, number> = new Map(
  MONTHS.split(' ').flatMap((name, month) => [
    [name, month],
    [name.slice(0, 3), month],
  ]),
);

const RELATIVE = /\b(today|yesterday|(?:this|last|past) (?:week|month|year))\b/i;
const MONTH_NAME: string = `(?<month>${[...monthNumbers.keys()].join('|')})`;
const DAY = '(?<day>[0-3]?\\d)(?:st|nd|rd|th)?';
const YEAR = '(?<year>(?:19|20)\\d\\d)';
const ISO_DAY = '\\b(?<year>\\d{4})(?<mark>[-/])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})\\b';
/** Dates as they are written, the exact ones first. `May` and `march` are words too: they need words of time. */
const DATES: readonly RegExp[] = [
  new RegExp(ISO_DAY),
  new RegExp(`\\b${DAY} (?:of )?${MONTH_NAME},? ${YEAR}\\b`, 'i'),
  new RegExp(`\\b${MONTH_NAME} ${DAY},? ${YEAR}\\b`, 'i'),
  new RegExp(`\\b${MONTH_NAME},? ${YEAR}\\b`, 'i'),
  /(?:(?<year>(?:19|20)\d\d)年)?(?<month>1[0-2]|[1-9])月(?:(?<day>[1-3]?\d)日)?/,
  new RegExp(`\\b(?:in|since|during|last|of) (?<month>${MONTHS.replaceAll(' ', '|')})\\b`, 'i'),
];
/** Dates with a day, which may not exist. */
const DAYS: readonly RegExp[] = [
  new RegExp(ISO_DAY, 'g'),
  new RegExp(`\\b${DAY} (?:of )?${MONTH_NAME}\\b(?:,? ${YEAR}\\b)?`, 'gi'),
  new RegExp(`\\b${MONTH_NAME} ${DAY}\\b(?:,? ${YEAR}\\b)?`, 'gi'),
  /(?:(?<year>(?:19|20)\d\d)年)?(?<month>\d{1,2})月(?<day>\d{1,2})日/g,
];
const LEAP_YEAR = 2024;
const JAPANESE = /(今日|昨日|今週|先週|今月|先月|今年|昨年|去年)/;

const JAPANESE_WORDS: Readonly<Record<string, string>> = {
  今日: 'today',
  昨日: 'yesterday',
  今週: 'this week',
  先週: 'last week',
  今月: 'this month',
  先月: 'last month',
  今年: 'this year',
  昨年: 'last year',
  去年: 'last year',
};

/** The time a question names in words, in the days of a calendar; `undefined` where it names none. */
export function timeNamed(
  question: string,
  now: number,
  calendar: Calendar = utc,
): TimeSpan | undefined {
  const span = localSpan(question, calendar.toLocal(now));
  if (span === undefined) return undefined;
  return { ...span, from: calendar.toInstant(span.from), to: calendar.toInstant(span.to) };
}

/** The same in local time. */
function localSpan(question: string, now: number): TimeSpan | undefined {
  const text = withoutImpossibleDays(question.normalize('NFKC'));
  const dates = DATES.map((pattern) => pattern.exec(text)).filter((date) => date !== null);
  // With its year a date says more than any other word of time.
  const dated = dates.find(({ groups }) => groups?.['year'] !== undefined);
  if (dated !== undefined) return dateSpan(dated, now);
  const word = (RELATIVE.exec(text) ?? JAPANESE.exec(text))?.[1];
  if (word !== undefined) return relative(word, now);
  return dates[0] && dateSpan(dates[0], now);
}

/** Without dates that no calendar has, as 31 February: neither the date nor its month is meant. */
function withoutImpossibleDays(text: string): string {
  return DAYS.reduce(
    (left, pattern) =>
      left.replace(pattern, (...match) => {
        const { year = LEAP_YEAR, month: name, day } = match.at(-1) as Record<string, string>;
        const month = monthOf(name);
        const date = new Date(Date.UTC(Number(year), month, Number(day)));
        const isReal = date.getUTCFullYear() === Number(year) && date.getUTCMonth() === month;
        return isReal && date.getUTCDate() === Number(day) ? match[0] : ' ';
      }),
    text,
  );
}

function monthOf(name = ''): number {
  return monthNumbers.get(name.toLowerCase()) ?? Number(name) - 1;
}

function relative(words: string, now: number): TimeSpan {
  const word = JAPANESE_WORDS[words] ?? words.toLowerCase().replace('past', 'last');
  const at = new Date(now);
  const today = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  const monday = today - ((at.getUTCDay() + 6) % 7) * DAY_MS;
  const month = (n: number): number => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + n, 1);
  const year = (n: number): number => Date.UTC(at.getUTCFullYear() + n, 0, 1);
  const spans: Readonly<Record<string, readonly [from: number, to: number]>> = {
    today: [today, today + DAY_MS],
    yesterday: [today - DAY_MS, today],
    'this week': [monday, monday + 7 * DAY_MS],
    'last week': [monday - 7 * DAY_MS, monday],
    'this month': [month(0), month(1)],
    'last month': [month(-1), month(0)],
    'this year': [year(0), year(1)],
    'last year': [year(-1), year(0)],
  };
  const [from, to] = spans[word] ?? [today, today + DAY_MS];
  return { from, to, isDate: false, words };
}

/** A day or a whole month; without a year the last one whose month has begun. */
function dateSpan({ 0: words, groups = {} }: RegExpExecArray, now: number): TimeSpan {
  const { year, month: name, day } = groups;
  const at = new Date(now);
  const month = monthOf(name);
  const inYear =
    year === undefined ? at.getUTCFullYear() - (month > at.getUTCMonth() ? 1 : 0) : Number(year);
  const isDate = year !== undefined;
  const from = Date.UTC(inYear, month, Number(day ?? 1));
  const to = day === undefined ? Date.UTC(inYear, month + 1, 1) : from + DAY_MS;
  return { from, to, isDate, words };
}
