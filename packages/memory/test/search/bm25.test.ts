import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLexicalScorer, type ScoredFields } from '../../src/search/bm25.ts';
import { searchableNote } from '../../src/search/searchable.ts';
import { tokenize } from '../../src/search/tokenize.ts';

const note = (text: string, title: string | null = null, tags: string[] = []): ScoredFields => ({
  title,
  text,
  tags,
  tokens: searchableNote({ title, text, tags }).length,
});
const statistics = { noteCount: 100, averageLength: 3, noteFrequency: [2, 50] };
const scorer = createLexicalScorer(['rare', 'common'], statistics);
const scoreOf = (each: ScoredFields): number => scorer.score(each).score;

describe('the lexical score', () => {
  it('is 1 for a note of average length with every term once', () => {
    expect(scoreOf(note('rare common third'))).toBeCloseTo(1, 10);
  });

  it('is 0 without a shared term', () => {
    expect(scoreOf(note('something else'))).toBe(0);
  });

  it.each([
    ['a rare word over a common one', 'rare x y', 'common x y'],
    ['both words over one', 'rare common y', 'rare x y'],
    ['a short note over a long one', 'rare x', 'rare a1 b1 c1 d1 e1 f1 g1'],
    ['a repeated word over a single one', 'common common x', 'common y x'],
  ])('prefers %s', (_, better, worse) => {
    expect(scoreOf(note(better))).toBeGreaterThan(scoreOf(note(worse)));
  });

  it('weighs the title and the tags above the text', () => {
    const inText = scoreOf(note('rare x y'));
    expect(scoreOf(note('x y', 'rare'))).toBeGreaterThan(inText);
    expect(scoreOf(note('x y', null, ['rare']))).toBeGreaterThan(inText);
  });

  it.each([
    ['予約', '会議室の予約は社内カレンダーから', 1],
    ['会', '会社の会議', 2],
    ['データベース', 'データベースとデータベース', 2],
    ['天気', 'ﾃﾝｷ と 天気', 1],
    ['予約', 'no such thing', 0],
  ])('counts `%s` in `%s` as its tokens do', (term, text, count) => {
    expect(tokenize(text).filter((token) => token === term)).toHaveLength(count);
    const { terms } = createLexicalScorer([term], { ...statistics, noteFrequency: [1] }).score(
      note(text),
    );
    expect(terms).toEqual(count === 0 ? [] : [term]);
  });

  it('finds the terms that tokens would, whatever form or identifier they stand in', () => {
    const word = fc.constantFrom(
      ...['cities', 'city', 'Running', 'run', 'runs', 'cache', 'caching', 'trunk', 'boxes', 'x'],
      ...[
        'parseLedgerRow',
        'parse_ledger_row',
        'ledger',
        'rows',
        'HTTPServer',
        'v2',
        'Stopped',
        'stop',
      ],
    );
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (asked, held) => {
        const terms = [...new Set(tokenize(asked))];
        const counts = { noteCount: 9, averageLength: 3, noteFrequency: terms.map(() => 1) };
        const found = createLexicalScorer(terms, counts).score(note(held));
        expect(found.terms).toEqual(terms.filter((term) => tokenize(held).includes(term)));
      }),
    );
  });

  it('tells the shared terms', () => {
    expect(scorer.score(note('Common things, rarely rare')).terms).toEqual(['rare', 'common']);
    expect(scorer.score(note('other')).terms).toEqual([]);
  });

  it('never leaves 0 to 1', () => {
    expect(scoreOf(note('rare '.repeat(50)))).toBeLessThanOrEqual(1);
    const stale = createLexicalScorer(['x'], {
      noteCount: 1,
      averageLength: 1,
      noteFrequency: [9],
    });
    expect(stale.score(note('x')).score).toBeGreaterThan(0);
    expect(createLexicalScorer([], statistics).score(note('x')).score).toBe(0);
  });
});

it('finds every token that a text has, wherever it stands in a word', () => {
  const texts = [
    'The flies of policies were studied; running caches, boxes and buses',
    'parse_json_body(a_b, _x1) readHTTPHeader v2_final __init__ JSONParser a1b2c3',
    'Café naïve résumés and plain words together',
    'x y z 42 4096px utf8 ISO_8601',
  ];
  for (const text of texts) {
    const terms = [...new Set(tokenize(text))];
    const all = { noteCount: 10, averageLength: 5, noteFrequency: terms.map(() => 1) };
    const found = createLexicalScorer(terms, all).score(note(text));
    expect(found.terms).toEqual(terms);
    for (const [i, term] of terms.entries()) {
      const alone = createLexicalScorer([term], { ...all, noteFrequency: [i] });
      expect(alone.score(note(text)).terms, `${term} in ${text}`).toEqual([term]);
    }
  }
});
