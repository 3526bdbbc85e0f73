import type { Usage } from '../provider/question.ts';

/** A source of the answer, and how far it was checked. */
export interface Citation {
  readonly url: string;
  readonly title?: string;
  /** Only when known. */
  readonly published_at?: string;
  readonly accessed_at: string;
  /** Start and end in `answer` of each passage that rests on it. */
  readonly spans?: readonly (readonly [number, number])[];
  readonly verified: 'source-list' | 'fetched' | 'unverified' | 'broken';
}

/** What a call gives; the names are those of the wire, the first four in the reference's order. */
export interface AnswerResult {
  readonly answer: string;
  readonly used_search: boolean;
  readonly citations: readonly Citation[];
  /** The model as configured. */
  readonly model: string;
  readonly meta: {
    /** The model that really answered. */
    readonly resolved_model: string;
    readonly provider: string;
    readonly status: 'completed';
    readonly cached: boolean;
    /** When a remembered answer was given first. */
    readonly cached_at?: string;
    readonly elapsed_ms: number;
    /** Requests this call sent; none for a remembered answer. */
    readonly attempts: number;
    readonly searches: number;
    readonly usage: Usage;
    /** In the currency of the configured prices; absent when the model has none. */
    readonly cost?: number;
    readonly request_id?: string;
  };
}
