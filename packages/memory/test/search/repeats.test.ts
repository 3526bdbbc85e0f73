import { describe, expect, it } from 'vitest';
import { WEIGHTS } from '../../src/search/rank.ts';
import { demoteRepeats } from '../../src/search/repeats.ts';
import { makeNote } from '../store/store-contract.ts';

const ranked = (...notes: readonly [text: string, rank: number, talk?: number][]) =>
  notes.map(([text, rank, talk = 1]) => ({ note: makeNote({ id: text, text }), rank, talk }));
const order = (notes: ReturnType<typeof ranked>): string[] =>
  demoteRepeats(notes, WEIGHTS.repeated).map(({ note }) => note.text);

describe('notes of a talk that repeat one above them', () => {
  const said = 'Maria adopted a puppy from the shelter';
  const again = 'Maria adopted a puppy';
  const other = 'Maria joined a gym downtown';

  it('come after those that say something new', () => {
    expect(order(ranked([said, 0.9], [again, 0.8], [other, 0.7]))).toEqual([said, other, again]);
  });

  it('stay where they are when they are far better', () => {
    expect(order(ranked([said, 0.9], [again, 0.8], [other, 0.3]))).toEqual([said, again, other]);
  });

  it('keep their place where notes are no talk', () => {
    const notes = ranked([said, 0.9, 0], [again, 0.8, 0], [other, 0.7, 0]);
    expect(order(notes)).toEqual([said, again, other]);
  });

  it('are compared with notes of the talk alone', () => {
    expect(order(ranked([said, 0.9, 0], [again, 0.8], [other, 0.7]))).toEqual([said, again, other]);
  });

  it('keep ranks falling, also beyond what is looked at', () => {
    const many = Array.from({ length: 30 }, (_, i): [string, number] => [
      i % 2 === 0 ? `${said} ${i}` : `${other} ${i}`,
      1 - i / 100,
    ]);
    const ranks = demoteRepeats(ranked(...many), WEIGHTS.repeated).map(({ rank }) => rank);
    expect(ranks).toHaveLength(30);
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
  });

  it('leave ties in their order', () => {
    expect(order(ranked(['one thing', 0.5], ['another matter', 0.5]))).toEqual([
      'one thing',
      'another matter',
    ]);
  });
});
