import { PROVIDERS, type ProviderName } from './providers.ts';

/** Everything needed to reach an embedding model. The key never leaves this object. */
export interface EmbedderSettings {
  readonly provider: ProviderName;
  readonly model: string;
  /** 0: to be learnt. */
  readonly dim: number;
  readonly baseUrl: string | null;
  /** Sent to the origin of `baseUrl` only: whoever changes one of them answers for the other. */
  readonly apiKey: string | undefined;
  /** Folder of the package `onnxruntime-node`, for `onnx`; absent: the program's own installation. */
  readonly runtime?: string | undefined;
}

/** Whether two settings reach the same model in the same way. */
export function isSameEmbedder(a: EmbedderSettings, b: EmbedderSettings): boolean {
  return (['provider', 'model', 'dim', 'baseUrl', 'apiKey', 'runtime'] as const).every(
    (key) => a[key] === b[key],
  );
}

/** The size of the model's vectors as far as it is known without asking; 0 otherwise. */
export function expectedDim({ provider, model, dim, baseUrl }: EmbedderSettings): number {
  if (dim > 0) return dim;
  const { dims, defaultBaseUrl } = PROVIDERS[provider];
  return baseUrl === defaultBaseUrl ? (dims[model] ?? 0) : 0;
}
