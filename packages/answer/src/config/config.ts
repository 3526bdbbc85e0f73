/** Model and manner of one tool. */
export interface ModelProfile {
  readonly model: string;
  readonly reasoningEffort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  readonly verbosity: 'low' | 'medium' | 'high';
}

/** Prices of one model: per million tokens, and per thousand searches. */
export interface ModelPrice {
  readonly input?: number;
  readonly cached?: number;
  readonly output?: number;
  readonly search?: number;
}

/** How the server behaves; `loadConfig` makes one, and its defaults are those of the settings table. */
export interface AnswerConfig {
  readonly openai: {
    readonly apiKeyEnv: string | null;
    readonly baseUrl: string;
    readonly api: 'auto' | 'responses' | 'chat';
    readonly parameters: 'auto' | 'always' | 'never';
    readonly store: boolean;
  };
  readonly modelProfiles: {
    readonly answer: ModelProfile;
    readonly answerDetailed: ModelProfile;
    readonly answerQuick: ModelProfile;
  };
  readonly request: {
    readonly timeoutMs: number;
    readonly idleTimeoutMs: number;
    readonly maxRetries: number;
    readonly maxOutputTokens: number | null;
  };
  readonly policy: {
    readonly maxCitations: number;
    readonly sources: 'append' | 'omit';
    readonly dates: 'known' | 'access';
    readonly timezone: string;
    readonly system: {
      readonly source: 'builtin' | 'file';
      readonly path: string | null;
      readonly merge: 'replace' | 'prepend' | 'append';
    };
  };
  readonly search: {
    readonly mode: 'auto' | 'required' | 'off';
    readonly contextSize: 'low' | 'medium' | 'high' | null;
    readonly defaults: {
      readonly recencyDays: number;
      readonly maxResults: number;
      readonly domains: readonly string[];
    };
    readonly location: {
      readonly country: string | null;
      readonly region: string | null;
      readonly city: string | null;
      readonly timezone: string | null;
    };
  };
  readonly citations: { readonly fetch: boolean; readonly fetchTimeoutMs: number };
  readonly cache: {
    readonly enabled: boolean;
    readonly dir: string | null;
    readonly ttlMs: number | null;
    readonly maxEntries: number;
  };
  readonly replay: 'off' | 'record' | 'replay' | 'auto';
  readonly cassette: string | null;
  readonly budget: {
    readonly maxCalls: number | null;
    readonly maxTokens: number | null;
    readonly maxCost: number | null;
    readonly prices: Readonly<Record<string, ModelPrice>>;
  };
  readonly memory: {
    readonly command: readonly string[] | null;
    readonly project: string;
    readonly group: string;
  };
  readonly errors: 'reference' | 'spec';
  readonly server: {
    readonly debug: boolean;
    readonly debugFile: string | null;
    readonly showConfigOnStart: boolean;
    readonly usageOnExit: boolean;
  };
}
