/** Turns texts into vectors of length one that can be compared by their dot product. */
export interface Embedder {
  readonly provider: string;
  /** Changes whenever the same text would get another vector: what is stored under another name is stale. */
  readonly model: string;
  /** Unknown until the first vector where a remote model decides it. */
  readonly dim: number | undefined;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** How well some words find their like in each text, 0 to 1; only for models that know single words. */
  likeness?(words: readonly WeighedWord[], texts: readonly string[]): Promise<number[]>;
  close(): Promise<void>;
}

/** A word of a question and how much it says. */
export interface WeighedWord {
  readonly word: string;
  readonly weight: number;
}

/** What a text is for: some models treat a question and what answers it differently. */
export interface EmbedOptions {
  readonly kind?: 'query' | 'note';
  /** How much a word of a question counts, for models that see words one by one; others ignore it. */
  readonly weigh?: (word: string) => number;
  readonly signal?: AbortSignal;
}
