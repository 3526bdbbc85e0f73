import type { StoredNote, StoredValue } from './note.ts';

/** Thrown by a write that was to happen only at a revision that is no longer, or not yet, the one stored. */
export class RevisionConflict<T extends StoredNote | StoredValue> extends Error {
  override readonly name: string = 'RevisionConflict';
  /** What is stored; `undefined` where nothing is. */
  readonly current: T | undefined;

  constructor(current: T | undefined) {
    super('the revision has changed');
    this.current = current;
  }
}
