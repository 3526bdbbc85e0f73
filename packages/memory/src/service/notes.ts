import { notFound } from '../errors.ts';
import { embeddedText } from '../search/searchable.ts';
import type { Metadata, Note, NotePatch } from '../store/note.ts';
import { assertSupersedes } from './assert-supersedes.ts';
import type { ServiceContext } from './context.ts';
import { isSaidBy, type SimilarNote, similarNotes } from './duplicates.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { noteFilter } from './note-filter.ts';
import { screenSecrets } from './secrets.ts';
import { wellFormed } from './well-formed.ts';

/** A note as every answer carries it. */
export interface NoteView extends Omit<Note, 'createdAt'> {
  readonly createdAt: string;
}

/** Parameters of `memory.add_note`. */
export interface AddNoteParams {
  readonly projectId: string;
  readonly groupId: string;
  readonly text: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly source?: string;
  readonly createdAt?: string;
  readonly metadata?: Metadata;
}

/** Parameters of `memory.update`; in the patch null clears and absence leaves alone. */
export interface UpdateParams {
  readonly id: string;
  readonly patch?: {
    readonly title?: string | null;
    readonly text?: string;
    readonly tags?: readonly string[] | null;
    readonly source?: string | null;
    readonly groupId?: string;
    readonly metadata?: Metadata | null;
  };
}

/** Parameters of `memory.delete`. */
export interface DeleteParams {
  readonly id: string;
  /** Erases the note with its history, for good. */
  readonly hard?: boolean;
}

/** Parameters of `memory.list_recent`. */
export interface ListRecentParams {
  readonly projectId: string;
  readonly groupId?: string;
  readonly limit?: number;
  readonly tags?: readonly string[];
}

/** Notes: written durably first and embedded when it can be, listed by time. */
export class NoteService {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async add(params: AddNoteParams): Promise<{
    id: string;
    namespace: string;
    canonicalProjectId: string;
    redacted?: readonly string[];
    duplicate?: true;
    similar?: readonly SimilarNote[];
  }> {
    const { canonical, embedding, now, createId } = this.#context;
    assertSupersedes(params.metadata, 'metadata');
    const createdAt =
      params.createdAt === undefined ? undefined : parseInstant(params.createdAt, 'createdAt');
    const { value, redacted } = screenSecrets(
      {
        title: params.title || null,
        text: params.text,
        tags: [...(params.tags ?? [])],
        source: params.source || null,
        metadata: params.metadata ?? null,
      },
      this.#context.secrets(),
    );
    const projectId = await canonical(params.projectId);
    const note: Note = {
      ...{ id: createId(), projectId, groupId: params.groupId, createdAt: createdAt ?? now() },
      ...value,
    };
    const vector = await embedding.forNote(embeddedText(note));
    const store = await this.#context.store();
    const isDuplicate = (held: Note): boolean => isSaidBy(held, { ...value, createdAt });
    const { id, isNew } = await store.addNote(note, { vector, isDuplicate });
    const similar = isNew ? similarNotes(await store.findLookalikes(note, vector)) : [];
    embedding.kick();
    return {
      id,
      namespace: await embedding.namespace(),
      canonicalProjectId: projectId,
      ...(redacted.length > 0 ? { redacted } : {}),
      ...(isNew ? {} : { duplicate: true }),
      ...(similar.length > 0 ? { similar } : {}),
    };
  }

  async get({ id }: { readonly id: string }): Promise<NoteView & { namespace: string }> {
    const note = await (await this.#context.store()).getNote(wellFormed(id));
    if (note === undefined) throw notFound('Note');
    return { ...viewNote(note), namespace: await this.#context.embedding.namespace() };
  }

  async update({
    id,
    patch = {},
  }: UpdateParams): Promise<{ ok: true; redacted?: readonly string[] }> {
    const { embedding } = this.#context;
    assertSupersedes(patch.metadata, 'patch.metadata');
    const { value, redacted } = screenSecrets(toNotePatch(patch), this.#context.secrets(), 'patch');
    const store = await this.#context.store();
    const before = await store.getNote(id);
    if (before === undefined) throw notFound('Note');
    const text = embeddedText({ ...before, ...value });
    const vector = text === embeddedText(before) ? undefined : await embedding.forNote(text);
    const updated = await store.updateNote(id, value, { vector });
    if (updated === undefined) throw notFound('Note');
    embedding.kick();
    return { ok: true, ...(redacted.length > 0 ? { redacted } : {}) };
  }

  /** A note first, then a global value. A note can be restored, unless the deletion is a hard one. */
  async delete({ id, hard = false }: DeleteParams): Promise<{ ok: true }> {
    const store = await this.#context.store();
    const isDone = hard
      ? await store.erase(id)
      : (await store.deleteNote(id)) || (await store.deleteValue(id));
    if (!isDone) throw notFound();
    return { ok: true };
  }

  async listRecent(params: ListRecentParams): Promise<{
    namespace: string;
    items: readonly (NoteView & { readonly namespace: string })[];
  }> {
    const filter = await noteFilter(params, this.#context);
    const store = await this.#context.store();
    const notes = await store.listNotes(filter, params.limit ?? 10);
    const namespace = await this.#context.embedding.namespace();
    return { namespace, items: notes.map((note) => ({ ...viewNote(note), namespace })) };
  }
}

/** A note with its time as text. */
export function viewNote({ createdAt, ...note }: Note): NoteView {
  return { ...note, createdAt: formatInstant(createdAt) };
}

/** Null and, for title and source, the empty text clear; only keys that were given are in the patch. */
function toNotePatch(patch: NonNullable<UpdateParams['patch']>): NotePatch {
  const { title, text, tags, source, groupId, metadata } = patch;
  return {
    ...(title === undefined ? {} : { title: title || null }),
    ...(text === undefined ? {} : { text }),
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
    ...(source === undefined ? {} : { source: source || null }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
