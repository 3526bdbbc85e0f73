import { describe, expect, it } from 'vitest';
import type { Embedder, EmbedOptions, WeighedWord } from '../../src/embed/embedder.ts';
import { embedderSettings, FakeModel, makeMemory } from './fake-memory.ts';

/** A model that knows single words, and keeps what it was told about them. */
class WordModel extends FakeModel implements Embedder {
  readonly weights: number[] = [];
  readonly compared: (readonly WeighedWord[])[] = [];

  override async embed(texts: readonly string[], options: EmbedOptions = {}) {
    const { weigh } = options;
    if (weigh !== undefined) this.weights.push(weigh('deploy'), weigh('zebra'));
    return super.embed(texts, options);
  }

  async likeness(words: readonly WeighedWord[], texts: readonly string[]): Promise<number[]> {
    this.compared.push(words);
    return texts.map(() => 0);
  }
}

describe('a search with a model that knows single words', () => {
  it('tells the model how rare each word of the query is in the project', async () => {
    const model = new WordModel(embedderSettings);
    const { call, memory } = makeMemory({ openEmbedder: async () => model });
    for (const [i, animal] of ['ant', 'bee', 'cat', 'dog', 'zebra'].entries()) {
      const text = `deploy ${animal} ${i}`;
      await call('add_note', { projectId: 'p', groupId: 'g', text });
    }
    await call('search', { projectId: 'p', query: 'deploy zebra' });
    await memory.close();
    const [common = 0, rare = 0] = model.weights;
    expect(rare).toBeGreaterThan(common * 2);
    const [words = []] = model.compared;
    expect(words.map(({ word }) => word)).toEqual(['deploy', 'zebra']);
    expect(words[1]?.weight).toBeGreaterThan((words[0]?.weight ?? 0) * 4);
  });
});
