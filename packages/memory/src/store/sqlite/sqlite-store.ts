import { MemoryError } from '../../errors.ts';
import type { TermCounts } from '../../search/bm25.ts';
import {
  changeableFields,
  type GlobalValue,
  type Group,
  type GroupPatch,
  type Note,
  type NotePatch,
  type NoteVersion,
} from '../note.ts';
import type { NoteVector, PendingNote, Space, SpaceName, SpaceProgress } from '../space.ts';
import type {
  AddedNote,
  AddOptions,
  CandidateRequest,
  Candidates,
  ClaimOptions,
  Lookalike,
  NoteFilter,
  SpaceVector,
  Store,
  StoreStatus,
  WriteOptions,
} from '../store.ts';
import { gatherCandidates } from './candidates.ts';
import type { Connection } from './driver.ts';
import { eraseNote } from './erase.ts';
import { changeGroup, findGroup, groupsOf, insertGroup, removeGroup } from './groups.ts';
import { IndexCache } from './index-cache.ts';
import { findLookalikes } from './lookalikes.ts';
import {
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
import { TermFrequencies } from './term-frequencies.ts';
import { findValue, removeValue, upsertValue, valuesOf } from './values.ts';
import { eraseVectors, writeVector } from './vectors.ts';
import { versionsOf } from './versions.ts';
import { WriteQueue } from './write-queue.ts';

const EXPORT_PAGE = 500;

/** How long an erasure waits for readers of the log. */
const LOG_PATIENCE_MS = 2_000;

/** The embedded store: one file, any number of processes. */
export class SqliteStore implements Store {
  readonly #db: Connection;
  readonly #path: string;
  readonly #now: () => number;
  readonly #sql: Statements;
  readonly #writes: WriteQueue;
  readonly #indexes: IndexCache;
  readonly #frequencies: TermFrequencies;

  constructor(
    db: Connection,
    { path, now }: { readonly path: string; readonly now: () => number },
  ) {
    this.#db = db;
    this.#path = path;
    this.#now = now;
    this.#sql = new Statements(db);
    this.#writes = new WriteQueue(db);
    this.#indexes = new IndexCache(this.#sql);
    this.#frequencies = new TermFrequencies(this.#sql);
  }

  addNote(note: Note, { isDuplicate, ...options }: AddOptions = {}): Promise<AddedNote> {
    return this.#write(() => {
      const held = isDuplicate && findDuplicate(this.#sql, note, isDuplicate);
      if (held !== undefined) return { id: held.id, isNew: false };
      const place = insertNote(this.#sql, note, this.#now());
      if (place !== undefined) this.#embedLater(place, options);
      return { id: note.id, isNew: place !== undefined };
    });
  }

  getNote(id: string): Promise<Note | undefined> {
    return this.#read(() => findNote(this.#sql, id));
  }

  updateNote(id: string, patch: NotePatch, options: WriteOptions = {}): Promise<Note | undefined> {
    return this.#write(() => this.#change({ id, patch }, 'updated', options)?.note);
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

  restoreNote(
    id: string,
    version: number,
    options: WriteOptions = {},
  ): Promise<number | undefined> {
    return this.#write(() => {
      const versions = versionsOf(this.#sql, id);
      const wanted = versions.find((each) => each.version === version);
      if (wanted === undefined) return undefined;
      const patch = changeableFields(wanted.note);
      const update = this.#change({ id, patch }, 'restored', options);
      if (update !== undefined) return update.version;
      const place = insertNote(this.#sql, wanted.note, this.#now());
      if (place !== undefined) this.#embedLater(place, options);
      return (versions[0]?.version ?? 0) + 1;
    });
  }

  async erase(id: string): Promise<boolean> {
    const isErased = await this.#write(
      () => eraseNote(this.#sql, id) || removeValue(this.#sql, id),
    );
    if (isErased) this.#truncateLog();
    return isErased;
  }

  listNotes(filter: NoteFilter, limit: number): Promise<Note[]> {
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

  listGroups(projectId: string): Promise<Group[]> {
    return this.#read(() => groupsOf(this.#sql, projectId));
  }

  allGroups({ projectId }: { readonly projectId?: string } = {}): Promise<Group[]> {
    return this.#read(() => groupsOf(this.#sql, projectId));
  }

  putValue(value: GlobalValue): Promise<string> {
    return this.#write(() => upsertValue(this.#sql, value));
  }

  getValue(projectId: string, key: string): Promise<GlobalValue | undefined> {
    return this.#read(() => findValue(this.#sql, projectId, key));
  }

  deleteValue(id: string): Promise<boolean> {
    return this.#write(() => removeValue(this.#sql, id));
  }

  allValues({ projectId }: { readonly projectId?: string } = {}): Promise<GlobalValue[]> {
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
      for (const { id, revision, vector } of vectors) {
        const place = this.#sql.get<NotePlace>(
          'SELECT seq, project FROM note WHERE id = ? AND revision = ?',
          id,
          revision,
        );
        if (place === undefined) continue;
        writeVector(this.#sql, spaceId, place, vector);
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
      const pages = Number(this.#db.pragma('page_count', { simple: true }));
      const pageBytes = Number(this.#db.pragma('page_size', { simple: true }));
      return {
        notes: totals?.notes ?? 0,
        projects: totals?.projects ?? 0,
        bytes: pages * pageBytes,
        spaces: spaceProgress(this.#sql),
      };
    });
  }

  check(): Promise<string[]> {
    return this.#read(() => {
      const found = this.#sql
        .all<{ integrity_check: string }>('PRAGMA integrity_check')
        .map((row) => row.integrity_check)
        .filter((line) => line !== 'ok');
      const words = this.#sql.get<{ n: number }>('SELECT count(*) AS n FROM note_text')?.n;
      const notes = this.#sql.get<{ n: number }>('SELECT count(*) AS n FROM note')?.n;
      if (words !== notes) found.push(`the text index holds ${words} notes, the store ${notes}`);
      return found;
    });
  }

  close(): Promise<void> {
    this.#writes.close();
    if (this.#db.open) this.#db.close();
    return Promise.resolve();
  }

  #change(
    change: { readonly id: string; readonly patch: NotePatch },
    event: 'updated' | 'restored',
    options: WriteOptions,
  ): NoteUpdate | undefined {
    const update = changeNote(this.#sql, change, { at: this.#now(), event });
    if (update?.isEmbeddedTextChanged === true) this.#embedLater(update, options);
    return update;
  }

  /** The write-ahead log holds pages as they were; another process that reads keeps it a little longer. */
  #truncateLog(): void {
    try {
      const patience = this.#db.pragma('busy_timeout', { simple: true });
      this.#db.pragma(`busy_timeout = ${LOG_PATIENCE_MS}`);
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
      this.#db.pragma(`busy_timeout = ${patience}`);
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }

  #embedLater(place: NotePlace, { vector, claimMs = 0 }: WriteOptions): void {
    markPending(this.#sql, place.seq, claimMs === 0 ? 0 : this.#now() + claimMs);
    if (vector !== undefined) writeVector(this.#sql, vector.spaceId, place, vector.vector);
  }

  /** One moment of the store for everything `work` reads. */
  async #read<T>(work: () => T): Promise<T> {
    if (!this.#db.open) throw new MemoryError('CLOSED', 'the store is closed');
    try {
      this.#sql.run('BEGIN');
      try {
        return work();
      } finally {
        if (this.#db.inTransaction) this.#sql.run('COMMIT');
      }
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }

  async #write<T>(work: () => T): Promise<T> {
    try {
      return await this.#writes.run(work);
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }
}

function isSame(space: Space, name: SpaceName & { readonly baseUrl: string | null }): boolean {
  return (
    space.provider === name.provider &&
    space.model === name.model &&
    space.dim === name.dim &&
    space.baseUrl === name.baseUrl
  );
}
