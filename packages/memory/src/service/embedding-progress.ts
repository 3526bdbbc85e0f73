/** Vectors made, and notes that wait for one; told after every batch. */
export interface EmbeddingProgress {
  readonly done: number;
  readonly pending: number;
}

/** Below this many waiting notes the space counts as filled: they are today's notes, not a new model's. */
export const FEW_PENDING = 100;
