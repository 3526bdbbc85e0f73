import type { WeighedWord } from '../embed/embedder.ts';
import { answerTooLarge, toRpcError } from '../errors.ts';
import { matchingWords } from '../search/matching-words.ts';
import { isAnyNamed, splitNames } from '../search/names.ts';
import { queryTerms } from '../search/query-terms.ts';
import { weighedWords, wordRarity, wordWeigher } from '../search/query-weights.ts';
import { type RankedNote, rankCandidates } from '../search/rank.ts';
import { isUnfit, NAMING_NOTES, type NameEvidence, scoreRanked } from '../search/score.ts';
import { embeddedText } from '../search/searchable.ts';
import { timeNamed } from '../search/time-words.ts';
import { tokenize } from '../search/tokenize.ts';
import type { Store } from '../store/store.ts';
import { type Detail, fitBudget, type NoteResult, viewResult } from './answer-size.ts';
import type { CallContext, ServiceContext } from './context.ts';
import type { AskedVectors } from './embedding.ts';
import { noteFilter } from './note-filter.ts';
import { wellFormed } from './well-formed.ts';

/** Candidates fetched from each side, however few are wanted: fusing needs more than it shows. */
const MIN_CANDIDATES = 24;

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

  async search(params: SearchParams, { signal, turn }: CallContext = {}): Promise<SearchAnswer> {
    const { embedding } = this.#context;
    const { topK = 5, mode = 'context', detail = 'full', maxTokens } = params;
    const filter = await noteFilter(params, this.#context);
    const query = wellFormed(params.query);
    if (topK === 0) return { namespace: await embedding.namespace(), results: [] };
    const store = await this.#context.store();
    // Whoever waits for a provider keeps no other call from reading.
    const { isInstant } = embedding;
    if (isInstant) await turn?.();
    const asked = await this.#ask(query, mode, { store, signal, projectId: filter.projectId });
    if (!isInstant) await turn?.();
    embedding.kick();
    const terms = mode === 'vector' ? [] : queryTerms(query);
    const time = timeNamed(query, this.#context.now(), this.#context.calendar);
    const limit = Math.max(MIN_CANDIDATES, topK * 2);
    const found = await store.findCandidates({
      filter,
      terms,
      vectors: asked.vectors,
      limit,
      withThreads: mode === 'context',
      ...(time?.isDate === true ? { time } : {}),
    });
    if (found.cutAt !== undefined && found.candidates.length < topK) {
      throw answerTooLarge('topK', topK, found.cutAt);
    }
    const likeness =
      asked.words.length === 0
        ? undefined
        : await embedding.likeness(
            asked.words,
            found.candidates.map(({ note }) => embeddedText(note)),
          );
    const { projectNotes } = found;
    const wanted = Math.max(topK, NAMING_NOTES);
    const inOrder = rankCandidates(found, { terms, likeness, time, limit: wanted });
    const scored = scoreRanked(inOrder, projectNotes, await this.#namesIn(query, inOrder));
    const { minScore = mode === 'context' ? undefined : 0 } = params;
    const ranked = fitting(scored, { projectNotes, minScore }).slice(0, topK);
    const { failure } = asked;
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

  /** What the names in a question say of its answer; nothing where it has none. */
  async #namesIn(query: string, ranked: readonly RankedNote[]): Promise<NameEvidence | undefined> {
    const { names, others } = splitNames(query);
    const [first, ...next] = ranked.slice(0, NAMING_NOTES).map(({ note }) => embeddedText(note));
    if (names.length === 0 || first === undefined) return undefined;
    if (!isAnyNamed(names, [first, ...next])) return { isNamed: false };
    const words = others.map((word) => ({ word, weight: 1 }));
    const fit = words.length === 0 ? [] : await this.#context.embedding.likeness(words, [first]);
    return { isNamed: true, others: fit?.[0] };
  }

  /** The question as vectors, and as words where the model knows them one by one. */
  async #ask(
    query: string,
    mode: SearchMode,
    {
      store,
      signal,
      projectId,
    }: {
      readonly store: Store;
      readonly signal: AbortSignal | undefined;
      readonly projectId: string;
    },
  ): Promise<AskedVectors & { readonly words: readonly WeighedWord[] }> {
    if (mode === 'lexical') return { vectors: [], words: [], failure: undefined };
    const tokens = [...new Set(tokenize(query))];
    const rarity = wordRarity(tokens, await store.countTerms(tokens, projectId));
    const weigh = wordWeigher(rarity);
    const { vectors, failure } = await this.#context.embedding.forQuery(query, { signal, weigh });
    // Alone, vectors are asked for what they say without words.
    const words = mode === 'vector' || vectors.length === 0 ? [] : weighedWords(query, rarity);
    return { vectors, failure, words };
  }
}

type ScoredNote = RankedNote & { readonly score: number };

/** Asked for nothing else, an answer is empty when not even its first note fits. */
function fitting(
  ranked: readonly ScoredNote[],
  {
    projectNotes,
    minScore,
  }: { readonly projectNotes: number; readonly minScore?: number | undefined },
): readonly ScoredNote[] {
  if (minScore !== undefined) return ranked.filter(({ score }) => score >= minScore);
  return isUnfit(ranked[0]?.score ?? 0, projectNotes) ? [] : ranked;
}

function warningFrom(failure: unknown): Warning {
  const { rpcCode, message, data } = toRpcError(failure);
  return { code: rpcCode, message, ...(data === undefined ? {} : { data }) };
}
