import { notFound, toRpcError } from '../errors.ts';
import { queryTerms } from '../search/query-terms.ts';
import { rankCandidates } from '../search/rank.ts';
import { embeddedText } from '../search/searchable.ts';
import type { Metadata, Note, NotePatch } from '../store/note.ts';
import type { NoteFilter } from '../store/store.ts';
import type { CallContext, ServiceContext } from './context.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { screenSecrets } from './secrets.ts';
import { wellFormed } from './well-formed.ts';

/** Candidates fetched from each side, however few are wanted: fusing needs more than it shows. */
const MIN_CANDIDATES = 40;

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

/** Parameters of `memory.search`. */
export interface SearchParams {
  readonly projectId: string;
  readonly query: string;
  readonly groupId?: string;
  readonly topK?: number;
  readonly tags?: readonly string[];
  readonly since?: string;
  readonly until?: string;
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

/** Parameters of `memory.list_recent`. */
export interface ListRecentParams {
  readonly projectId: string;
  readonly groupId?: string;
  readonly limit?: number;
  readonly tags?: readonly string[];
}

/** The part of an answer that says what could not be done fully. */
export interface Warning {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Notes: written durably first and embedded when it can be, found by words and vectors. */
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
  }> {
    const { canonical, embedding, now, createId } = this.#context;
    const createdAt =
      params.createdAt === undefined ? now() : parseInstant(params.createdAt, 'createdAt');
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
    const note: Note = { id: createId(), projectId, groupId: params.groupId, createdAt, ...value };
    const vector = await embedding.forNote(embeddedText(note));
    const store = await this.#context.store();
    await store.addNote(note, { vector });
    embedding.kick();
    return {
      id: note.id,
      namespace: await embedding.namespace(),
      canonicalProjectId: projectId,
      ...(redacted.length > 0 ? { redacted } : {}),
    };
  }

  async search(
    params: SearchParams,
    { signal }: CallContext = {},
  ): Promise<{
    namespace: string;
    results: readonly (NoteView & { readonly score: number })[];
    warning?: Warning;
  }> {
    const { embedding } = this.#context;
    const filter = await this.#filter(params);
    const { topK = 5 } = params;
    const query = wellFormed(params.query);
    if (topK === 0) return { namespace: await embedding.namespace(), results: [] };
    const store = await this.#context.store();
    const { vectors, failure } = await embedding.forQuery(query, signal);
    embedding.kick();
    const terms = queryTerms(query);
    const found = await store.findCandidates({
      filter,
      terms,
      vectors,
      limit: Math.max(MIN_CANDIDATES, topK * 2),
    });
    const ranked = rankCandidates(found, terms).slice(0, topK);
    // An empty answer would claim that nothing is there, when the half that might know was not asked.
    if (failure !== undefined && ranked.length === 0) {
      if ((await store.listNotes(filter, 1)).length > 0) throw failure;
    }
    return {
      namespace: await embedding.namespace(),
      results: ranked.map(({ note, score }) => ({ ...viewNote(note), score })),
      ...(failure === undefined ? {} : { warning: warningFrom(failure) }),
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

  /** A note first, then a global value. */
  async delete({ id }: { readonly id: string }): Promise<{ ok: true }> {
    const store = await this.#context.store();
    if (!(await store.deleteNote(id)) && !(await store.deleteValue(id))) throw notFound();
    return { ok: true };
  }

  async listRecent(params: ListRecentParams): Promise<{
    namespace: string;
    items: readonly (NoteView & { readonly namespace: string })[];
  }> {
    const filter = await this.#filter(params);
    const store = await this.#context.store();
    const notes = await store.listNotes(filter, params.limit ?? 10);
    const namespace = await this.#context.embedding.namespace();
    return { namespace, items: notes.map((note) => ({ ...viewNote(note), namespace })) };
  }

  async #filter(params: {
    readonly projectId: string;
    readonly groupId?: string;
    readonly tags?: readonly string[];
    readonly since?: string;
    readonly until?: string;
  }): Promise<NoteFilter> {
    const { since, until } = params;
    return {
      since: since === undefined ? undefined : parseInstant(since, 'since'),
      until: until === undefined ? undefined : parseInstant(until, 'until'),
      projectId: await this.#context.canonical(params.projectId),
      groupId: params.groupId,
      tags: params.tags?.map(wellFormed),
    };
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

function warningFrom(failure: unknown): Warning {
  const { rpcCode, message, data } = toRpcError(failure);
  return { code: rpcCode, message, ...(data === undefined ? {} : { data }) };
}
