import type { SecretPolicy } from '../config/settings.ts';
import type { Store } from '../store/store.ts';
import type { Embedding } from './embedding.ts';

/** What every operation of the service stands on. */
export interface ServiceContext {
  readonly store: () => Promise<Store>;
  readonly embedding: Embedding;
  readonly canonical: (projectId: string) => Promise<string>;
  readonly secrets: () => SecretPolicy;
  readonly now: () => number;
  readonly createId: () => string;
}

/** What a face passes along with a call. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined;
}
