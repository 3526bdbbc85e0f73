import { describe, expect, it } from 'vitest';
import { rankCandidates, WEIGHTS } from '../../src/search/rank.ts';
import { scoreRanked } from '../../src/search/score.ts';
import { searchableNote } from '../../src/search/searchable.ts';
import type { Note } from '../../src/store/note.ts';
import type { Candidates } from '../../src/store/store.ts';
import { makeNote } from '../store/store-contract.ts';

const statistics = { noteCount: 10, averageLength: 2, noteFrequency: [1] };

function found(
  notes: readonly [text: string, ...cosines: (number | undefined)[]][],
  fields: Partial<Candidates> = {},
): Candidates {
  return {
    candidates: notes.map(([text, ...cosines]) => ({
      note: makeNote({ id: text, text }),
      tokens: searchableNote({ title: null, text, tags: [] }).length,
      cosines,
    })),
    statistics,
    projectNotes: 10,
    spreads: [{ mean: 0.3, deviation: 0.2 }],
    threads: [],
    ...fields,
  };
}

const textsOf = (ranked: readonly { readonly note: Note }[]): string[] =>
  ranked.map(({ note }) => note.text);

describe('ranking', () => {
  it('puts a note found by both above notes found by one', () => {
    const ranked = rankCandidates(
      found([
        ['near', 0.8],
        ['zebra word', 0.1],
        ['zebra both', 0.7],
      ]),
      { terms: ['zebra'] },
    );
    expect(textsOf(ranked)).toEqual(['zebra both', 'zebra word', 'near']);
    expect(ranked.map(({ foundBy }) => foundBy)).toEqual(['both', 'lexical', 'vector']);
    expect(ranked.map(({ terms }) => terms)).toEqual([['zebra'], ['zebra'], []]);
  });

  it('gives as many as are wanted, the best', () => {
    const notes = found([
      ['near', 0.8],
      ['zebra word', 0.1],
      ['zebra both', 0.7],
    ]);
    expect(textsOf(rankCandidates(notes, { terms: ['zebra'], limit: 1 }))).toEqual(['zebra both']);
  });

  it('scores between 0 and 1, falling, 1 for the same words and the same vector', () => {
    const ranked = rankCandidates(
      found(
        [
          ['zebra', 1],
          ['far', -1],
        ],
        { statistics: { ...statistics, averageLength: 1 } },
      ),
      { terms: ['zebra'] },
    );
    expect(scoreRanked(ranked, 10).map(({ score }) => score)).toEqual([1, 0]);
  });

  it('ranks by words alone without vectors', () => {
    const ranked = rankCandidates(
      found([['zebra and much more besides here'], ['zebra']], { spreads: [] }),
      { terms: ['zebra'] },
    );
    expect(textsOf(ranked)[0]).toBe('zebra');
  });

  it('does not punish a note that waits for its vector', () => {
    const ranked = rankCandidates(
      found([
        ['other', 0.5],
        ['zebra', undefined],
      ]),
      { terms: ['zebra'] },
    );
    expect(textsOf(ranked)[0]).toBe('zebra');
  });

  it('uses the older space for notes the newer one lacks', () => {
    const ranked = rankCandidates(
      found(
        [
          ['old best', undefined, 0.9],
          ['new middling', 0.3, 0.2],
        ],
        {
          statistics: { ...statistics, noteFrequency: [] },
          spreads: [
            { mean: 0.3, deviation: 0.1 },
            { mean: 0.3, deviation: 0.2 },
          ],
        },
      ),
      { terms: [] },
    );
    expect(textsOf(ranked)[0]).toBe('old best');
  });

  it('lets the newer note win a tie', () => {
    const candidates = [1, 3, 2].map((createdAt) => ({
      note: makeNote({ text: 'same', createdAt }),
      tokens: 1,
      cosines: [],
    }));
    const ranked = rankCandidates({ ...found([]), candidates }, { terms: ['same'] });
    expect(ranked.map(({ note }) => note.createdAt)).toEqual([3, 2, 1]);
  });

  it('has nothing to say about nothing', () => {
    expect(rankCandidates(found([]), { terms: ['x'] })).toEqual([]);
  });
});

describe('ranking with threads', () => {
  const talk: Parameters<typeof found>[0] = [
    ['where did the zebra go', 0.6],
    ['to the old harbour', 0.3],
    ['nothing of interest', 0.3],
    ['something else again', 0.35],
  ];
  const [question, answer, , stranger] = talk.map(([text]) => text);
  const thread = (coherence: number): Partial<Candidates> => ({
    threads: [{ notes: [question, answer], coherence }],
  });

  it('lifts the answer that follows what was asked for, and says so', () => {
    const ranked = rankCandidates(found(talk, thread(1)), { terms: ['zebra'] });
    expect(textsOf(ranked).slice(0, 2)).toEqual([question, answer]);
    expect(ranked[1]).toMatchObject({ foundBy: 'context', context: [question] });
    expect(ranked.find(({ note }) => note.text === stranger)?.context).toEqual([]);
  });

  it('leaves a note alone where neighbours have nothing to do with one another', () => {
    const ranked = rankCandidates(found(talk, thread(0)), { terms: ['zebra'] });
    expect(textsOf(ranked).slice(0, 2)).toEqual([question, stranger]);
  });

  it('is no reason where neighbours have nothing to say', () => {
    const ranked = rankCandidates(found([['far', 0.1]]), { terms: ['zebra'] });
    expect(ranked[0]).toMatchObject({ foundBy: 'vector', context: [] });
  });

  it('lets a long note speak for itself', () => {
    const long = 'a story of its own '.repeat(240);
    const ranked = rankCandidates(
      found(
        [
          ['where did the zebra go', 0.6],
          [long, 0.3],
          ['something else again', 0.35],
        ],
        {
          threads: [{ notes: ['where did the zebra go', long], coherence: 1 }],
        },
      ),
      { terms: ['zebra'] },
    );
    expect(textsOf(ranked)[1]).toBe('something else again');
  });

  it('leans more on what came before than on what comes after', () => {
    const ranked = rankCandidates(
      found(
        [
          ['before', 0.3],
          ['the zebra', 0.6],
          ['after', 0.3],
        ],
        { threads: [{ notes: ['before', 'the zebra', 'after'], coherence: 1 }] },
      ),
      { terms: ['zebra'] },
    );
    expect(textsOf(ranked)).toEqual(['the zebra', 'after', 'before']);
  });

  it('passes over the place of a note that is not there', () => {
    const ranked = rankCandidates(
      found([['the zebra', 0.6]], { threads: [{ notes: [undefined, 'the zebra'], coherence: 1 }] }),
      { terms: ['zebra'] },
    );
    expect(ranked[0]?.context).toEqual([]);
  });
});

it('ranks a note higher whose words are like those that were asked for', () => {
  const notes = found([
    ['plain', 0.3],
    ['alike', 0.3],
  ]);
  expect(textsOf(rankCandidates(notes, { terms: ['zebra'], likeness: [0, 0.8] }))).toEqual([
    'alike',
    'plain',
  ]);
});

describe('what a signal counts for', () => {
  const notes: Parameters<typeof found>[0] = [
    ['near', 0.9],
    ['zebra word', 0.4],
  ];
  const rankIn = (averageLength: number): string[] => {
    const all = found(notes, {
      statistics: { ...statistics, averageLength },
      // Without clarity the vector would win: 5.5 deviations against a shared word.
      spreads: [{ mean: 0.35, deviation: 0.1 }],
    });
    const weights = { ...WEIGHTS, words: 0.3, deviation: 0.085 };
    return textsOf(rankCandidates(all, { terms: ['zebra'], weights }));
  };

  it('a vector counts in full where notes are short', () => {
    expect(rankIn(40)[0]).toBe('near');
  });

  it('a vector counts less the longer the notes of the project are', () => {
    expect(rankIn(160)[0]).toBe('zebra word');
  });

  it('similar words count less in a long note: among many words some are always similar', () => {
    const long = 'word '.repeat(100).trim();
    const likeness = [0.8, 0.4];
    const ranked = (text: string): string[] =>
      textsOf(rankCandidates(found([[text], ['short']]), { terms: ['zebra'], likeness }));
    expect(ranked('word')[0]).toBe('word');
    expect(ranked(long)[0]).toBe('short');
  });
});

describe('ranking by a time that was named', () => {
  const at = (text: string, createdAt: number) => ({
    note: makeNote({ id: text, text, createdAt }),
    tokens: 2,
    cosines: [],
  });
  const time = { from: 100, to: 200, isDate: false, words: '' };

  it('puts a note of then before one that fits as well', () => {
    const candidates = [at('zebra late', 300), at('zebra then', 150)];
    const ranked = rankCandidates({ ...found([]), candidates }, { terms: ['zebra'], time });
    expect(textsOf(ranked)).toEqual(['zebra then', 'zebra late']);
  });

  it('never hides a better one of another time', () => {
    const candidates = [at('other then', 150), at('zebra early', 1)];
    const ranked = rankCandidates({ ...found([]), candidates }, { terms: ['zebra'], time });
    expect(textsOf(ranked)).toEqual(['zebra early', 'other then']);
  });

  it('does not ask a note of then to name the time', () => {
    const terms = ['zebra', 'may', '2023'];
    const all = found([], { statistics: { ...statistics, noteFrequency: [1, 1, 1] } });
    const [first] = rankCandidates(
      { ...all, candidates: [at('zebra then', 150)] },
      { terms, time: { ...time, words: 'May 2023' } },
    );
    expect(first?.lexical).toBeCloseTo(1, 5);
    const [other] = rankCandidates(
      { ...all, candidates: [at('zebra late', 300)] },
      { terms, time: { ...time, words: 'May 2023' } },
    );
    expect(other?.lexical).toBeLessThan(0.5);
  });

  it('still counts the time where a note names it', () => {
    const all = found([], { statistics: { ...statistics, noteFrequency: [1, 1] } });
    const candidates = [at('the may fair', 150)];
    const asked = { terms: ['zebra', 'may'], time: { ...time, words: 'in May' } };
    expect(rankCandidates({ ...all, candidates }, asked)[0]?.terms).toEqual(['may']);
  });

  it('lets a date weigh more than other words of time, and less than what a note says', () => {
    const candidates = [
      { ...at('zebra early', 1), cosines: [0.9] },
      { ...at('near', 1), cosines: [0.8] },
      { ...at('then', 150), cosines: [0.5] },
    ];
    const ask = (isDate: boolean): string[] => {
      const asked = { terms: ['zebra'], time: { ...time, isDate } };
      return textsOf(rankCandidates({ ...found([]), candidates }, asked));
    };
    expect(ask(false)).toEqual(['zebra early', 'near', 'then']);
    expect(ask(true)).toEqual(['zebra early', 'then', 'near']);
  });
});
