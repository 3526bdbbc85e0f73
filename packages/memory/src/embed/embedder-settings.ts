import { PROVIDERS, type ProviderName } from './providers.ts';

/** Everything needed to reach an embedding model. The key never leaves this object. */
export interface EmbedderSettings {
  readonly provider: ProviderName;
  readonly model: string;
  /** 0: to be learnt. */
  readonly dim: number;
  readonly baseUrl: string | null;
  readonly apiKey: string | undefined;
}

/** The size of the model's vectors as far as it is known without asking; 0 otherwise. */
export function expectedDim({ provider, model, dim, baseUrl }: EmbedderSettings): number {
  if (dim > 0) return dim;
  const { dims, defaultBaseUrl } = PROVIDERS[provider];
  return baseUrl === defaultBaseUrl ? (dims[model] ?? 0) : 0;
}
