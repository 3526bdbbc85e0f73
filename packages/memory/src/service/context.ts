import type { Calendar } from '../search/calendar.ts';
import type { Store } from '../store/store.ts';
import type { Embedding } from './embedding.ts';
import type { SecretScreen } from './secrets.ts';

/** What every operation of the service stands on. */
export interface ServiceContext {
  readonly store: () => Promise<Store>;
  readonly embedding: Embedding;
  /** The id of a project to read from. */
  readonly canonical: (projectId: string) => Promise<string>;
  /** The id of a project to write to; refuses one that holds a secret. */
  readonly writable: (projectId: string) => Promise<string>;
  readonly screen: () => Promise<SecretScreen>;
  readonly now: () => number;
  /** Where the days begin that a query names. */
  readonly calendar: Calendar;
  readonly createId: () => string;
}

/** What a face passes along with a call. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined;
  /** Resolves when it is the call's turn to read notes; a call that waits for others does so before. */
  readonly turn?: (() => Promise<void>) | undefined;
}
