/** A stretch of time that a question names: `from <= createdAt < to`. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
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
const ISO_DAY = /\b(\d{4})-(\d{2})-(\d{2})\b/;
/** `May` and `march` are words too: a month stands after a word of time or before a year. */
const MONTH = new RegExp(
  `\\b(?:(?:in|since|during|last|of) (?<bare>${MONTHS.replaceAll(' ', '|')})|(?<dated>${[...monthNumbers.keys()].join('|')}),? (?=(?:19|20)\\d\\d\\b))(?:,? (?<year>(?:19|20)\\d\\d))?\\b`,
  'i',
);
const JAPANESE = /(今日|昨日|今週|先週|今月|先月|今年|昨年|去年)/;
const JAPANESE_MONTH = /(?:((?:19|20)\d\d)年)?(1[0-2]|[1-9])月/;

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

/** The time a question names in words, in UTC as all times are; `undefined` where it names none. */
export function timeNamed(question: string, now: number): TimeSpan | undefined {
  const text = question.normalize('NFKC');
  const word =
    RELATIVE.exec(text)?.[1]?.toLowerCase() ?? JAPANESE_WORDS[JAPANESE.exec(text)?.[1] ?? ''];
  if (word !== undefined) return relative(word.replace('past', 'last'), now);
  const [, year, month, day] = (ISO_DAY.exec(text) ?? []).map(Number);
  if (year !== undefined && month !== undefined && day !== undefined) {
    const from = Date.UTC(year, month - 1, day);
    return { from, to: from + DAY_MS };
  }
  const named = MONTH.exec(text)?.groups;
  const english = named?.['bare'] ?? named?.['dated'];
  if (english !== undefined)
    return monthSpan(monthNumbers.get(english.toLowerCase()), named?.['year'], now);
  const japanese = JAPANESE_MONTH.exec(text);
  return japanese === null ? undefined : monthSpan(Number(japanese[2]) - 1, japanese[1], now);
}

function relative(word: string, now: number): TimeSpan {
  const at = new Date(now);
  const today = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  const monday = today - ((at.getUTCDay() + 6) % 7) * DAY_MS;
  const month = (n: number): number => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + n, 1);
  const year = (n: number): number => Date.UTC(at.getUTCFullYear() + n, 0, 1);
  const spans: Readonly<Record<string, TimeSpan>> = {
    today: { from: today, to: today + DAY_MS },
    yesterday: { from: today - DAY_MS, to: today },
    'this week': { from: monday, to: monday + 7 * DAY_MS },
    'last week': { from: monday - 7 * DAY_MS, to: monday },
    'this month': { from: month(0), to: month(1) },
    'last month': { from: month(-1), to: month(0) },
    'this year': { from: year(0), to: year(1) },
    'last year': { from: year(-1), to: year(0) },
  };
  return spans[word] ?? { from: today, to: today + DAY_MS };
}

/** A month without a year is the last one that has begun. */
function monthSpan(month = 0, year: string | undefined, now: number): TimeSpan {
  const at = new Date(now);
  const thisYear = at.getUTCFullYear();
  const inYear = year === undefined ? thisYear - (month > at.getUTCMonth() ? 1 : 0) : Number(year);
  return { from: Date.UTC(inYear, month, 1), to: Date.UTC(inYear, month + 1, 1) };
}
