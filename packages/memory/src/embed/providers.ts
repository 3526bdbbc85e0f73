/** Where vectors can come from. */
export type ProviderName = 'local' | 'onnx' | 'openai' | 'ollama' | 'none';

/** What is known of a provider before it is asked anything. */
export interface ProviderFacts {
  readonly defaultModel: string;
  readonly defaultBaseUrl: string | null;
  readonly needsKey: boolean;
  /** Sizes of well-known models at the default address; any other is learnt from the first vector. */
  readonly dims: Readonly<Record<string, number>>;
}

/** The one list of providers: configuration, validation and the documentation read it. */
export const PROVIDERS: Readonly<Record<ProviderName, ProviderFacts>> = {
  local: {
    defaultModel: 'static-gte-small-256',
    defaultBaseUrl: null,
    needsKey: false,
    dims: {},
  },
  // No default model: it is a folder of the user's.
  onnx: { defaultModel: '', defaultBaseUrl: null, needsKey: false, dims: {} },
  openai: {
    defaultModel: 'text-embedding-3-small',
    defaultBaseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    dims: {
      'text-embedding-3-small': 1536,
      'text-embedding-3-large': 3072,
      'text-embedding-ada-002': 1536,
    },
  },
  ollama: {
    defaultModel: 'nomic-embed-text',
    defaultBaseUrl: 'http://127.0.0.1:11434',
    needsKey: false,
    dims: {},
  },
  none: { defaultModel: 'none', defaultBaseUrl: null, needsKey: false, dims: {} },
};

/** Whether a configured name is one of ours. */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDERS, name);
}
