import { MAX_ANSWER_BYTES } from '../../answer-limit.ts';
import type { CosineSpread, VectorIndex, VectorScores } from '../../search/vector-index.ts';
import { dot } from '../../vectors.ts';
import type {
  Candidate,
  CandidateRequest,
  Candidates,
  NoteFilter,
  SpaceVector,
  Thread,
} from '../store.ts';
import { passes, within } from './filter.ts';
import type { IndexCache } from './index-cache.ts';
import { noteAt } from './notes.ts';
import { notesByVector, type VectorSources } from './notes-by-vector.ts';
import { type AskedTerms, notesByWords, type SearchScope } from './notes-by-words.ts';
import { countNotes, findProject, type ProjectRow } from './projects.ts';
import type { Statements } from './statements.ts';
import { hiddenNotes } from './superseded.ts';
import { Coherence, placeOf, windowAround } from './threads.ts';
import { readVector } from './vectors.ts';

/** What a search reads through. */
export interface CandidateSources extends VectorSources {
  readonly indexes: IndexCache;
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
  const spreads = asked.map(({ scores }) => scores.spread());
  const noteFrequency = frequencies.inProject(terms, project, noteCount);
  const words = {
    terms,
    noteFrequency,
    listLengths: frequencies.of(terms, noteCount),
    deviationsOf: deviationsIn(asked[0], spreads[0]),
  };
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
  const all = load(sql, found, { filter, asked });
  // Where not all can be loaded, the best of either side come first.
  const { candidates, isCut } = all.isCut
    ? load(sql, new Set([...seeds, ...found]), { filter, asked })
    : all;
  return {
    ...(isCut ? { cutAt: MAX_ANSWER_BYTES } : {}),
    candidates: [...candidates.values()],
    statistics: {
      noteCount: project.notes,
      averageLength: project.tokens / project.notes,
      noteFrequency,
    },
    projectNotes: project.notes,
    spreads,
    threads: windows.map(({ seqs, coherence }) => ({
      notes: seqs.map((seq) => candidates.get(seq)?.note.id),
      coherence,
    })),
  };
}

/** How far the codes put a note above the mean of its project, where there are any. */
function deviationsIn(
  asked: Asked | undefined,
  spread: CosineSpread | undefined,
): ((seq: number) => number) | undefined {
  if (asked === undefined || spread === undefined || spread.deviation === 0) return undefined;
  const { mean, deviation } = spread;
  return (seq) => ((asked.scores.of(seq) ?? mean) - mean) / deviation;
}

/** The best by words and by each vector. */
function bestOf(
  sources: CandidateSources,
  scope: SearchScope,
  { words, asked }: { readonly words: AskedTerms; readonly asked: readonly Asked[] },
): (readonly number[])[] {
  const byVectors = asked.map((each) => closest(sources, scope, each));
  return [notesByWords(sources.sql, scope, words), ...byVectors];
}

/** The notes closest to a vector by their own, best first, whose cosines are kept. */
function closest(
  sources: CandidateSources,
  scope: SearchScope,
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

/** Loads notes in order until their texts are too much for one answer. */
function load(
  sql: Statements,
  seqs: Iterable<number>,
  { filter, asked }: { readonly filter: NoteFilter; readonly asked: readonly Asked[] },
): { readonly candidates: ReadonlyMap<number, Candidate>; readonly isCut: boolean } {
  const candidates = new Map<number, Candidate>();
  let left = MAX_ANSWER_BYTES;
  for (const seq of seqs) {
    const held = noteAt(sql, seq, filter.projectId);
    // Neighbours in a thread come from beyond the filter too.
    if (held === undefined || !passes(filter, held.note)) continue;
    const { note, tokens, chars } = held;
    left -= chars;
    if (left < 0 && candidates.size > 0) return { candidates, isCut: true };
    const cosines = asked.map(({ exact, scores }) => exact.get(seq) ?? scores.of(seq));
    candidates.set(seq, { note, tokens, cosines });
  }
  return { candidates, isCut: false };
}
