import { isDeepStrictEqual } from 'node:util';
import type { TermCounts } from '../../search/bm25.ts';
import { comparedWords, overlapOf } from '../../search/overlap.ts';
import { embeddedText, searchableNote } from '../../search/searchable.ts';
import {
  closenessOf,
  coherenceFrom,
  isConversation,
  THREAD_GAP_MS,
  THREAD_REACH,
  threadKey,
} from '../../search/thread.ts';
import type { CosineSpread } from '../../search/vector-index.ts';
import { dot } from '../../vectors.ts';
import {
  changeableFields,
  type GlobalValue,
  type Group,
  type GroupPatch,
  type Note,
  type NoteEvent,
  type NotePatch,
  type NoteVersion,
} from '../note.ts';
import { foldText } from '../same-text.ts';
import type { NoteVector, PendingNote, Space, SpaceName, SpaceProgress } from '../space.ts';
import type {
  AddedNote,
  AddOptions,
  Candidate,
  CandidateRequest,
  Candidates,
  ClaimOptions,
  Lookalike,
  NoteFilter,
  SpaceVector,
  Store,
  StoreStatus,
  Thread,
  WriteOptions,
} from '../store.ts';
import { supersededBy } from '../supersedes.ts';
import { NoteHistory } from './note-history.ts';

interface Held {
  readonly seq: number;
  note: Note;
  revision: number;
}

interface HeldSpace {
  space: Space;
  readonly vectors: Map<string, Float32Array>;
  /** Id of each waiting note and until when somebody works on it. */
  readonly pending: Map<string, number>;
}

/** A store that lives as long as its process: the plainest reading of the contract, for tests. */
export class MemoryStore implements Store {
  readonly #now: () => number;
  readonly #notes: Map<string, Held> = new Map();
  readonly #history: NoteHistory = new NoteHistory();
  readonly #groups: Map<string, Group> = new Map();
  readonly #values: Map<string, GlobalValue> = new Map();
  /** Newest first. */
  #spaces: HeldSpace[] = [];
  #written = 0;
  #spacesMade = 0;

  constructor({ now = Date.now }: { readonly now?: () => number } = {}) {
    this.#now = now;
  }

  async addNote(note: Note, { isDuplicate, ...options }: AddOptions = {}): Promise<AddedNote> {
    const twin = isDuplicate && this.#findDuplicate(note, isDuplicate);
    if (twin !== undefined) return { id: twin.id, isNew: false };
    if (this.#notes.has(note.id)) return { id: note.id, isNew: false };
    this.#insert(note, options);
    return { id: note.id, isNew: true };
  }

  async getNote(id: string): Promise<Note | undefined> {
    return structuredClone(this.#notes.get(id)?.note);
  }

  async updateNote(
    id: string,
    patch: NotePatch,
    options: WriteOptions = {},
  ): Promise<Note | undefined> {
    this.#change(id, { patch, event: 'updated' }, options);
    return this.getNote(id);
  }

  async deleteNote(id: string): Promise<boolean> {
    const held = this.#notes.get(id);
    if (held === undefined) return false;
    this.#history.record(held.note, 'deleted', this.#now());
    this.#forget(id);
    return true;
  }

  async noteHistory(id: string): Promise<NoteVersion[]> {
    return structuredClone([...this.#history.of(id)]);
  }

  async restoreNote(
    id: string,
    version: number,
    options: WriteOptions = {},
  ): Promise<number | undefined> {
    const wanted = this.#history.of(id).find((each) => each.version === version);
    if (wanted === undefined) return undefined;
    const patch = changeableFields(wanted.note);
    if (this.#notes.has(id)) this.#change(id, { patch, event: 'restored' }, options);
    else this.#insert(wanted.note, options);
    return this.#history.of(id)[0]?.version;
  }

  async erase(id: string): Promise<boolean> {
    this.#forget(id);
    return this.#history.erase(id) || this.#values.delete(id);
  }

  async listNotes(filter: NoteFilter, limit: number): Promise<Note[]> {
    return this.#matching(filter)
      .sort((a, b) => b.note.createdAt - a.note.createdAt || b.seq - a.seq)
      .slice(0, limit)
      .map(({ note }) => structuredClone(note));
  }

  async *allNotes({ projectId }: { readonly projectId?: string } = {}): AsyncIterable<Note> {
    for (const { note } of [...this.#notes.values()]) {
      if (projectId === undefined || note.projectId === projectId) yield structuredClone(note);
    }
  }

  async listProjects(): Promise<string[]> {
    const held = [...this.#groups.values(), ...this.#values.values()];
    const notes = [...this.#notes.values()].map(({ note }) => note);
    return [...new Set([...notes, ...held].map(({ projectId }) => projectId))];
  }

  async findCandidates({
    filter,
    terms,
    vectors,
    limit,
    withThreads = false,
    time,
  }: CandidateRequest): Promise<Candidates> {
    const project = [...this.#notes.values()]
      .filter(({ note }) => note.projectId === filter.projectId)
      .map(({ note }) => ({ note, words: wordsOf(note) }));
    const cosinesOf = (note: Note): (number | undefined)[] =>
      vectors.map(({ spaceId, vector }) => {
        const stored = this.#space(spaceId)?.vectors.get(note.id);
        return stored === undefined ? undefined : dot(vector, stored);
      });
    const matching: Candidate[] = this.#shown(filter).map(({ note }) => ({
      note: structuredClone(note),
      tokens: searchableNote(note).length,
      cosines: cosinesOf(note),
    }));
    const wanted = new Set<Candidate>();
    const shared = ({ note }: Candidate): number =>
      terms.filter((term) => wordsOf(note).has(term)).length;
    const then = matching.filter(
      ({ note: { createdAt } }) =>
        time !== undefined && time.from <= createdAt && createdAt < time.to,
    );
    for (const { some, most } of [
      { some: matching, most: limit },
      { some: then, most: Math.ceil(limit / 2) },
    ]) {
      for (const candidate of some
        .filter((each) => shared(each) > 0)
        .sort((a, b) => shared(b) - shared(a))
        .slice(0, most)) {
        wanted.add(candidate);
      }
      for (const index of vectors.keys()) {
        for (const candidate of some
          .filter(({ cosines }) => cosines[index] !== undefined)
          .sort((a, b) => (b.cosines[index] ?? 0) - (a.cosines[index] ?? 0))
          .slice(0, most)) {
          wanted.add(candidate);
        }
      }
    }
    const lengths = project.map(({ note }) => searchableNote(note).length);
    const threads = withThreads ? this.#threadsAround([...wanted], vectors[0]?.spaceId) : [];
    const known = new Map([...wanted].map((candidate) => [candidate.note.id, candidate]));
    for (const id of threads.flatMap(({ notes }) => notes)) {
      const neighbour = matching.find(({ note }) => note.id === id);
      if (neighbour !== undefined && !known.has(neighbour.note.id)) wanted.add(neighbour);
    }
    return {
      candidates: [...wanted],
      statistics: {
        noteCount: project.length,
        averageLength: lengths.reduce((sum, n) => sum + n, 0) / Math.max(1, lengths.length),
        noteFrequency: terms.map((term) => project.filter(({ words }) => words.has(term)).length),
      },
      projectNotes: project.length,
      spreads: vectors.map((_, index) =>
        spreadOf(project.flatMap(({ note }) => cosinesOf(note)[index] ?? [])),
      ),
      threads,
    };
  }

  async countTerms(terms: readonly string[], projectId: string): Promise<TermCounts> {
    const project = [...this.#notes.values()]
      .filter(({ note }) => note.projectId === projectId)
      .map(({ note }) => wordsOf(note));
    return {
      noteCount: project.length,
      noteFrequency: terms.map((term) => project.filter((words) => words.has(term)).length),
    };
  }

  async findLookalikes(note: Note, vector?: SpaceVector): Promise<Lookalike[]> {
    const words = comparedWords(searchableNote(note));
    return this.#shown({ projectId: note.projectId })
      .filter((held) => held.note.id !== note.id)
      .map(({ note: { id, ...other } }) => {
        const stored = vector && this.#space(vector.spaceId)?.vectors.get(id);
        const overlap = overlapOf(words, comparedWords(searchableNote(other)));
        return { id, overlap, cosine: stored && dot(vector.vector, stored) };
      })
      .filter(({ overlap }) => overlap > 0);
  }

  async addGroup(group: Group): Promise<boolean> {
    for (const { projectId, groupKey } of this.#groups.values()) {
      if (projectId === group.projectId && groupKey === group.groupKey) return false;
    }
    this.#groups.set(group.id, group);
    return true;
  }

  async getGroup(id: string): Promise<Group | undefined> {
    return this.#groups.get(id);
  }

  async updateGroup(id: string, patch: GroupPatch, updatedAt: number): Promise<boolean> {
    const group = this.#groups.get(id);
    if (group === undefined) return false;
    this.#groups.set(id, { ...group, ...patch, updatedAt });
    return true;
  }

  async deleteGroup(id: string): Promise<boolean> {
    return this.#groups.delete(id);
  }

  async listGroups(projectId: string): Promise<Group[]> {
    return this.allGroups({ projectId });
  }

  async allGroups({ projectId }: { readonly projectId?: string } = {}): Promise<Group[]> {
    return [...this.#groups.values()]
      .filter((group) => projectId === undefined || group.projectId === projectId)
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  async putValue(value: GlobalValue): Promise<string> {
    const id = (await this.getValue(value.projectId, value.key))?.id ?? value.id;
    this.#values.set(id, structuredClone({ ...value, id }));
    return id;
  }

  async getValue(projectId: string, key: string): Promise<GlobalValue | undefined> {
    for (const value of this.#values.values()) {
      if (value.projectId === projectId && value.key === key) return structuredClone(value);
    }
    return undefined;
  }

  async deleteValue(id: string): Promise<boolean> {
    return this.#values.delete(id);
  }

  async allValues({ projectId }: { readonly projectId?: string } = {}): Promise<GlobalValue[]> {
    return [...this.#values.values()]
      .filter((value) => projectId === undefined || value.projectId === projectId)
      .sort((a, b) => compare(a.projectId, b.projectId) || compare(a.key, b.key))
      .map((value) => structuredClone(value));
  }

  async openSpace(name: SpaceName & { readonly baseUrl: string | null }): Promise<Space> {
    const { provider, model, dim, baseUrl } = name;
    const known = this.#spaces.find(
      ({ space }) => space.provider === provider && space.model === model && space.dim === dim,
    );
    if (known === undefined) this.#spacesMade += 1;
    const held = known ?? {
      space: { id: this.#spacesMade, ...name },
      vectors: new Map(),
      pending: new Map([...this.#notes.keys()].map((id) => [id, 0])),
    };
    held.space = { ...held.space, baseUrl };
    this.#spaces = [held, ...this.#spaces.filter((other) => other !== held)].slice(0, 2);
    return held.space;
  }

  async listSpaces(): Promise<SpaceProgress[]> {
    return this.#spaces.map(({ space, vectors, pending }) => ({
      space,
      vectors: vectors.size,
      pending: pending.size,
    }));
  }

  async claimPending(spaceId: number, { limit, claimMs }: ClaimOptions): Promise<PendingNote[]> {
    const now = this.#now();
    const pending = this.#space(spaceId)?.pending ?? new Map<string, number>();
    const free = [...pending].filter(([, until]) => until <= now).slice(0, limit);
    return free.flatMap(([id]) => {
      pending.set(id, now + claimMs);
      const held = this.#notes.get(id);
      if (held === undefined) return [];
      const { note, revision } = held;
      return [{ id, revision, title: note.title, text: note.text }];
    });
  }

  async countPending(spaceId: number): Promise<number> {
    return this.#space(spaceId)?.pending.size ?? 0;
  }

  async putVectors(spaceId: number, vectors: readonly NoteVector[]): Promise<number> {
    const space = this.#space(spaceId);
    let taken = 0;
    for (const { id, revision, vector } of vectors) {
      if (space === undefined || this.#notes.get(id)?.revision !== revision) continue;
      space.vectors.set(id, vector);
      space.pending.delete(id);
      taken += 1;
    }
    return taken;
  }

  async resetSpace(spaceId: number): Promise<void> {
    const pending = this.#space(spaceId)?.pending;
    for (const id of this.#notes.keys()) pending?.set(id, 0);
  }

  async status(): Promise<StoreStatus> {
    const projects = new Set([...this.#notes.values()].map(({ note }) => note.projectId));
    return {
      notes: this.#notes.size,
      projects: projects.size,
      bytes: 0,
      spaces: await this.listSpaces(),
    };
  }

  async check(): Promise<string[]> {
    return [];
  }

  async close(): Promise<void> {}

  #threadsAround(candidates: readonly Candidate[], spaceId: number | undefined): Thread[] {
    return candidates.flatMap(({ note }) => {
      const thread = this.#threadOf(note);
      const at = thread.findIndex(({ id }) => id === note.id);
      const notes = thread.slice(Math.max(0, at - THREAD_REACH), at + THREAD_REACH + 1);
      const coherence = isConversation(threadKey(note)) ? 1 : this.#coherence(thread, spaceId);
      return coherence === 0 || notes.length === 1
        ? []
        : [{ notes: notes.map(({ id }) => id), coherence }];
    });
  }

  /** The notes of a thread in order, as far as no gap in time divides them from `note`. */
  #threadOf(note: Note): Note[] {
    const all = this.#matching({ projectId: note.projectId })
      .filter((held) => threadKey(held.note) === threadKey(note))
      .sort((a, b) => a.note.createdAt - b.note.createdAt || a.seq - b.seq)
      .map((held) => held.note);
    const isApart = (i: number): boolean =>
      (all[i]?.createdAt ?? Infinity) - (all[i - 1]?.createdAt ?? -Infinity) > THREAD_GAP_MS;
    let start = all.findIndex(({ id }) => id === note.id);
    let end = start + 1;
    while (!isApart(start)) start -= 1;
    while (!isApart(end)) end += 1;
    return all.slice(start, end);
  }

  #coherence(thread: readonly Note[], spaceId: number | undefined): number {
    const vectors = spaceId === undefined ? undefined : this.#space(spaceId)?.vectors;
    const cosine = (one: string, other: string | undefined): number[] => {
      const [a, b] = [vectors?.get(one), vectors?.get(other ?? '')];
      return a === undefined || b === undefined ? [] : [dot(a, b)];
    };
    const ids = [...this.#notes.keys()];
    const half = Math.ceil(ids.length / 2);
    return coherenceFrom(
      closenessOf({
        neighbours: thread.flatMap(({ id }, i) => cosine(id, thread[i + 1]?.id)),
        strangers: ids.flatMap((id, i) => cosine(id, ids[i + half])),
      }),
    );
  }

  #insert(note: Note, options: WriteOptions): void {
    this.#written += 1;
    const event = this.#history.of(note.id).length === 0 ? 'added' : 'restored';
    const revision = this.#history.record(note, event, this.#now());
    this.#notes.set(note.id, { seq: this.#written, note: structuredClone(note), revision });
    this.#embedLater(note.id, options);
  }

  #change(
    id: string,
    { patch, event }: { readonly patch: NotePatch; readonly event: NoteEvent },
    options: WriteOptions,
  ): void {
    const held = this.#notes.get(id);
    if (held === undefined) return;
    const note = structuredClone({ ...held.note, ...patch });
    if (isDeepStrictEqual(note, held.note)) return;
    const isChanged = embeddedText(note) !== embeddedText(held.note);
    held.note = note;
    const version = this.#history.record(note, event, this.#now());
    if (!isChanged) return;
    held.revision = version;
    this.#embedLater(id, options);
  }

  #forget(id: string): void {
    this.#notes.delete(id);
    for (const { vectors, pending } of this.#spaces) {
      vectors.delete(id);
      pending.delete(id);
    }
  }

  #findDuplicate(note: Note, isDuplicate: (held: Note) => boolean): Note | undefined {
    const { projectId, groupId } = note;
    return this.#shown({ projectId, groupId })
      .map((held) => held.note)
      .find((held) => foldText(held.text) === foldText(note.text) && isDuplicate(held));
  }

  /** The notes of a filter that no other note of the project supersedes. */
  #shown(filter: NoteFilter): Held[] {
    const { projectId } = filter;
    const hidden = new Set(this.#matching({ projectId }).flatMap(({ note }) => supersededBy(note)));
    return this.#matching(filter).filter(({ note }) => !hidden.has(note.id));
  }

  #embedLater(id: string, { vector, claimMs = 0 }: WriteOptions): void {
    const until = claimMs === 0 ? 0 : this.#now() + claimMs;
    for (const { pending } of this.#spaces) pending.set(id, until);
    if (vector === undefined) return;
    const space = this.#space(vector.spaceId);
    space?.vectors.set(id, vector.vector);
    space?.pending.delete(id);
  }

  #space(id: number): HeldSpace | undefined {
    return this.#spaces.find(({ space }) => space.id === id);
  }

  #matching({ projectId, groupId, tags = [], since, until }: NoteFilter): Held[] {
    return [...this.#notes.values()].filter(
      ({ note }) =>
        note.projectId === projectId &&
        (groupId === undefined || note.groupId === groupId) &&
        tags.every((tag) => note.tags.includes(tag)) &&
        (since === undefined || note.createdAt >= since) &&
        (until === undefined || note.createdAt < until),
    );
  }
}

function wordsOf(note: Note): Set<string> {
  const { title, text, tags } = searchableNote(note);
  return new Set([...title, ...text, ...tags]);
}

function spreadOf(cosines: readonly number[]): CosineSpread | undefined {
  if (cosines.length === 0) return undefined;
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  const squares = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / cosines.length) };
}

/** The order of bytes, as a database has it. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
