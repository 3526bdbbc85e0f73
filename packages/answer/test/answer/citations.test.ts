import { describe, expect, it } from 'vitest';
import { citationsOf, usedSearch } from '../../src/answer/citations.ts';
import { cleanUrl, comparableUrl } from '../../src/answer/clean-url.ts';
import { withSources } from '../../src/answer/render-sources.ts';
import type { Citation } from '../../src/answer/result.ts';
import { countSearches, searchSources } from '../../src/answer/search-sources.ts';
import { message, search } from '../../src/demo/stream-script.ts';

const today = '2026-11-16';
const options = { maxCitations: 10, dates: 'known', today } as const;
const cited = (url: string, more: object = {}) => ({ type: 'url_citation', url, ...more });
const found = (...sources: unknown[]) => search({ type: 'search', query: 'q', sources });

describe('citationsOf', () => {
  it('takes each cited address once, with its first title and every passage', () => {
    const output = [
      message('alpha beta gamma', [
        cited('https://a.com', { title: '', start_index: 0, end_index: 5 }),
        cited('https://a.com', { title: 'First', start_index: 6, end_index: 10 }),
        cited('https://a.com', { title: 'Second' }),
        cited('https://b.com'),
      ]),
    ];
    expect(citationsOf(output, options)).toEqual([
      {
        url: 'https://a.com',
        title: 'First',
        accessed_at: today,
        spans: [
          [0, 5],
          [6, 10],
        ],
        verified: 'unverified',
      },
      { url: 'https://b.com', accessed_at: today, verified: 'unverified' },
    ]);
  });

  it('reads nested citations of chat completions', () => {
    const nested = { type: 'url_citation', url_citation: { url: 'https://a.com', title: 'A' } };
    expect(citationsOf([message('x', [nested])], options)).toMatchObject([
      { url: 'https://a.com', title: 'A' },
    ]);
  });

  it('counts passages from the start of the whole answer', () => {
    const output = [
      message('One.'),
      message('Two.', [cited('https://a.com', { start_index: 0, end_index: 3 })]),
    ];
    const span = citationsOf(output, options)[0]?.spans?.[0];
    expect('One.\n\nTwo.'.slice(...(span ?? []))).toBe('Two');
  });

  it.each([
    [-1, 2],
    [2, 2],
    [3, 1],
    [0, 99],
    ['0', '1'],
    [0.5, 2],
  ])('drops a passage that cannot be (%s to %s)', (start, end) => {
    const output = [
      message('text', [cited('https://a.com', { start_index: start, end_index: end })]),
    ];
    expect(citationsOf(output, options)[0]).not.toHaveProperty('spans');
  });

  it('falls back to everything the search returned when nothing was cited', () => {
    const output = [found({ url: 'https://a.com' }, 'https://b.com'), message('x')];
    expect(citationsOf(output, options).map(({ url }) => url)).toEqual([
      'https://a.com',
      'https://b.com',
    ]);
  });

  it('adds to cited addresses only the sources that have none', () => {
    const output = [
      found({ url: 'https://unused.com' }, { type: 'api', name: 'oai-weather' }),
      message('x', [cited('https://a.com')]),
    ];
    expect(citationsOf(output, options)).toMatchObject([
      { url: 'https://a.com', verified: 'unverified' },
      { url: 'oai-weather', title: 'api', verified: 'source-list' },
    ]);
  });

  it('cuts to the limit', () => {
    const output = [found('https://a.com', 'https://b.com', 'https://c.com')];
    expect(citationsOf(output, { ...options, maxCitations: 2 })).toHaveLength(2);
  });

  it.each([
    ['the source list', 'https://a.com/x?utm_source=openai', 'source-list'],
    ['another scheme of a listed page', 'http://a.com/x/', 'source-list'],
    ['elsewhere', 'https://other.com', 'unverified'],
    ['nowhere', 'not an address', 'broken'],
  ])('says that an address from %s is as checked as it is', (_, url, verified) => {
    const output = [found({ url: 'https://a.com/x' }), message('x', [cited(url)])];
    expect(citationsOf(output, options)[0]?.verified).toBe(verified);
  });

  describe('on dates', () => {
    const dated = [
      found(
        { url: 'https://a.com', published_date: 'on 2026-10-02, late' },
        { url: 'https://b.com' },
      ),
    ];

    it('tells a publication date only when it is known', () => {
      expect(citationsOf(dated, options)).toMatchObject([
        { published_at: '2026-10-02', accessed_at: today },
        { accessed_at: today },
      ]);
      expect(citationsOf(dated, options)[1]).not.toHaveProperty('published_at');
    });

    it('takes the date of a cited page from the source list', () => {
      const output = [...dated, message('x', [cited('https://a.com?utm_source=openai')])];
      expect(citationsOf(output, options)[0]?.published_at).toBe('2026-10-02');
    });

    it('fills in the day of access when asked to, as the reference did', () => {
      const filled = citationsOf(dated, { ...options, dates: 'access' });
      expect(filled.map((one) => one.published_at)).toEqual(['2026-10-02', today]);
    });
  });
});

describe('searchSources', () => {
  it('reads every spelling of a source', () => {
    const output = [
      found(
        { link: 'https://a.com', name: 'A', date: '2026-01-02' },
        { url: 'https://a.com', title: 'again' },
        {},
        null,
        '',
      ),
    ];
    expect(searchSources(output)).toEqual([
      { url: 'https://a.com', title: 'A', publishedAt: '2026-01-02' },
    ]);
  });

  it('finds the address of an opened page', () => {
    const output = [search({ type: 'open_page', url: 'https://a.com/p' })];
    expect(searchSources(output)).toEqual([{ url: 'https://a.com/p' }]);
  });

  it('does not look deeper or further than is sane', () => {
    let deep: unknown = 'https://deep.com';
    for (let level = 0; level < 20; level++) deep = { deep };
    const many = Array.from({ length: 80 }, (_, index) => `https://m.com/${index}`);
    expect(searchSources([search({ deep })])).toEqual([]);
    expect(searchSources([search({ many })])).toHaveLength(50);
  });
});

describe('countSearches', () => {
  it('counts searches, not pages opened', () => {
    const output = [found(), search({}), search({ type: 'open_page' }), message('x')];
    expect(countSearches(output)).toBe(2);
  });
});

describe('usedSearch', () => {
  it.each([
    [[search({})], true],
    [[message('x', [cited('https://a.com')])], true],
    [[message('x')], false],
    [[], false],
  ])('is told by calls and citations (%#)', (output, used) => {
    expect(usedSearch(output)).toBe(used);
  });
});

describe('cleanUrl', () => {
  it.each([
    ['https://a.com/?utm_source=openai', 'https://a.com/'],
    ['https://a.com/?x=1&utm_source=openai', 'https://a.com/?x=1'],
    ['https://a.com/?utm_source=openai&x=1', 'https://a.com/?x=1'],
    ['https://a.com/?utm_source=openai#part', 'https://a.com/#part'],
    ['https://a.com/?utm_source=news', 'https://a.com/?utm_source=news'],
    ['https://a.com/%E3%81%82?q=a+b', 'https://a.com/%E3%81%82?q=a+b'],
  ])('turns %s into %s', (dirty, clean) => {
    expect(cleanUrl(dirty)).toBe(clean);
  });

  it('compares pages, not their spelling', () => {
    expect(comparableUrl('http://a.com/p/#x')).toBe(comparableUrl('https://a.com/p'));
  });
});

describe('withSources', () => {
  const citations: Citation[] = [
    {
      url: 'https://a.com',
      published_at: '2026-10-02',
      accessed_at: today,
      verified: 'unverified',
    },
    { url: 'oai-weather', accessed_at: today, verified: 'source-list' },
  ];

  it('lists the sources once, with the dates that are known', () => {
    expect(withSources('Yes.', citations)).toBe(
      'Yes.\n\nSources:\n- https://a.com (2026-10-02)\n- oai-weather',
    );
  });

  it.each(['Yes.\n\nSources:\n- https://a.com', '**Sources:** a', '## Sources\n- a', 'sources: a'])(
    'leaves alone a list the model wrote (%#)',
    (answer) => {
      expect(withSources(answer, citations)).toBe(answer);
    },
  );

  it('is not fooled by the word in a sentence', () => {
    expect(withSources('Sources differ on this.', citations)).toContain('\n\nSources:\n');
  });

  it('adds nothing when there is nothing to list', () => {
    expect(withSources('Yes.', [])).toBe('Yes.');
  });
});
