import { invalidParams } from '../errors.ts';
import type { Store } from '../store/store.ts';

/** The part of an export's record that says what it is and where it goes. */
export interface RenamedRecord {
  readonly kind?: unknown;
  readonly id?: unknown;
  readonly key?: unknown;
  /** The project that the record was renamed to. */
  readonly projectId: string;
}

/**
 * Refuses a renamed record that this store has under its former project. An import leaves notes that it has where
 * they are and copies the rest, which would split the project in two.
 */
export async function assertElsewhere(
  store: Store,
  record: RenamedRecord,
  formerProject: string,
): Promise<void> {
  const { projectId } = record;
  if (typeof record.id !== 'string' || formerProject === projectId) return;
  const id = record.id.toLowerCase();
  const held = await findHeld(store, { ...record, id }, formerProject);
  if (held?.id !== id || held.projectId === projectId) return;
  throw invalidParams(
    `expected a record of another store, but \`${id}\` is in project \`${held.projectId}\` of this one, and \`--map\` moves nothing within a store: import into another store (\`TINCAN_STORE_PATH\`), or leave out \`--map\``,
    'id',
  );
}

function findHeld(
  store: Store,
  { kind, id, key }: RenamedRecord & { readonly id: string },
  formerProject: string,
): Promise<{ readonly id: string; readonly projectId: string } | undefined> {
  if (kind === 'value') return store.getValue(formerProject, String(key));
  return kind === 'group' ? store.getGroup(id) : store.getNote(id);
}
