import { describe, expect, it } from 'vitest';
import { rankCandidates } from '../../src/search/rank.ts';
import { makeNote } from '../store/store-contract.ts';

const statistics = { noteCount: 10, averageLength: 2, noteFrequency: [1] };
const ranges = [{ min: 0, max: 0.8 }];

describe('ranking', () => {
  it('puts a note found by both above notes found by one', () => {
    const ranked = rankCandidates(
      {
        candidates: [
          { note: makeNote({ text: 'near' }), cosines: [0.8] },
          { note: makeNote({ text: 'zebra word' }), cosines: [0.1] },
          { note: makeNote({ text: 'zebra both' }), cosines: [0.7] },
        ],
        statistics,
        ranges,
      },
      ['zebra'],
    );
    expect(ranked.map(({ note }) => note.text)).toEqual(['zebra both', 'zebra word', 'near']);
  });

  it('scores between 0 and 1, falling, 1 for the same words and the same vector', () => {
    const ranked = rankCandidates(
      {
        candidates: [
          { note: makeNote({ text: 'zebra' }), cosines: [1] },
          { note: makeNote({ text: 'far' }), cosines: [-1] },
        ],
        statistics: { ...statistics, averageLength: 1 },
        ranges: [{ min: -1, max: 1 }],
      },
      ['zebra'],
    );
    expect(ranked.map(({ score }) => score)).toEqual([1, 0]);
  });

  it('ranks by words alone without vectors', () => {
    const ranked = rankCandidates(
      {
        candidates: [
          { note: makeNote({ text: 'zebra and much more besides here' }), cosines: [] },
          { note: makeNote({ text: 'zebra' }), cosines: [] },
        ],
        statistics,
        ranges: [],
      },
      ['zebra'],
    );
    expect(ranked.map(({ note }) => note.text)[0]).toBe('zebra');
  });

  it('does not punish a note that waits for its vector', () => {
    const ranked = rankCandidates(
      {
        candidates: [
          { note: makeNote({ text: 'other' }), cosines: [0.5] },
          { note: makeNote({ text: 'zebra' }), cosines: [undefined] },
        ],
        statistics,
        ranges,
      },
      ['zebra'],
    );
    expect(ranked[0]?.note.text).toBe('zebra');
  });

  it('uses the older space for notes the newer one lacks', () => {
    const ranked = rankCandidates(
      {
        candidates: [
          { note: makeNote({ text: 'old best' }), cosines: [undefined, 0.9] },
          { note: makeNote({ text: 'new middling' }), cosines: [0.3, 0.2] },
        ],
        statistics: { ...statistics, noteFrequency: [] },
        ranges: [
          { min: 0, max: 0.6 },
          { min: 0, max: 0.9 },
        ],
      },
      [],
    );
    expect(ranked[0]?.note.text).toBe('old best');
  });

  it('lets the newer note win a tie', () => {
    const candidates = [1, 3, 2].map((createdAt) => ({
      note: makeNote({ text: 'same', createdAt }),
      cosines: [],
    }));
    const ranked = rankCandidates({ candidates, statistics, ranges: [] }, ['same']);
    expect(ranked.map(({ note }) => note.createdAt)).toEqual([3, 2, 1]);
  });

  it('has nothing to say about nothing', () => {
    expect(rankCandidates({ candidates: [], statistics, ranges: [] }, ['x'])).toEqual([]);
  });
});
