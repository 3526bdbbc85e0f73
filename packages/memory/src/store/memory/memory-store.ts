import type { TermCounts } from '../../search/bm25.ts';
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
import type { GlobalValue, Group, GroupPatch, Note, NotePatch } from '../note.ts';
import type { NoteVector, PendingNote, Space, SpaceName, SpaceProgress } from '../space.ts';
import type {
  Candidate,
  CandidateRequest,
  Candidates,
  ClaimOptions,
  NoteFilter,
  Store,
  StoreStatus,
  Thread,
  WriteOptions,
} from '../store.ts';

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
  readonly #groups: Map<string, Group> = new Map();
  readonly #values: Map<string, GlobalValue> = new Map();
  /** Newest first. */
  #spaces: HeldSpace[] = [];
  #written = 0;
  #spacesMade = 0;

  constructor({ now = Date.now }: { readonly now?: () => number } = {}) {
    this.#now = now;
  }

  async addNote(note: Note, options: WriteOptions = {}): Promise<boolean> {
    if (this.#notes.has(note.id)) return false;
    this.#written += 1;
    this.#notes.set(note.id, { seq: this.#written, note: structuredClone(note), revision: 1 });
    this.#embedLater(note.id, options);
    return true;
  }

  async getNote(id: string): Promise<Note | undefined> {
    return structuredClone(this.#notes.get(id)?.note);
  }

  async updateNote(
    id: string,
    patch: NotePatch,
    options: WriteOptions = {},
  ): Promise<Note | undefined> {
    const held = this.#notes.get(id);
    if (held === undefined) return undefined;
    const note = structuredClone({ ...held.note, ...patch });
    const isChanged = embeddedText(note) !== embeddedText(held.note);
    held.note = note;
    if (isChanged) {
      held.revision += 1;
      this.#embedLater(id, options);
    }
    return structuredClone(note);
  }

  async deleteNote(id: string): Promise<boolean> {
    for (const { vectors, pending } of this.#spaces) {
      vectors.delete(id);
      pending.delete(id);
    }
    return this.#notes.delete(id);
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
  }: CandidateRequest): Promise<Candidates> {
    const all = [...this.#notes.values()].map(({ note }) => ({ note, words: wordsOf(note) }));
    const project = all.filter(({ note }) => note.projectId === filter.projectId);
    const cosinesOf = (note: Note): (number | undefined)[] =>
      vectors.map(({ spaceId, vector }) => {
        const stored = this.#space(spaceId)?.vectors.get(note.id);
        return stored === undefined ? undefined : dot(vector, stored);
      });
    const matching: Candidate[] = this.#matching(filter).map(({ note }) => ({
      note: structuredClone(note),
      cosines: cosinesOf(note),
    }));
    const wanted = new Set<Candidate>();
    const shared = ({ note }: Candidate): number =>
      terms.filter((term) => wordsOf(note).has(term)).length;
    for (const candidate of matching
      .filter((each) => shared(each) > 0)
      .sort((a, b) => shared(b) - shared(a))
      .slice(0, limit)) {
      wanted.add(candidate);
    }
    for (const index of vectors.keys()) {
      for (const candidate of matching
        .filter(({ cosines }) => cosines[index] !== undefined)
        .sort((a, b) => (b.cosines[index] ?? 0) - (a.cosines[index] ?? 0))
        .slice(0, limit)) {
        wanted.add(candidate);
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
        noteCount: all.length,
        averageLength: lengths.reduce((sum, n) => sum + n, 0) / Math.max(1, lengths.length),
        noteFrequency: terms.map((term) => all.filter(({ words }) => words.has(term)).length),
      },
      projectNotes: project.length,
      spreads: vectors.map((_, index) =>
        spreadOf(project.flatMap(({ note }) => cosinesOf(note)[index] ?? [])),
      ),
      threads,
    };
  }

  async countTerms(terms: readonly string[]): Promise<TermCounts> {
    const all = [...this.#notes.values()].map(({ note }) => wordsOf(note));
    return {
      noteCount: all.length,
      noteFrequency: terms.map((term) => all.filter((words) => words.has(term)).length),
    };
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

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
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
