import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  fit,
  oneLine,
  printable,
  takeGraphemes,
  widthOf,
} from '../../../src/faces/cli/render/graphemes.ts';
import {
  renderNote,
  renderNotes,
  renderResults,
  resultsJson,
} from '../../../src/faces/cli/render/note-text.ts';
import { paintFor } from '../../../src/faces/cli/render/paint.ts';
import { ProgressBar, renderProgress } from '../../../src/faces/cli/render/progress-bar.ts';
import { renderTable } from '../../../src/faces/cli/render/table.ts';
import { estimateTokens } from '../../../src/service/estimate-tokens.ts';

const plain = paintFor({ env: {}, isTerminal: false });
const note = {
  id: '3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11',
  projectId: '/p',
  groupId: 'backend',
  title: null,
  text: 'short',
  tags: [] as string[],
  source: null,
  createdAt: '2026-01-31T12:34:56.789Z',
  metadata: null,
};

describe('graphemes', () => {
  it.each([
    ['abc', 2, 'ab', false],
    ['abc', 3, 'abc', true],
    ['日本語', 2, '日本', false],
    ['e\u0301a\u0308x', 2, 'e\u0301a\u0308', false],
    ['👩‍👩‍👧‍👦🇯🇵x', 2, '👩‍👩‍👧‍👦🇯🇵', false],
    ['', 3, '', true],
  ])('takes from %j the first %i characters', (text, count, head, isWhole) => {
    expect(takeGraphemes(text, count)).toEqual({ head, isWhole });
  });

  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧‍👦', 2],
    ['\u200B', 0],
  ])('measures %j as %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['日本語文', 5, '日本…'],
    ['日本語文', 4, '日…'],
  ])('fits %j into %i columns', (text, width, fitted) => {
    expect(fit(text, width)).toBe(fitted);
    expect(widthOf(fit(text, width))).toBeLessThanOrEqual(width);
  });

  it('spells out what would command the terminal', () => {
    expect(printable('a\u001B[31mb\u0007\u009Bc\u202Ed')).toBe('a\\x1b[31mb\\x07\\x9bc\\u202ed');
    expect(printable('a\r\n\tb')).toBe('a\n  b');
    expect(oneLine(' a\n\n b\tc ')).toBe('a b c');
  });
});

describe('renderResults', () => {
  const match = { by: 'lexical', words: ['deploy'] } as const;

  it('says when there is none', () => {
    expect(renderResults([], plain)).toBe('No results found.');
  });

  it('prints rank, title, score, the beginning of the text and tags', () => {
    const long = '日'.repeat(61);
    const results = [
      { ...note, title: 'Deploys', text: long, tags: ['a', 'b'], score: 0.846, match },
      { ...note, text: '日'.repeat(60), score: 0.5, match },
    ];
    expect(renderResults(results, plain)).toBe(
      `[1] Deploys (score: 0.85)\n    ${'日'.repeat(60)} ...\n    tags: a, b\n\n` +
        `[2] (no title) (score: 0.50)\n    ${'日'.repeat(60)}\n`,
    );
  });

  it.each([
    [{ by: 'both', words: ['a', 'b'] }, 'words and meaning: a, b'],
    [{ by: 'vector', words: [] }, 'meaning'],
    [{ by: 'context', words: [], context: ['id-1'] }, 'context; beside id-1'],
  ] as const)('says why where that is wanted: %j', (why, words) => {
    const results = [{ ...note, score: 1, match: why }];
    expect(renderResults(results, plain, { withReasons: true })).toContain(`found by ${words}`);
    expect(renderResults(results, plain)).not.toContain('found by');
    expect(resultsJson(results, { withReasons: true }).results[0]).toMatchObject({ match: why });
  });

  it('leaves title and tags out of the JSON where there are none', () => {
    const results = [
      { ...note, score: 0.5, match },
      { ...note, title: 't', tags: ['a'], score: 0.4, match },
    ];
    expect(resultsJson(results)).toEqual({
      results: [
        { id: note.id, text: 'short', score: 0.5 },
        { id: note.id, title: 't', text: 'short', score: 0.4, tags: ['a'] },
      ],
    });
  });
});

describe('renderNotes', () => {
  it('says when there is none', () => {
    expect(renderNotes([], 80)).toBe('No notes found.');
  });

  it('keeps columns aligned whatever the script, and lets the text give way', () => {
    const lines = renderNotes(
      [
        { ...note, text: '日本語の長いノート'.repeat(10), tags: ['x'] },
        { ...note, text: 'plain text that goes on '.repeat(10), tags: ['x'] },
      ],
      110,
    ).split('\n');
    const columnOf = (line = ''): number => widthOf(line.slice(0, line.lastIndexOf('x')));
    expect(lines[0]).toMatch(/^ID +CREATED +GROUP +NOTE +TAGS$/);
    expect(lines[1]).toContain('2026-01-31 12:34');
    expect(columnOf(lines[1])).toBe(columnOf(lines[2]));
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(110);
  });
});

describe('renderNote', () => {
  it('prints every fact there is, and control characters of none', () => {
    const text = renderNote(
      {
        ...note,
        title: 'T\u001B[2J',
        tags: ['a'],
        source: 'git',
        metadata: { k: 1 },
        text: 'one\ntwo',
      },
      plain,
    );
    expect(text).toBe(
      [
        'T\\x1b[2J',
        `id       ${note.id}`,
        'project  /p',
        'group    backend',
        'created  2026-01-31T12:34:56.789Z',
        'tags     a',
        'source   git',
        'metadata {"k":1}',
        '',
        'one\ntwo',
      ].join('\n'),
    );
  });
});

describe('renderTable', () => {
  it('keeps fixed columns whole even where the terminal is too narrow', () => {
    const rows = renderTable(
      [{ title: 'ID' }, { title: 'NOTE', isFlexible: true }],
      [['12345678', 'x'.repeat(40)]],
      10,
    );
    expect(rows[1]).toBe(`12345678  ${'x'.repeat(15)}…`);
  });
});

describe('paintFor', () => {
  it.each([
    [{}, true, '\u001B[31mx\u001B[0m'],
    [{}, false, 'x'],
    [{ NO_COLOR: '1' }, true, 'x'],
    [{ TERM: 'dumb' }, true, 'x'],
  ])('with %j, terminal %s', (env, isTerminal, painted) => {
    expect(paintFor({ env, isTerminal }).red('x')).toBe(painted);
  });
});

describe('ProgressBar', () => {
  it.each([
    [0, 10, '░'.repeat(24), '  0 %'],
    [5, 10, '█'.repeat(12) + '░'.repeat(12), ' 50 %'],
    [10, 10, '█'.repeat(24), '100 %'],
    [0, 0, '█'.repeat(24), '100 %'],
  ])('shows %i of %i', (done, total, bar, percent) => {
    expect(renderProgress('work', done, total)).toBe(`work ${bar} ${percent}`);
  });

  it('draws no more often than can be read, always the end, and clears itself', () => {
    const stderr = new PassThrough();
    let now = 0;
    const bar = new ProgressBar({ stderr, isErrorTerminal: true }, 'work', { now: () => now });
    bar.update(1, 10);
    bar.update(2, 10);
    now = 100;
    bar.update(3, 10);
    bar.update(10, 10);
    bar.end();
    const drawn = String(stderr.read(stderr.readableLength)).split('\r');
    expect(drawn.map((each) => /\d+ %/.exec(each)?.[0])).toEqual([
      undefined,
      '10 %',
      '30 %',
      '100 %',
      undefined,
    ]);
  });

  it('is silent where nobody watches', () => {
    const stderr = new PassThrough();
    const bar = new ProgressBar({ stderr, isErrorTerminal: false }, 'work');
    bar.update(1, 2);
    bar.end();
    expect(stderr.read(stderr.readableLength)).toBeNull();
  });
});

describe('estimateTokens', () => {
  it.each([
    ['', 0],
    ['abcd', 1],
    ['abcde', 2],
    ['日本語', 3],
    ['ab日', 2],
  ])('takes %j for %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
