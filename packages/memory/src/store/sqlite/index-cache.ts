import { VectorIndex } from '../../search/vector-index.ts';
import type { Statements } from './statements.ts';
import { Coherence } from './threads.ts';
import { blocksAfter, changesAfter, firstBlock, lastChange } from './vectors.ts';

/** Projects whose codes stay in memory; the least recently asked goes first. */
const INDEXES_KEPT = 16;

/** The codes of a project and what its threads are like. */
export interface ProjectIndex {
  readonly index: VectorIndex;
  readonly coherence: Coherence;
}

interface CachedIndex {
  index: VectorIndex;
  readonly coherence: Coherence;
  /** Changes up to here are in the index. */
  seen: number;
  firstBlock: number;
}

/** Codes in memory, loaded at a project's first question and brought up to date before each. */
export class IndexCache {
  readonly #sql: Statements;
  readonly #indexes: Map<string, CachedIndex> = new Map();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The project's codes as of the current read transaction. */
  open(space: number, project: number, dim: number): ProjectIndex {
    const key = `${space}:${project}`;
    const cached = this.#indexes.get(key) ?? {
      ...fresh(dim),
      coherence: new Coherence(this.#sql, project),
    };
    this.#indexes.delete(key);
    this.#indexes.set(key, cached);
    for (const oldest of this.#indexes.keys()) {
      if (this.#indexes.size <= INDEXES_KEPT) break;
      this.#indexes.delete(oldest);
    }
    const last = lastChange(this.#sql);
    if (last !== cached.seen) this.#update(cached, { space, project, dim, last });
    return cached;
  }

  #update(
    cached: CachedIndex,
    { space, project, dim, last }: { space: number; project: number; dim: number; last: number },
  ): void {
    const first = firstBlock(this.#sql, space, project);
    // A first block where there was none is the usual growth; another one replaces all we hold.
    if (cached.firstBlock !== 0 && first !== cached.firstBlock) Object.assign(cached, fresh(dim));
    cached.firstBlock = first;
    for (const block of blocksAfter(this.#sql, { space, project, after: cached.seen })) {
      cached.index.load(block);
      cached.seen = block.through;
    }
    for (const { note, vector } of changesAfter(this.#sql, {
      space,
      project,
      after: cached.seen,
    })) {
      if (vector === undefined) cached.index.remove(note);
      else cached.index.set(note, vector);
    }
    cached.seen = last;
  }
}

function fresh(dim: number): Omit<CachedIndex, 'coherence'> {
  return { index: new VectorIndex(dim), seen: 0, firstBlock: 0 };
}
