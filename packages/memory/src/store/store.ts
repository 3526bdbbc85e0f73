import type { TermCounts, TermStatistics } from '../search/bm25.ts';
import type { TimeSpan } from '../search/time-words.ts';
import type { CosineSpread } from '../search/vector-index.ts';
import type {
  GlobalValue,
  Group,
  GroupPatch,
  Note,
  NotePatch,
  NoteVersion,
  StoredNote,
  StoredValue,
  Tombstone,
} from './note.ts';
import type { NoteVector, PendingNote, Space, SpaceName, SpaceProgress } from './space.ts';

/** Which notes a question is about. Tags: all of them; time: `since <= createdAt < until`. */
export interface NoteFilter {
  readonly projectId: string;
  readonly groupId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** A question in both of its forms; either part may be empty. */
export interface CandidateRequest {
  readonly filter: NoteFilter;
  /** Tokens as `tokenize` makes them. */
  readonly terms: readonly string[];
  /** The question's vector in each space to look in, the preferred space first. */
  readonly vectors: readonly SpaceVector[];
  /** Notes wanted from the words, and again from each vector. */
  readonly limit: number;
  /** Whether the notes around the best ones are wanted too. */
  readonly withThreads?: boolean;
  /** Notes of this time are wanted besides, half as many. */
  readonly time?: Pick<TimeSpan, 'from' | 'to'>;
}

/** A vector and the space it lies in. */
export interface SpaceVector {
  readonly spaceId: number;
  readonly vector: Float32Array;
}

/** A note that may answer the question, with the evidence to rank it by. */
export interface Candidate {
  readonly note: StoredNote;
  /** Its length in words that are no stop words. */
  readonly tokens: number;
  /** Cosine for each vector asked, `undefined` where the note has none in that space. */
  readonly cosines: readonly (number | undefined)[];
}

/** The first of some things, as many as fit one answer. */
export interface Part<T> {
  readonly first: readonly T[];
  /** How many more there are. */
  readonly omitted: number;
}

/** How like another note is. */
export interface Lookalike {
  readonly id: string;
  /** Share of the words of either that both have. */
  readonly overlap: number;
  /** `undefined` where a vector is missing. */
  readonly cosine: number | undefined;
}

/** Everything ranking needs, from one moment of the store. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly statistics: TermStatistics;
  /** Notes of the project, whatever the filter. */
  readonly projectNotes: number;
  /** Cosines of all the project's notes for each vector asked, `undefined` without vectors. */
  readonly spreads: readonly (CosineSpread | undefined)[];
  /** Where the best candidates stand among the notes around them. */
  readonly threads: readonly Thread[];
  /** Bytes of text at which no more candidates were loaded; absent where all were. */
  readonly cutAt?: number;
}

/** Candidates that follow one another in a conversation, source or group. */
export interface Thread {
  /** Ids in order; `undefined` holds the place of a note that the filter keeps out. */
  readonly notes: readonly (string | undefined)[];
  /** 0 to 1: how much the neighbours there have to do with one another. */
  readonly coherence: number;
}

/** The texts of one row. */
export interface StoredText {
  readonly kind: 'project' | 'group' | 'value' | 'note' | 'version';
  readonly id: string;
  /** By the name of the field; a value stands under its key. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What goes with a new or changed note into the same durable step. */
export interface WriteOptions {
  /** The note's vector where it is already known. */
  readonly vector?: SpaceVector | undefined;
  /** The writer will embed the note itself within this time; others keep off. */
  readonly claimMs?: number | undefined;
}

/** A vector and the text it was made from. */
export interface TextVector extends SpaceVector {
  readonly text: string;
}

/** What goes with a change of a note. */
export interface ChangeOptions extends Omit<WriteOptions, 'vector'> {
  /** Stored only if `text` is what the changed note embeds: another change may have come in between. */
  readonly vector?: TextVector | undefined;
}

/** What goes with an update of a note. */
export interface UpdateOptions extends ChangeOptions {
  /** Throws a `RevisionConflict` where the note has another revision. */
  readonly ifRevision?: number | undefined;
}

/** What goes with a new note. */
export interface AddOptions extends WriteOptions {
  /** Asked about each note of the same text in the group, oldest first: the first it takes stands for both. */
  readonly isDuplicate?: ((held: Note) => boolean) | undefined;
  /** Adds the note even if one of its id was erased; its tombstone goes. */
  readonly includeErased?: boolean | undefined;
}

/** The note that holds what was to be added. */
export interface AddedNote {
  readonly id: string;
  /** `false` when it was there already. */
  readonly isNew: boolean;
  /** Present when it was not added because a note of its id was erased. */
  readonly isErased?: true;
}

/** Figures for `doctor` and the status of a re-embedding. */
export interface StoreStatus {
  readonly notes: number;
  readonly projects: number;
  readonly bytes: number;
  readonly spaces: readonly SpaceProgress[];
}

/**
 * Notes, groups, values and vectors, durable when a promise of a write resolves and visible to every
 * other user of the same store. Nothing here may assume one engine: a contract suite holds for all.
 */
export interface Store {
  /** A note of this id that is there stays as it is; one that was deleted comes back with these fields. */
  addNote(note: Note, options?: AddOptions): Promise<AddedNote>;
  /** Adds a note with all its versions, newest first, or only the versions of a deleted one. */
  addHistory(
    versions: readonly [NoteVersion, ...NoteVersion[]],
    options?: Pick<AddOptions, 'includeErased'>,
  ): Promise<AddedNote>;
  getNote(id: string): Promise<StoredNote | undefined>;
  /** The note's vectors go on serving after a change of text until newer ones arrive. */
  updateNote(
    id: string,
    patch: NotePatch,
    options?: UpdateOptions,
  ): Promise<StoredNote | undefined>;
  /** The note's versions stay, and it can be restored. */
  deleteNote(id: string): Promise<boolean>;
  /** Versions of a note, deleted or not, newest first; none where there never was one. */
  noteHistory(id: string): Promise<NoteVersion[]>;
  /** The newest of them whose texts fit one answer, at least one, and how many were left out. */
  listVersions(id: string): Promise<Part<NoteVersion>>;
  /** Makes an earlier version the newest; returns its new number, `undefined` when it is not kept. */
  restoreNote(id: string, version: number, options?: ChangeOptions): Promise<number | undefined>;
  /** Leaves a tombstone of a note, deleted or not, or else of a value: no version, word or vector. */
  erase(id: string): Promise<boolean>;
  /** Newest first, the later written first among equals. */
  listNotes(filter: NoteFilter, limit: number): Promise<StoredNote[]>;
  /** Every note of the store or of a project, oldest write first, for export. */
  allNotes(options?: { readonly projectId?: string }): AsyncIterable<Note>;
  /** The same notes each with its versions, newest first, then those of deleted notes. */
  allHistories(options?: { readonly projectId?: string }): AsyncIterable<readonly NoteVersion[]>;
  /** Whether an id is of a note, group or value, of a deleted note, or of something erased. */
  findId(id: string): Promise<'free' | 'used' | 'erased'>;
  /** Every tombstone, oldest first. */
  listErased(): Promise<readonly Tombstone[]>;
  /** Leaves a tombstone where nothing has the id; `false` otherwise. */
  addErased(tombstone: Tombstone): Promise<boolean>;

  /** The name under which the store has a project that was once stored as `former`. */
  findFormerProject(former: string): Promise<string | undefined>;
  /** Stores the project of a former name under another, with an alias that does not hold the former one. */
  renameProject(former: string, key: string): Promise<string>;
  /** Every text of the store with the id of its row, history included, to look for secrets. */
  storedTexts(): AsyncIterable<StoredText>;
  /** Projects that hold a note, a group or a value, in no particular order. */
  listProjects(): Promise<string[]>;

  /** Notes that another supersedes are none. */
  findCandidates(request: CandidateRequest): Promise<Candidates>;
  /** How many notes a project has, and how many of them hold each term. */
  countTerms(terms: readonly string[], projectId: string): Promise<TermCounts>;
  /** A few notes of the project, none superseded, whose words may be nearly the same; cheap beside adding one. */
  findLookalikes(note: Note, vector?: SpaceVector): Promise<Lookalike[]>;

  /** `false` when the project already has a group of this key. */
  addGroup(group: Group): Promise<boolean>;
  getGroup(id: string): Promise<Group | undefined>;
  updateGroup(id: string, patch: GroupPatch, updatedAt: number): Promise<boolean>;
  deleteGroup(id: string): Promise<boolean>;
  /** Oldest first. */
  listGroups(projectId: string): Promise<Group[]>;
  /** Those whose texts fit one answer, the oldest first, and how many were left out. */
  listSomeGroups(projectId: string): Promise<Part<Group>>;
  /** Every group of the store or of a project, oldest first, for export. */
  allGroups(options?: { readonly projectId?: string }): Promise<Group[]>;

  /** Keeps the id of a value already under that key. */
  putValue(value: GlobalValue, options?: PutValueOptions): Promise<PutValue>;
  getValue(projectId: string, key: string): Promise<StoredValue | undefined>;
  deleteValue(id: string): Promise<boolean>;
  /** Every value of the store or of a project, by project and key, for export. */
  allValues(options?: { readonly projectId?: string }): Promise<StoredValue[]>;

  /** Finds or makes a space; a new one has every note pending. At most one older space is kept. */
  openSpace(name: SpaceName & { readonly baseUrl: string | null }): Promise<Space>;
  /** Newest first. */
  listSpaces(): Promise<SpaceProgress[]>;
  /** Takes up to `limit` waiting notes for `claimMs`; afterwards they are free for anyone again. */
  claimPending(spaceId: number, options: ClaimOptions): Promise<PendingNote[]>;
  countPending(spaceId: number): Promise<number>;
  /** Notes gone or changed meanwhile are left out; returns how many vectors were taken. */
  putVectors(spaceId: number, vectors: readonly NoteVector[]): Promise<number>;
  /** Makes every note of the space pending again and free for anyone; its vectors serve until replaced. */
  resetSpace(spaceId: number): Promise<void>;

  status(): Promise<StoreStatus>;
  /** Problems found, none when all is well. */
  check(): Promise<string[]>;
  close(): Promise<void>;
}

/** When a value is written. */
export interface PutValueOptions {
  /** Throws a `RevisionConflict` where the value has another revision; 0: where there is a value. */
  readonly ifRevision?: number | undefined;
  /** Revision of a value that is new under its key. Default 1. */
  readonly firstRevision?: number | undefined;
  /** Removes the tombstone of the id, should it have one. */
  readonly includeErased?: boolean | undefined;
}

/** The value that a write left under its key. */
export type PutValue = Pick<StoredValue, 'id' | 'revision'>;

/** How many waiting notes to take, and for how long. */
export interface ClaimOptions {
  readonly limit: number;
  readonly claimMs: number;
}
