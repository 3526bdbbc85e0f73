import { toRpcError } from '../errors.ts';
import { matchingWords } from '../search/matching-words.ts';
import { queryTerms } from '../search/query-terms.ts';
import { wordWeigher } from '../search/query-weights.ts';
import { type RankedNote, rankCandidates } from '../search/rank.ts';
import { canAbstain } from '../search/score.ts';
import { tokenize } from '../search/tokenize.ts';
import type { Store } from '../store/store.ts';
import { type Detail, fitBudget, type NoteResult, viewResult } from './answer-size.ts';
import type { CallContext, ServiceContext } from './context.ts';
import { noteFilter } from './note-filter.ts';
import { wellFormed } from './well-formed.ts';

/** Candidates fetched from each side, however few are wanted: fusing needs more than it shows. */
const MIN_CANDIDATES = 24;

/** The best note of an answer that has any must be this close, unless the question says otherwise. */
const FITTING_SCORE = 0.25;

/** What notes are found by; each way but the last leaves something out, to see what it brings. */
export type SearchMode = 'lexical' | 'vector' | 'hybrid' | 'context';

/** Parameters of `memory.search`. */
export interface SearchParams {
  readonly projectId: string;
  readonly query: string;
  readonly groupId?: string;
  readonly topK?: number;
  readonly tags?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly minScore?: number;
  readonly mode?: SearchMode;
  readonly detail?: Detail;
  readonly maxTokens?: number;
}

/** What a search found. */
export interface SearchAnswer {
  readonly namespace: string;
  readonly results: readonly NoteResult[];
  /** Results that the budget had no room for. */
  readonly omitted?: number;
  readonly warning?: Warning;
}

/** The part of an answer that says what could not be done fully. */
export interface Warning {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Finds notes by their words, their meaning and the notes around them. */
export class SearchService {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async search(params: SearchParams, { signal }: CallContext = {}): Promise<SearchAnswer> {
    const { embedding } = this.#context;
    const { topK = 5, mode = 'context', detail = 'full', maxTokens } = params;
    const filter = await noteFilter(params, this.#context);
    const query = wellFormed(params.query);
    if (topK === 0) return { namespace: await embedding.namespace(), results: [] };
    const store = await this.#context.store();
    const { vectors, failure } =
      mode === 'lexical'
        ? { vectors: [], failure: undefined }
        : await embedding.forQuery(query, { signal, weigh: await weigherFor(query, store) });
    embedding.kick();
    const terms = mode === 'vector' ? [] : queryTerms(query);
    const limit = Math.max(MIN_CANDIDATES, topK * 2);
    const found = await store.findCandidates({
      filter,
      terms,
      vectors,
      limit,
      withThreads: mode === 'context',
    });
    const ranked = fitting(rankCandidates(found, terms), {
      projectNotes: found.projectNotes,
      minScore: params.minScore,
    }).slice(0, topK);
    // An empty answer would claim that nothing is there, when the half that might know was not asked.
    if (failure !== undefined && ranked.length === 0) {
      if ((await store.listNotes(filter, 1)).length > 0) throw failure;
    }
    const results = ranked.map(({ note, score, foundBy, terms: shared, context }) =>
      viewResult(note, {
        score,
        detail,
        match: {
          by: foundBy,
          words: matchingWords(query, shared),
          ...(context.length > 0 ? { context } : {}),
        },
      }),
    );
    const kept = maxTokens === undefined ? results : fitBudget(results, maxTokens);
    const omitted = results.length - kept.length;
    return {
      namespace: await embedding.namespace(),
      results: kept,
      ...(omitted > 0 ? { omitted } : {}),
      ...(failure === undefined ? {} : { warning: warningFrom(failure) }),
    };
  }
}

async function weigherFor(query: string, store: Store): Promise<(word: string) => number> {
  const words = [...new Set(tokenize(query))];
  return wordWeigher(words, await store.countTerms(words));
}

/** Asked for nothing else, an answer is empty when not even its first note fits. */
function fitting(
  ranked: readonly RankedNote[],
  {
    projectNotes,
    minScore,
  }: { readonly projectNotes: number; readonly minScore?: number | undefined },
): readonly RankedNote[] {
  if (minScore !== undefined) return ranked.filter(({ score }) => score >= minScore);
  const isFitting = !canAbstain(projectNotes) || (ranked[0]?.score ?? 0) >= FITTING_SCORE;
  return isFitting ? ranked : [];
}

function warningFrom(failure: unknown): Warning {
  const { rpcCode, message, data } = toRpcError(failure);
  return { code: rpcCode, message, ...(data === undefined ? {} : { data }) };
}
