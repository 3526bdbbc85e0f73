import type { GlobalValue } from '../store/note.ts';
import type { Store } from '../store/store.ts';
import { type GroupView, viewGroup } from './groups.ts';
import { type VersionView, viewVersion } from './history.ts';
import { formatInstant } from './instant.ts';
import { type NoteView, viewNote } from './notes.ts';

/** One line of an export. The last two kinds are in exports with history only. */
export type TransferRecord =
  | (NoteView & { readonly kind: 'note'; readonly versions?: readonly VersionLine[] })
  | (GroupView & { readonly kind: 'group' })
  | (Omit<GlobalValue, 'updatedAt'> & {
      readonly kind: 'value';
      readonly updatedAt: string;
      readonly revision?: number;
    })
  | {
      readonly kind: 'deleted';
      readonly id: string;
      readonly projectId: string;
      readonly versions: readonly VersionLine[];
    }
  | { readonly kind: 'erased'; readonly id: string; readonly at: string };

/** A version inside the record of its note. */
type VersionLine = Omit<VersionView, 'id'>;

/** What goes into an export. */
export interface RecordOptions {
  /** Only this project; tombstones name no project, so they are left out. */
  readonly projectId?: string | undefined;
  /** Adds versions, deleted notes, revisions of values, and tombstones. */
  readonly history?: boolean | undefined;
}

/** Groups and values first, then notes, oldest write first. */
export async function* recordsOf(
  store: Store,
  { projectId, history = false }: RecordOptions,
): AsyncIterable<TransferRecord> {
  const scope = projectId === undefined ? {} : { projectId };
  for (const group of await store.allGroups(scope)) yield { kind: 'group', ...viewGroup(group) };
  for (const { revision, ...value } of await store.allValues(scope)) {
    const line = { kind: 'value', ...value, updatedAt: formatInstant(value.updatedAt) } as const;
    yield history ? { ...line, revision } : line;
  }
  if (!history) {
    for await (const note of store.allNotes(scope)) yield { kind: 'note', ...viewNote(note) };
    return;
  }
  if (projectId === undefined) {
    for (const { id, at } of await store.listErased()) {
      yield { kind: 'erased', id, at: formatInstant(at) };
    }
  }
  for await (const kept of store.allHistories(scope)) {
    const [newest] = kept;
    if (newest === undefined) continue;
    const versions = kept.map(viewVersion).map(({ id: _, ...version }) => version);
    const { id, projectId: project } = newest.note;
    yield newest.event === 'deleted'
      ? { kind: 'deleted', id, projectId: project, versions }
      : { kind: 'note', ...viewNote(newest.note), versions };
  }
}
