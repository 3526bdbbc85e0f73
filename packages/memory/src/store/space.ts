/** What makes vectors comparable with each other. */
export interface SpaceName {
  readonly provider: string;
  readonly model: string;
  readonly dim: number;
}

/** A vector space the store holds vectors of. */
export interface Space extends SpaceName {
  readonly id: number;
  /** Where the model was reached, for questions asked while its vectors still serve. */
  readonly baseUrl: string | null;
}

/** How far a space is filled. */
export interface SpaceProgress {
  readonly space: Space;
  readonly vectors: number;
  /** Notes whose vector is missing or older than their text. */
  readonly pending: number;
}

/** A note waiting for its vector. */
export interface PendingNote {
  readonly id: string;
  /** Grows with each change of the embedded text: a vector of an older one is not taken. */
  readonly revision: number;
  readonly title: string | null;
  readonly text: string;
}

/** A vector for one revision of a note. An id that was erased can come back with another text of that revision. */
export interface NoteVector {
  readonly id: string;
  readonly revision: number;
  /** The embedded text that the vector was made from. */
  readonly text: string;
  readonly vector: Float32Array;
}

/** `provider:model:dim`, as every answer carries it. */
export function namespaceOf({ provider, model, dim }: SpaceName): string {
  return `${provider}:${model}:${dim}`;
}
