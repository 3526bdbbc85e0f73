import { setTimeout as delay } from 'node:timers/promises';
import { MemoryError } from '../../errors.ts';
import type { TermCounts } from '../../search/bm25.ts';
import { embeddedText } from '../../search/searchable.ts';
import {
  changeableFields,
  type GlobalValue,
  type Group,
  type GroupPatch,
  type Note,
  type NotePatch,
  type NoteVersion,
  type StoredNote,
  type StoredValue,
  type Tombstone,
} from '../note.ts';
import type { NoteVector, PendingNote, Space, SpaceName, SpaceProgress } from '../space.ts';
import type {
  AddedNote,
  AddOptions,
  CandidateRequest,
  Candidates,
  ChangeOptions,
  ClaimOptions,
  Lookalike,
  NoteFilter,
  Part,
  PutValue,
  PutValueOptions,
  SpaceVector,
  Store,
  StoredText,
  StoreStatus,
  UpdateOptions,
  WriteOptions,
} from '../store.ts';
import { isBusy, pauseMs, retryWhileBusy } from './busy.ts';
import { gatherCandidates } from './candidates.ts';
import type { Connection } from './driver.ts';
import { eraseNote } from './erase.ts';
import { isErased, isUsed, markErased, tombstones, unmarkErased } from './erased.ts';
import {
  changeGroup,
  findGroup,
  groupsOf,
  insertGroup,
  oldestGroups,
  removeGroup,
} from './groups.ts';
import { IndexCache } from './index-cache.ts';
import { findLookalikes } from './lookalikes.ts';
import { isSaved, rescueLostStore, StoreMoved } from './lost-store.ts';
import { deletedAfter, insertHistory } from './note-history.ts';
import {
  type ChangeStamp,
  changeNote,
  findDuplicate,
  findNote,
  insertNote,
  type NotePlace,
  type NoteUpdate,
  notesAfter,
  recentNotes,
  removeNote,
} from './notes.ts';
import { findProblems } from './problems.ts';
import { findFormer, moveProject } from './project-alias.ts';
import { countNotes, findProject, projectKeys } from './projects.ts';
import {
  claim,
  countPending,
  ensureSpace,
  findNewestSpace,
  hasClaimable,
  markAllPending,
  markPending,
  spaceProgress,
} from './spaces.ts';
import { Statements } from './statements.ts';
import { toStoreError } from './store-error.ts';
import type { StorePlace } from './store-place.ts';
import { storedTexts } from './stored-texts.ts';
import { TermFrequencies } from './term-frequencies.ts';
import { findValue, removeValue, upsertValue, valuesOf } from './values.ts';
import { eraseVectors, writeVector } from './vectors.ts';
import { lastVersion, newestVersions, versionsOf } from './versions.ts';
import { WriteQueue } from './write-queue.ts';

const EXPORT_PAGE = 500;

/** How often reads look whether the store is still in its place; writes always do. */
const LOOK_EVERY_MS = 250;

/** How long an erasure waits for readers of the log. */
const LOG_PATIENCE_MS = 2_000;

/** The file a store is in, and how it is used. */
export interface SqliteStorePlacement {
  readonly path: string;
  /** Absent for a store in memory, which cannot be moved. */
  readonly place: StorePlace | undefined;
  readonly now: () => number;
  readonly busyTimeoutMs: number;
}

/** The embedded store: one file, any number of processes. */
export class SqliteStore implements Store {
  readonly #db: Connection;
  readonly #path: string;
  readonly #place: StorePlace | undefined;
  readonly #now: () => number;
  readonly #busyTimeoutMs: number;
  readonly #sql: Statements;
  readonly #writes: WriteQueue;
  readonly #indexes: IndexCache;
  readonly #frequencies: TermFrequencies;

  /** Set once the files at the path were found not to be those that are open: then every call fails. */
  #isLost = false;
  #rescue: Promise<MemoryError> | undefined;
  #lookedAt = 0;

  constructor(db: Connection, { path, place, now, busyTimeoutMs }: SqliteStorePlacement) {
    this.#db = db;
    this.#path = path;
    this.#place = place;
    this.#now = now;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#sql = new Statements(db);
    const assertInPlace = (): void => {
      if (place?.isUnmoved === false) throw new StoreMoved();
    };
    this.#writes = new WriteQueue(db, { busyTimeoutMs, assertInPlace });
    this.#indexes = new IndexCache(this.#sql);
    this.#frequencies = new TermFrequencies(this.#sql);
  }

  addNote(
    note: Note,
    { isDuplicate, includeErased = false, ...options }: AddOptions = {},
  ): Promise<AddedNote> {
    return this.#write(() => {
      if (!this.#mayUse(note.id, includeErased)) return erasedBefore(note.id);
      const held = isDuplicate && findDuplicate(this.#sql, note, isDuplicate);
      if (held !== undefined) return { id: held.id, isNew: false };
      const place = insertNote(this.#sql, note, { at: this.#now() });
      if (place !== undefined) this.#embedLater(place, options);
      return { id: note.id, isNew: place !== undefined };
    });
  }

  addHistory(
    versions: readonly [NoteVersion, ...NoteVersion[]],
    { includeErased = false }: Pick<AddOptions, 'includeErased'> = {},
  ): Promise<AddedNote> {
    return this.#write(() => {
      const [{ note, event }] = versions;
      if (!this.#mayUse(note.id, includeErased)) return erasedBefore(note.id);
      const isHeld = lastVersion(this.#sql, note.id) !== undefined;
      const isThere = findNote(this.#sql, note.id) !== undefined;
      if (isThere || (isHeld && event === 'deleted')) return { id: note.id, isNew: false };
      // The history that is there stays; the note comes back on top of it.
      const place = isHeld
        ? insertNote(this.#sql, note, { at: this.#now() })
        : insertHistory(this.#sql, versions);
      if (place !== undefined) this.#embedLater(place, {});
      return { id: note.id, isNew: true };
    });
  }

  getNote(id: string): Promise<StoredNote | undefined> {
    return this.#read(() => findNote(this.#sql, id));
  }

  updateNote(
    id: string,
    patch: NotePatch,
    { ifRevision, ...options }: UpdateOptions = {},
  ): Promise<StoredNote | undefined> {
    return this.#write(() => {
      const stamp = { at: this.#now(), event: 'updated', ifRevision } as const;
      return this.#change({ id, patch }, stamp, options)?.note;
    });
  }

  deleteNote(id: string): Promise<boolean> {
    return this.#write(() => {
      const place = removeNote(this.#sql, id, this.#now());
      if (place !== undefined) eraseVectors(this.#sql, place);
      return place !== undefined;
    });
  }

  noteHistory(id: string): Promise<NoteVersion[]> {
    return this.#read(() => versionsOf(this.#sql, id));
  }

  listVersions(id: string): Promise<Part<NoteVersion>> {
    return this.#read(() => newestVersions(this.#sql, id));
  }

  restoreNote(
    id: string,
    version: number,
    options: ChangeOptions = {},
  ): Promise<number | undefined> {
    return this.#write(() => {
      const versions = versionsOf(this.#sql, id);
      const wanted = versions.find((each) => each.version === version);
      if (wanted === undefined) return undefined;
      const patch = changeableFields(wanted.note);
      const stamp = { at: this.#now(), event: 'restored' } as const;
      const update = this.#change({ id, patch }, stamp, options);
      if (update !== undefined) return update.note.revision;
      const place = insertNote(this.#sql, wanted.note, { at: this.#now() });
      if (place !== undefined) this.#embedLater(place, forText(options, wanted.note));
      return (versions[0]?.version ?? 0) + 1;
    });
  }

  async erase(id: string): Promise<boolean> {
    const isDone = await this.#write(() => {
      const isFound = eraseNote(this.#sql, id) || removeValue(this.#sql, id);
      if (isFound) markErased(this.#sql, id, this.#now());
      return isFound;
    });
    if (isDone) await this.#truncateLog();
    return isDone;
  }

  listNotes(filter: NoteFilter, limit: number): Promise<StoredNote[]> {
    return this.#read(() => recentNotes(this.#sql, filter, limit));
  }

  async *allNotes({ projectId }: { readonly projectId?: string } = {}): AsyncIterable<Note> {
    let seq = 0;
    while (true) {
      const after = seq;
      const page = await this.#read(() =>
        notesAfter(this.#sql, { seq: after, limit: EXPORT_PAGE, projectId }),
      );
      if (page.notes.length === 0) return;
      yield* page.notes;
      seq = page.last;
    }
  }

  async *allHistories({
    projectId,
  }: {
    readonly projectId?: string;
  } = {}): AsyncIterable<readonly NoteVersion[]> {
    for await (const { id } of this.allNotes(projectId === undefined ? {} : { projectId })) {
      const versions = await this.noteHistory(id);
      if (versions.length > 0) yield versions;
    }
    let id = '';
    while (true) {
      const after = id;
      const page = await this.#read(() =>
        deletedAfter(this.#sql, { id: after, limit: EXPORT_PAGE, projectId }).map((each) =>
          versionsOf(this.#sql, each),
        ),
      );
      if (page.length === 0) return;
      yield* page;
      id = page.at(-1)?.[0]?.note.id ?? '';
    }
  }

  findId(id: string): Promise<'free' | 'used' | 'erased'> {
    return this.#read(() => {
      if (isErased(this.#sql, id)) return 'erased';
      return isUsed(this.#sql, id) ? 'used' : 'free';
    });
  }

  listErased(): Promise<readonly Tombstone[]> {
    return this.#read(() => tombstones(this.#sql));
  }

  addErased({ id, at }: Tombstone): Promise<boolean> {
    return this.#write(() => {
      if (isErased(this.#sql, id) || isUsed(this.#sql, id)) return false;
      markErased(this.#sql, id, at);
      return true;
    });
  }

  findFormerProject(former: string): Promise<string | undefined> {
    return this.#read(() => findFormer(this.#sql, former));
  }

  renameProject(former: string, key: string): Promise<string> {
    return this.#write(() => moveProject(this.#sql, former, key));
  }

  storedTexts(): AsyncIterable<StoredText> {
    return storedTexts(this.#sql, (work) => this.#read(work));
  }

  listProjects(): Promise<string[]> {
    return this.#read(() => projectKeys(this.#sql));
  }

  findCandidates(request: CandidateRequest): Promise<Candidates> {
    const sources = { sql: this.#sql, indexes: this.#indexes, frequencies: this.#frequencies };
    return this.#read(() => gatherCandidates(sources, request));
  }

  countTerms(terms: readonly string[], projectId: string): Promise<TermCounts> {
    return this.#read(() => {
      const project = findProject(this.#sql, projectId);
      if (project === undefined) return { noteCount: 0, noteFrequency: terms.map(() => 0) };
      const noteFrequency = this.#frequencies.inProject(terms, project, countNotes(this.#sql));
      return { noteCount: project.notes, noteFrequency };
    });
  }

  findLookalikes(note: Note, vector?: SpaceVector): Promise<Lookalike[]> {
    return this.#read(() => findLookalikes(this.#sql, note, vector));
  }

  addGroup(group: Group): Promise<boolean> {
    return this.#write(() => insertGroup(this.#sql, group));
  }

  getGroup(id: string): Promise<Group | undefined> {
    return this.#read(() => findGroup(this.#sql, id));
  }

  updateGroup(id: string, patch: GroupPatch, updatedAt: number): Promise<boolean> {
    return this.#write(() => changeGroup(this.#sql, id, { ...patch, updatedAt }));
  }

  deleteGroup(id: string): Promise<boolean> {
    return this.#write(() => removeGroup(this.#sql, id));
  }

  listSomeGroups(projectId: string): Promise<Part<Group>> {
    return this.#read(() => oldestGroups(this.#sql, projectId));
  }

  listGroups(projectId: string): Promise<Group[]> {
    return this.#read(() => groupsOf(this.#sql, projectId));
  }

  allGroups({ projectId }: { readonly projectId?: string } = {}): Promise<Group[]> {
    return this.#read(() => groupsOf(this.#sql, projectId));
  }

  putValue(value: GlobalValue, options: PutValueOptions = {}): Promise<PutValue> {
    return this.#write(() => {
      if (options.includeErased === true) unmarkErased(this.#sql, value.id);
      return upsertValue(this.#sql, value, options);
    });
  }

  getValue(projectId: string, key: string): Promise<StoredValue | undefined> {
    return this.#read(() => findValue(this.#sql, projectId, key));
  }

  deleteValue(id: string): Promise<boolean> {
    return this.#write(() => removeValue(this.#sql, id));
  }

  allValues({ projectId }: { readonly projectId?: string } = {}): Promise<StoredValue[]> {
    return this.#read(() => valuesOf(this.#sql, projectId));
  }

  async openSpace(name: SpaceName & { readonly baseUrl: string | null }): Promise<Space> {
    const newest = await this.#read(() => findNewestSpace(this.#sql));
    if (newest !== undefined && isSame(newest, name)) return newest;
    return this.#write(() => ensureSpace(this.#sql, name));
  }

  listSpaces(): Promise<SpaceProgress[]> {
    return this.#read(() => spaceProgress(this.#sql));
  }

  async claimPending(spaceId: number, { limit, claimMs }: ClaimOptions): Promise<PendingNote[]> {
    // The usual answer, that nothing waits, needs no write.
    if (!(await this.#read(() => hasClaimable(this.#sql, spaceId, this.#now())))) return [];
    return this.#write(() => claim(this.#sql, spaceId, { limit, claimMs, now: this.#now() }));
  }

  countPending(spaceId: number): Promise<number> {
    return this.#read(() => countPending(this.#sql, spaceId));
  }

  putVectors(spaceId: number, vectors: readonly NoteVector[]): Promise<number> {
    return this.#write(() => {
      let taken = 0;
      for (const { id, revision, text, vector } of vectors) {
        const note = this.#sql.get<NotePlace & Pick<Note, 'title' | 'text'>>(
          'SELECT seq, project, title, text FROM note WHERE id = ? AND revision = ?',
          id,
          revision,
        );
        if (note === undefined || embeddedText(note) !== text) continue;
        writeVector(this.#sql, spaceId, note, vector);
        taken += 1;
      }
      return taken;
    });
  }

  resetSpace(spaceId: number): Promise<void> {
    return this.#write(() => markAllPending(this.#sql, spaceId));
  }

  status(): Promise<StoreStatus> {
    return this.#read(() => {
      const totals = this.#sql.get<{ notes: number; projects: number }>(
        'SELECT total(notes) AS notes, count(*) AS projects FROM project',
      );
      const pages = Number(this.#db.pragma('page_count'));
      const pageBytes = Number(this.#db.pragma('page_size'));
      return {
        notes: totals?.notes ?? 0,
        projects: totals?.projects ?? 0,
        bytes: pages * pageBytes,
        spaces: spaceProgress(this.#sql),
      };
    });
  }

  check(): Promise<string[]> {
    return this.#read(() => findProblems(this.#sql));
  }

  async close(): Promise<void> {
    await this.#writes.close();
    if (!this.#db.open) return;
    const isKnown = this.#isLost;
    // The copy of a lost store is read through this connection, which may be the last to have its files.
    const lost = this.#looksLost() ? await this.#lostError() : undefined;
    if (this.#db.open) this.#db.close();
    if (lost !== undefined && !isKnown) throw lost;
  }

  #change(
    change: { readonly id: string; readonly patch: NotePatch },
    stamp: ChangeStamp,
    options: ChangeOptions,
  ): NoteUpdate | undefined {
    const update = changeNote(this.#sql, change, stamp);
    if (update?.isEmbeddedTextChanged === true) {
      this.#embedLater(update, forText(options, update.note));
    }
    return update;
  }

  /** Whether a note may have this id: not that of an erased one, unless it is wanted back. */
  #mayUse(id: string, includeErased: boolean): boolean {
    if (!isErased(this.#sql, id)) return true;
    if (includeErased) unmarkErased(this.#sql, id);
    return includeErased;
  }

  /** The write-ahead log holds pages as they were; another process that reads keeps it a little longer. */
  async #truncateLog(): Promise<void> {
    const giveUpAt = performance.now() + LOG_PATIENCE_MS;
    for (let attempts = 0; this.#db.open && !this.#isLogEmptied(); attempts += 1) {
      if (performance.now() >= giveUpAt) return;
      await delay(pauseMs(attempts));
    }
  }

  #isLogEmptied(): boolean {
    try {
      // The first column says whether another connection was in the way.
      return this.#db.pragma('wal_checkpoint(TRUNCATE)') !== 1;
    } catch (error) {
      if (isBusy(error)) return false;
      throw toStoreError(error, this.#path);
    }
  }

  #embedLater(place: NotePlace, { vector, claimMs = 0 }: WriteOptions): void {
    markPending(this.#sql, place.seq, claimMs === 0 ? 0 : this.#now() + claimMs);
    if (vector !== undefined) writeVector(this.#sql, vector.spaceId, place, vector.vector);
  }

  /** One moment of the store for everything `work` reads. */
  async #read<T>(work: () => T): Promise<T> {
    const isRecent = Math.abs(this.#now() - this.#lookedAt) < LOOK_EVERY_MS;
    if (isRecent ? this.#isLost : this.#looksLost()) throw await this.#lostError();
    try {
      return this.#readNow(work);
    } catch (error) {
      if (!isBusy(error)) throw toStoreError(error, this.#path);
    }
    // Rare: another process repairs the log after a crash, or is the last to close the store.
    try {
      return await retryWhileBusy(() => this.#readNow(work), this.#busyTimeoutMs);
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }

  #readNow<T>(work: () => T): T {
    if (!this.#db.open) throw new MemoryError('CLOSED', 'the store is closed');
    this.#sql.run('BEGIN');
    try {
      return work();
    } finally {
      if (this.#db.inTransaction) this.#sql.run('COMMIT');
    }
  }

  async #write<T>(work: () => T): Promise<T> {
    if (this.#isLost) throw await this.#lostError();
    try {
      return await this.#writes.run(work);
    } catch (error) {
      if (!(error instanceof StoreMoved)) throw toStoreError(error, this.#path);
      this.#isLost = true;
      throw await this.#lostError();
    }
  }

  #looksLost(): boolean {
    this.#lookedAt = this.#now();
    this.#isLost ||= this.#place?.isUnmoved === false;
    return this.#isLost;
  }

  /** Saves what is open; again where that failed, or where the copy went the way of the store. */
  async #lostError(): Promise<unknown> {
    if (this.#place === undefined || !this.#db.open) return new StoreMoved();
    const saved = await this.#rescue;
    if (saved !== undefined && !isSaved(saved)) this.#rescue = undefined;
    this.#rescue ??= rescueLostStore(this.#db, this.#place);
    return this.#rescue;
  }
}

function erasedBefore(id: string): AddedNote {
  return { id, isNew: false, isErased: true };
}

/** Without a vector that was made from another text than the note's. */
function forText({ vector, ...options }: ChangeOptions, note: Note): WriteOptions {
  return vector?.text === embeddedText(note) ? { ...options, vector } : options;
}

function isSame(space: Space, name: SpaceName & { readonly baseUrl: string | null }): boolean {
  return (
    space.provider === name.provider &&
    space.model === name.model &&
    space.dim === name.dim &&
    space.baseUrl === name.baseUrl
  );
}
