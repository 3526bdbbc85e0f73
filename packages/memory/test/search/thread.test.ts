import { describe, expect, it } from 'vitest';
import { closenessOf, coherenceFrom, isConversation, threadKey } from '../../src/search/thread.ts';

describe('the thread of a note', () => {
  const note = { groupId: 'g', source: null, metadata: null };

  it.each([
    ['its conversation', { ...note, source: 's', metadata: { conversationId: 'x' } }, 'cx', true],
    ['a conversation by number', { ...note, metadata: { conversationId: 3 } }, 'c3', true],
    ['its source', { ...note, source: 'chat', metadata: { other: 1 } }, 'schat', false],
    ['its group', note, 'gg', false],
    [
      'its group where the conversation is no name',
      { ...note, metadata: { conversationId: {} } },
      'gg',
      false,
    ],
  ])('is %s', (_, fields, key, isNamed) => {
    expect(threadKey(fields)).toBe(key);
    expect(isConversation(key)).toBe(isNamed);
  });

  it('is coherent where neighbours are closer than strangers', () => {
    const strangers = new Array(50).fill(0.7);
    const talk = closenessOf({ neighbours: new Array(100).fill(0.745), strangers });
    const facts = closenessOf({ neighbours: new Array(100).fill(0.7), strangers });
    expect(talk).toBeGreaterThan(0.1);
    expect(coherenceFrom(talk)).toBeGreaterThan(0.7);
    expect(coherenceFrom(facts)).toBe(0);
    expect(coherenceFrom(1)).toBe(1);
  });

  it('is not coherent where that is hardly so', () => {
    expect(coherenceFrom(0.043)).toBe(0);
    expect(coherenceFrom(0.05)).toBeGreaterThan(0.1);
  });

  it('believes few pairs little', () => {
    const strangers = [0.5];
    expect(closenessOf({ neighbours: [1], strangers }, 0)).toBeLessThan(0.2);
    expect(closenessOf({ neighbours: [], strangers }, 0.3)).toBe(0.3);
    expect(closenessOf({ neighbours: [1], strangers: [1] }, 0.3)).toBe(0.3);
  });
});
