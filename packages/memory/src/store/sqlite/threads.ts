import {
  closenessOf,
  coherenceFrom,
  isConversation,
  THREAD_GAP_MS,
  THREAD_REACH,
} from '../../search/thread.ts';
import type { VectorIndex } from '../../search/vector-index.ts';
import type { Statements } from './statements.ts';

/** The key of `threadKey` in SQL, as the index over it has it. */
export const THREAD =
  "coalesce('c' || json_extract(metadata, '$.conversationId'), 's' || source, 'g' || group_id)";

const PROJECT_SAMPLE = 200;
const GROUP_SAMPLE = 48;
/** Coherence is a property of how a project is used: this much growth does not change it. */
const TOLERATED_GROWTH = 0.1;

interface Place {
  readonly seq: number;
  readonly created_at: number;
}

/** A note's place in time and what it belongs to. */
export interface ThreadPlace extends Place {
  readonly thread: string;
  readonly group_id: string;
}

/** Where a note stands in its thread. */
export function placeOf(sql: Statements, seq: number): ThreadPlace | undefined {
  return sql.get<ThreadPlace>(
    `SELECT seq, created_at, group_id, ${THREAD} AS thread FROM note WHERE seq = ?`,
    seq,
  );
}

/** A note and those around it in its thread, in order. */
export function windowAround(sql: Statements, project: number, place: ThreadPlace): number[] {
  const before = follow(sql, project, { place, isBackwards: true });
  const after = follow(sql, project, { place, isBackwards: false });
  return [...before.reverse(), place.seq, ...after];
}

function follow(
  sql: Statements,
  project: number,
  { place, isBackwards }: { readonly place: ThreadPlace; readonly isBackwards: boolean },
): number[] {
  const [than, order] = isBackwards ? ['<', 'DESC'] : ['>', 'ASC'];
  const rows = sql.all<Place>(
    `SELECT seq, created_at FROM note WHERE project = ? AND ${THREAD} = ?
     AND (created_at, seq) ${than} (?, ?) ORDER BY created_at ${order}, seq ${order} LIMIT ${THREAD_REACH}`,
    project,
    place.thread,
    place.created_at,
    place.seq,
  );
  const found: number[] = [];
  let at = place.created_at;
  for (const row of rows) {
    if (Math.abs(row.created_at - at) > THREAD_GAP_MS) break;
    found.push(row.seq);
    at = row.created_at;
  }
  return found;
}

/** How coherent the threads of one project are, measured on samples and remembered. */
export class Coherence {
  readonly #sql: Statements;
  readonly #project: number;
  #measuredAt = 0;
  #strangers: readonly number[] = [];
  #closeness = 0;
  readonly #byGroup: Map<string, number> = new Map();

  constructor(sql: Statements, project: number) {
    this.#sql = sql;
    this.#project = project;
  }

  /** 0 to 1 for the thread of a note. */
  of(place: ThreadPlace, index: VectorIndex | undefined): number {
    if (isConversation(place.thread)) return 1;
    if (index === undefined) return 0;
    this.#refresh(index);
    return this.#ofGroup(place.group_id, index);
  }

  #refresh(index: VectorIndex): void {
    const drift = Math.abs(index.size - this.#measuredAt);
    if (this.#measuredAt > 0 && drift <= this.#measuredAt * TOLERATED_GROWTH) return;
    this.#measuredAt = index.size;
    this.#byGroup.clear();
    const notes = index.sample(PROJECT_SAMPLE);
    const half = Math.ceil(notes.length / 2);
    this.#strangers = notes.flatMap((note, i) => index.cosine(note, notes[i + half] ?? -1) ?? []);
    this.#closeness = closenessOf({
      neighbours: this.#neighbourCosines(notes, index),
      strangers: this.#strangers,
    });
  }

  #ofGroup(group: string, index: VectorIndex): number {
    const known = this.#byGroup.get(group);
    if (known !== undefined) return known;
    const notes = this.#sql.column<number>(
      `SELECT seq FROM note WHERE project = ? AND group_id = ? ORDER BY created_at DESC LIMIT ${GROUP_SAMPLE}`,
      this.#project,
      group,
    );
    const neighbours = this.#neighbourCosines(notes, index);
    const closeness = closenessOf({ neighbours, strangers: this.#strangers }, this.#closeness);
    const coherence = coherenceFrom(closeness);
    this.#byGroup.set(group, coherence);
    return coherence;
  }

  #neighbourCosines(notes: readonly number[], index: VectorIndex): number[] {
    return notes.flatMap((note) => {
      const place = placeOf(this.#sql, note);
      if (place === undefined) return [];
      const [next] = follow(this.#sql, this.#project, { place, isBackwards: false });
      return next === undefined ? [] : (index.cosine(note, next) ?? []);
    });
  }
}
