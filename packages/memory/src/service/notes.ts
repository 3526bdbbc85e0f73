import { AnswerTooLarge } from '../answer-limit.ts';
import { answerTooLarge, notFound, revisionConflict } from '../errors.ts';
import { embeddedText } from '../search/searchable.ts';
import type { Metadata, Note, NotePatch, StoredNote } from '../store/note.ts';
import { RevisionConflict } from '../store/revision-conflict.ts';
import { assertSupersedes } from './assert-supersedes.ts';
import type { ServiceContext } from './context.ts';
import { isSaidBy, type SimilarNote, similarNotes } from './duplicates.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { noteFilter } from './note-filter.ts';
import { wellFormed } from './well-formed.ts';

/** A note as every answer carries it. */
export interface NoteView extends Omit<Note, 'createdAt'> {
  readonly createdAt: string;
}

/** A note as it is now, with the number that `ifRevision` is compared with. */
export interface StoredNoteView extends NoteView {
  readonly revision: number;
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
  /** Changes the note only at this revision. */
  readonly ifRevision?: number;
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
    const { writable, embedding, now, createId } = this.#context;
    assertSupersedes(params.metadata, 'metadata');
    const createdAt =
      params.createdAt === undefined ? undefined : parseInstant(params.createdAt, 'createdAt');
    const screen = await this.#context.screen();
    screen.identifier('groupId', params.groupId);
    const tags = screen.tags(params.tags ?? []);
    const { value, redacted } = screen.content({
      title: params.title || null,
      text: params.text,
      source: params.source || null,
      metadata: params.metadata ?? null,
    });
    const projectId = await writable(params.projectId);
    const note: Note = {
      ...{ id: createId(), projectId, groupId: params.groupId, createdAt: createdAt ?? now() },
      ...value,
      tags,
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

  async get({ id }: { readonly id: string }): Promise<StoredNoteView & { namespace: string }> {
    const note = await (await this.#context.store()).getNote(wellFormed(id));
    if (note === undefined) throw notFound('Note');
    return { ...viewStored(note), namespace: await this.#context.embedding.namespace() };
  }

  async update({
    id,
    patch = {},
    ifRevision,
  }: UpdateParams): Promise<{ ok: true; revision?: number; redacted?: readonly string[] }> {
    const { embedding } = this.#context;
    assertSupersedes(patch.metadata, 'patch.metadata');
    const screen = await this.#context.screen();
    const { tags, groupId, ...content } = toNotePatch(patch);
    screen.identifier('groupId', groupId, 'patch.groupId');
    const { value: clean, redacted } = screen.content(content, { path: 'patch' });
    const value: NotePatch = {
      ...clean,
      ...(tags === undefined ? {} : { tags: screen.tags(tags, 'patch.tags') }),
      ...(groupId === undefined ? {} : { groupId }),
    };
    const store = await this.#context.store();
    const before = await store.getNote(id);
    if (before === undefined) throw notFound('Note');
    const text = embeddedText({ ...before, ...value });
    const made = text === embeddedText(before) ? undefined : await embedding.forNote(text);
    const vector = made && { ...made, text };
    const updated = await store
      .updateNote(id, value, { vector, ifRevision })
      .catch((error: unknown) => {
        if (!(error instanceof RevisionConflict)) throw error;
        throw revisionConflict(ifRevision, viewStored(error.current));
      });
    if (updated === undefined) throw notFound('Note');
    embedding.kick();
    return {
      ok: true,
      ...(ifRevision === undefined ? {} : { revision: updated.revision }),
      ...(redacted.length > 0 ? { redacted } : {}),
    };
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
    items: readonly (StoredNoteView & { readonly namespace: string })[];
  }> {
    const filter = await noteFilter(params, this.#context);
    const store = await this.#context.store();
    const { limit = 10 } = params;
    const notes = await store.listNotes(filter, limit).catch((error: unknown) => {
      throw error instanceof AnswerTooLarge ? answerTooLarge('limit', limit, error.bytes) : error;
    });
    const namespace = await this.#context.embedding.namespace();
    return { namespace, items: notes.map((note) => ({ ...viewStored(note), namespace })) };
  }
}

/** A note with its time as text. */
export function viewNote({ createdAt, ...note }: Note): NoteView {
  return { ...note, createdAt: formatInstant(createdAt) };
}

/** A stored note with its time as text. */
function viewStored({ createdAt, ...note }: StoredNote): StoredNoteView {
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
