import type { TimeSpan } from '../../search/time-words.ts';
import type { VectorIndex, VectorScores } from '../../search/vector-index.ts';
import { dot } from '../../vectors.ts';
import type { Note } from '../note.ts';
import type {
  Candidate,
  CandidateRequest,
  Candidates,
  NoteFilter,
  SpaceVector,
  Thread,
} from '../store.ts';
import type { IndexCache } from './index-cache.ts';
import { filterSql, noteAt } from './notes.ts';
import { countNotes, findProject, type ProjectRow } from './projects.ts';
import { narrowTokens, scopeQuery, wordQuery } from './scope.ts';
import type { Statements } from './statements.ts';
import { hiddenNotes } from './superseded.ts';
import type { TermFrequencies } from './term-frequencies.ts';
import { Coherence, placeOf, windowAround } from './threads.ts';
import { readVector } from './vectors.ts';

/** List entries one question may read: common words beyond it rank notes but do not fetch them. */
const POSTINGS_BUDGET = 2_500;

/** How many of the closest notes are tried against a filter before its notes are listed instead. */
const WALKED_NOTES = 1_000;

/** Of a time with more notes than this enough of the closest pass. */
const COUNTED_NOTES = 4_000;

/** Trying one note against a filter costs as much as listing this many. */
const WALK_COST = 4;

/** A project with this share of the store is searched without naming it, and strangers are dropped. */
const DOMINANT_SHARE = 0.5;

/** What a search reads through. */
export interface CandidateSources {
  readonly sql: Statements;
  readonly indexes: IndexCache;
  readonly frequencies: TermFrequencies;
}

/** More of the closest by code than are wanted: rounding may have swapped neighbours. */
const ROUNDING_MARGIN = 16;

/** The best by words and the best by each vector whose threads are looked at. */
const SEEDS = 8;

/** One vector of the question, what the codes say to it, and what the vectors themselves say. */
interface Asked extends SpaceVector {
  readonly index: VectorIndex;
  readonly coherence: Coherence;
  readonly scores: VectorScores;
  /** Cosines of the closest notes from their vectors; of the rest the codes say enough. */
  readonly exact: Map<number, number>;
}

/** Gathers the notes that words or vectors speak for, inside one read transaction. */
export function gatherCandidates(sources: CandidateSources, request: CandidateRequest): Candidates {
  const { sql, frequencies } = sources;
  const { filter, terms, limit } = request;
  const noteCount = countNotes(sql);
  const project = findProject(sql, filter.projectId);
  if (project === undefined || project.notes === 0) {
    const statistics = { noteCount: 0, averageLength: 0, noteFrequency: terms.map(() => 0) };
    const spreads = request.vectors.map(() => undefined);
    return { candidates: [], statistics, projectNotes: 0, spreads, threads: [] };
  }
  const asked = request.vectors.map(({ spaceId, vector }): Asked => {
    const { index, coherence } = sources.indexes.open(spaceId, project.id, vector.length);
    return { spaceId, vector, index, coherence, scores: index.scan(vector), exact: new Map() };
  });
  const hidden = new Set(hiddenNotes(sql, project.id));
  for (const { scores } of asked) scores.hide(hidden);
  const scope = { project, filter, limit, noteCount, hasHidden: hidden.size > 0 };
  const words = affordable(terms, frequencies.of(terms, noteCount), project);
  const best = bestOf(sources, scope, { words, asked });
  const seeds = new Set(best.flatMap((some) => some.slice(0, SEEDS)));
  const found = new Set(best.flat());
  if (request.time !== undefined) {
    const then = { ...scope, filter: within(filter, request.time), limit: Math.ceil(limit / 2) };
    for (const seq of bestOf(sources, then, { words, asked }).flat()) found.add(seq);
  }
  const { withThreads = false } = request;
  const windows = withThreads ? threadsAround(sql, { seeds, project, asked: asked[0] }) : [];
  for (const seq of windows.flatMap(({ seqs }) => seqs)) if (!hidden.has(seq)) found.add(seq);
  const candidates = new Map<number, Candidate>();
  for (const seq of found) {
    const held = candidate(sql, { seq, filter, asked });
    if (held !== undefined) candidates.set(seq, held);
  }
  return {
    candidates: [...candidates.values()],
    statistics: {
      noteCount: project.notes,
      averageLength: project.tokens / project.notes,
      noteFrequency: frequencies.inProject(terms, project, noteCount),
    },
    projectNotes: project.notes,
    spreads: asked.map(({ scores }) => scores.spread()),
    threads: windows.map(({ seqs, coherence }) => ({
      notes: seqs.map((seq) => candidates.get(seq)?.note.id),
      coherence,
    })),
  };
}

/** The best by words and by each vector. */
function bestOf(
  sources: CandidateSources,
  scope: Scope,
  { words, asked }: { readonly words: Lookup; readonly asked: readonly Asked[] },
): (readonly number[])[] {
  const byVectors = asked.map((each) => closest(sources, scope, each));
  return [notesByWords(sources.sql, scope, words), ...byVectors];
}

/** The notes closest to a vector by their own, best first, whose cosines are kept. */
function closest(
  sources: CandidateSources,
  scope: Scope,
  { scores, exact, spaceId, vector }: Asked,
): number[] {
  const wide = { ...scope, limit: scope.limit + ROUNDING_MARGIN };
  const near: { readonly seq: number; readonly cosine: number }[] = [];
  for (const seq of notesByVector(sources, wide, scores)) {
    const stored = readVector(sources.sql, spaceId, seq);
    if (stored === undefined) continue;
    const cosine = dot(vector, stored);
    exact.set(seq, cosine);
    near.push({ seq, cosine });
  }
  near.sort((a, b) => b.cosine - a.cosine);
  return near.slice(0, scope.limit).map(({ seq }) => seq);
}

/** Windows of the seeds whose neighbours say something about them. */
function threadsAround(
  sql: Statements,
  {
    seeds,
    project,
    asked,
  }: {
    readonly seeds: ReadonlySet<number>;
    readonly project: ProjectRow;
    readonly asked: Asked | undefined;
  },
): (Pick<Thread, 'coherence'> & { readonly seqs: readonly number[] })[] {
  const coherence = asked?.coherence ?? new Coherence(sql, project.id);
  return [...seeds].flatMap((seed) => {
    const place = placeOf(sql, seed);
    const found = place === undefined ? 0 : coherence.of(place, asked?.index);
    if (place === undefined || found === 0) return [];
    const seqs = windowAround(sql, project.id, place);
    return seqs.length === 1 ? [] : [{ seqs, coherence: found }];
  });
}

interface Scope {
  readonly project: ProjectRow;
  readonly filter: NoteFilter;
  readonly limit: number;
  /** Of the whole store. */
  readonly noteCount: number;
  /** Whether the project has superseded notes. */
  readonly hasHidden: boolean;
}

/** The words to look up, and whether they are too common to be worth ranking by. */
interface Lookup {
  readonly words: readonly string[];
  readonly isCommon: boolean;
}

/** The rarest words first, as many as the budget allows, one at least. */
function affordable(
  terms: readonly string[],
  frequency: readonly number[],
  project: ProjectRow,
): Lookup {
  const known = terms
    .map((word, index) => ({ word, cost: Math.min(frequency[index] ?? 0, project.notes) }))
    .filter(({ cost }) => cost > 0)
    .sort((a, b) => a.cost - b.cost);
  let spent = 0;
  const chosen = known.filter(({ cost }, index) => {
    spent += cost;
    return index === 0 || spent <= POSTINGS_BUDGET;
  });
  return {
    words: chosen.map(({ word }) => word),
    isCommon: (chosen[0]?.cost ?? 0) > POSTINGS_BUDGET,
  };
}

function notesByWords(sql: Statements, scope: Scope, { words, isCommon }: Lookup): number[] {
  if (words.length === 0) return [];
  const { project, filter, limit, noteCount, hasHidden } = scope;
  const isDominant = project.notes >= noteCount * DOMINANT_SHARE;
  const isUnscoped = isDominant && narrowTokens(project.id, filter).length === 0;
  const match = isUnscoped
    ? wordQuery(words)
    : `${scopeQuery(project.id, filter)} AND ${wordQuery(words)}`;
  const isTimed = filter.since !== undefined || filter.until !== undefined;
  const timed = isTimed
    ? 'JOIN note ON note.seq = note_text.rowid AND note.created_at >= ? AND note.created_at < ?'
    : '';
  const times = isTimed
    ? [filter.since ?? Number.MIN_SAFE_INTEGER, filter.until ?? Number.MAX_SAFE_INTEGER]
    : [];
  const shown = hasHidden
    ? 'AND note_text.rowid NOT IN (SELECT seq FROM note WHERE project = ? AND hidden = 1)'
    : '';
  // Every other note holds the word: the newest of them are as good as any, and need no ranking.
  const order = isCommon ? 'note_text.rowid DESC' : 'bm25(note_text, 0, 1.5, 1, 1.5)';
  return sql
    .column<number>(
      `SELECT note_text.rowid FROM note_text ${timed} WHERE note_text MATCH ? ${shown}
       ORDER BY ${order} LIMIT ?`,
      ...times,
      match,
      ...(hasHidden ? [project.id] : []),
      isUnscoped ? limit * 2 : limit,
    )
    .filter((seq) => !isUnscoped || isOfProject(sql, seq, project.id))
    .slice(0, limit);
}

function isOfProject(sql: Statements, seq: number, project: number): boolean {
  return sql.get('SELECT 1 FROM note WHERE seq = ? AND project = ?', seq, project) !== undefined;
}

function notesByVector(
  { sql, frequencies }: CandidateSources,
  { project, filter, limit, noteCount }: Scope,
  scores: VectorScores,
): number[] {
  if (!isNarrowed(filter)) return scores.best(limit).map(({ note }) => note);
  const tokens = narrowTokens(project.id, filter);
  const counts = [...frequencies.of(tokens, noteCount), notesThen(sql, project, filter)];
  const kept = Math.max(1, Math.min(project.notes, ...counts));
  const steps = (limit * project.notes) / kept;
  if (steps * 2 <= WALKED_NOTES && steps * WALK_COST <= kept) {
    const walked = walkDown(sql, scores, { filter, limit });
    if (walked.length === limit) return walked;
  }
  return scores.bestOf(listNotes(sql, project, filter), limit).map(({ note }) => note);
}

/** How many notes the time of a filter keeps, counted as far as it decides anything. */
function notesThen(
  sql: Statements,
  project: ProjectRow,
  { projectId, since, until }: NoteFilter,
): number {
  if (since === undefined && until === undefined) return project.notes;
  const { where, values } = filterSql(project.id, { projectId, since, until });
  const [count = 0] = sql.column<number>(
    `SELECT count(*) FROM (SELECT 1 FROM note WHERE ${where} LIMIT ?)`,
    ...values,
    COUNTED_NOTES,
  );
  return count < COUNTED_NOTES ? count : project.notes;
}

function listNotes(sql: Statements, project: ProjectRow, filter: NoteFilter): number[] {
  const { tags = [], since, until } = filter;
  // The text index alone knows groups and tags, so it is asked alone where there is no time.
  if (tags.length > 0 && since === undefined && until === undefined) {
    return sql.column<number>(
      'SELECT rowid FROM note_text WHERE note_text MATCH ?',
      scopeQuery(project.id, filter),
    );
  }
  const { where, values } = filterSql(project.id, filter);
  return sql.column<number>(`SELECT seq FROM note WHERE ${where}`, ...values);
}

/** The closest notes that pass a wide filter: most do, so trying beats listing. */
function walkDown(
  sql: Statements,
  scores: VectorScores,
  { filter, limit }: { readonly filter: NoteFilter; readonly limit: number },
): number[] {
  const passing: number[] = [];
  for (const { note: seq } of scores.best(WALKED_NOTES)) {
    const row = sql.get<{ group_id: string; tags: string; created_at: number }>(
      'SELECT group_id, tags, created_at FROM note WHERE seq = ?',
      seq,
    );
    if (row === undefined) continue;
    const { group_id: groupId, created_at: createdAt } = row;
    if (!passes(filter, { groupId, createdAt, tags: JSON.parse(row.tags) })) continue;
    passing.push(seq);
    if (passing.length === limit) break;
  }
  return passing;
}

/** What a filter leaves of a stretch of time. */
function within(filter: NoteFilter, { from, to }: TimeSpan): NoteFilter {
  const { since = from, until = to } = filter;
  return { ...filter, since: Math.max(since, from), until: Math.min(until, to) };
}

/** Neighbours in a thread come from beyond the filter too. */
function passes(
  { groupId, tags = [], since, until }: NoteFilter,
  note: Pick<Note, 'groupId' | 'tags' | 'createdAt'>,
): boolean {
  return (
    (groupId === undefined || note.groupId === groupId) &&
    (since === undefined || note.createdAt >= since) &&
    (until === undefined || note.createdAt < until) &&
    tags.every((tag) => note.tags.includes(tag))
  );
}

function isNarrowed({ groupId, tags, since, until }: NoteFilter): boolean {
  return (
    groupId !== undefined || since !== undefined || until !== undefined || (tags ?? []).length > 0
  );
}

function candidate(
  sql: Statements,
  { seq, filter, asked }: { seq: number; filter: NoteFilter; asked: readonly Asked[] },
): Candidate | undefined {
  const held = noteAt(sql, seq, filter.projectId);
  if (held === undefined || !passes(filter, held.note)) return undefined;
  return { ...held, cosines: asked.map(({ exact, scores }) => exact.get(seq) ?? scores.of(seq)) };
}
