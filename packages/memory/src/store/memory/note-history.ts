import { type Note, type NoteEvent, type NoteVersion, VERSIONS_KEPT } from '../note.ts';

/** Every version of every note, the newest of a note that is there being the note itself. */
export class NoteHistory {
  /** Newest first. */
  readonly #versions: Map<string, readonly NoteVersion[]> = new Map();

  /** Keeps a note as it is after a change; returns the version's number. */
  record(note: Note, event: NoteEvent, at: number): number {
    const before = this.of(note.id);
    const version = (before[0]?.version ?? 0) + 1;
    const newest = { version, event, at, note: structuredClone(note) };
    this.#versions.set(note.id, [newest, ...before].slice(0, VERSIONS_KEPT));
    return version;
  }

  of(id: string): readonly NoteVersion[] {
    return this.#versions.get(id) ?? [];
  }

  erase(id: string): boolean {
    return this.#versions.delete(id);
  }
}
