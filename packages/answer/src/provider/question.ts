import type { ModelProfile } from '../config/config.ts';

/** What is put to the upstream, whichever API carries it. */
export interface Question {
  readonly profile: ModelProfile;
  readonly instructions: string;
  /** The query with its hints. */
  readonly text: string;
  /** Domains to keep the search to; empty means everywhere. */
  readonly domains: readonly string[];
}

/** Tokens a reply consumed. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** A complete reply: never a failed, cut or refused one, those are thrown. */
export interface Reply {
  readonly provider: 'openai-responses' | 'openai-chat';
  readonly status: 'completed';
  /** The model that really answered, when the upstream says. */
  readonly model?: string;
  /** Output items in the form of the Responses API. */
  readonly output: readonly unknown[];
  readonly usage: Usage;
  readonly requestId?: string;
  /** Requests sent to get it, retries and fallbacks included. */
  readonly attempts: number;
}

/** Something worth telling the asker while the answer is on its way. */
export interface UpstreamEvent {
  readonly message: string;
  /** Whether answer text has begun to arrive; from then on nothing is retried. */
  readonly isOutput: boolean;
}
