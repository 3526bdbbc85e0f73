import { invalidParams, notFound } from '../errors.ts';
import { embeddedText } from '../search/searchable.ts';
import type { NoteEvent, NoteVersion } from '../store/note.ts';
import type { ServiceContext } from './context.ts';
import { formatInstant } from './instant.ts';
import { type NoteView, viewNote } from './notes.ts';

/** A version of a note as answers carry it. */
export interface VersionView extends NoteView {
  readonly version: number;
  readonly event: NoteEvent;
  readonly at: string;
}

/** What notes were before, and the way back. */
export class HistoryService {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  /** Newest first. */
  async list({ id }: { readonly id: string }): Promise<{
    namespace: string;
    versions: readonly VersionView[];
    omitted?: number;
  }> {
    const { first, omitted } = await (await this.#context.store()).listVersions(id);
    if (first.length === 0) throw notFound('Note');
    return {
      namespace: await this.#context.embedding.namespace(),
      versions: first.map(viewVersion),
      ...(omitted > 0 ? { omitted } : {}),
    };
  }

  /** Brings a deleted note back, or an earlier version, and has it embedded anew. */
  async restore({
    id,
    version,
  }: {
    readonly id: string;
    readonly version?: number;
  }): Promise<{ ok: true; version: number }> {
    const { embedding } = this.#context;
    const wanted = chosen(await this.#versions(id), version);
    const text = embeddedText(wanted.note);
    const made = await embedding.forNote(text);
    const store = await this.#context.store();
    const restored = await store.restoreNote(id, wanted.version, {
      vector: made && { ...made, text },
    });
    if (restored === undefined) throw notFound('Version');
    embedding.kick();
    return { ok: true, version: restored };
  }

  async #versions(id: string): Promise<readonly NoteVersion[]> {
    const versions = await (await this.#context.store()).noteHistory(id);
    if (versions.length === 0) throw notFound('Note');
    return versions;
  }
}

/** A version with its times as text. */
export function viewVersion({ version, event, at, note }: NoteVersion): VersionView {
  return { version, event, at: formatInstant(at), ...viewNote(note) };
}

function chosen(versions: readonly NoteVersion[], version: number | undefined): NoteVersion {
  const [newest] = versions;
  if (version === undefined && newest?.event !== 'deleted') {
    throw invalidParams('version is required for a note that is not deleted', 'version');
  }
  const wanted = versions.find((each) => each.version === (version ?? newest?.version));
  if (wanted === undefined) throw notFound('Version');
  return wanted;
}
