import type { Settings } from '../../src/config/settings.ts';
import type { Embedder } from '../../src/embed/embedder.ts';
import type { EmbedderSettings } from '../../src/embed/embedder-settings.ts';
import { MemoryError } from '../../src/errors.ts';
import { callMethod } from '../../src/methods/call-method.ts';
import { Memory, type MemoryOptions } from '../../src/service/memory.ts';
import type { Store } from '../../src/store/store.ts';
import { countLetters } from '../embed/fake-provider.ts';
import { inMemoryStore } from '../store/in-memory-store.ts';

export const embedderSettings: EmbedderSettings = {
  provider: 'ollama',
  model: 'letters',
  dim: 16,
  baseUrl: 'http://127.0.0.1:1',
  apiKey: undefined,
};

/** A configuration file that nobody changes. */
const noFile: Settings['embedderFile'] = {
  stamp: '',
  currentStamp: () => '',
  read: async () => ({ embedder: embedderSettings, environmentKey: undefined }),
  save: async () => undefined,
};

export function makeSettings(fields: Partial<Settings> = {}): Settings {
  return {
    transportDefaults: { defaultTransport: 'stdio' },
    embedder: embedderSettings,
    store: { type: 'memory', path: null, url: null },
    paths: { configPath: '/nowhere/config.json', dataDir: '/nowhere/data' },
    secrets: 'redact',
    http: { host: '127.0.0.1', port: 0, token: undefined, allowedHosts: [], allowedOrigins: [] },
    fixedByEnvironment: {},
    environmentKey: undefined,
    embedderFile: noFile,
    ...fields,
  };
}

/** A model that tests can watch, stop and break. */
export class FakeModel implements Embedder {
  readonly settings: EmbedderSettings;
  readonly provider: string;
  readonly model: string;
  dim: number | undefined;
  readonly asked: string[][] = [];
  failure: unknown;
  /** Holds every request until it is resolved. */
  gate: Promise<void> | undefined;
  readonly #size: number;

  constructor(settings: EmbedderSettings, size = 16) {
    const { provider, model, dim } = settings;
    this.settings = settings;
    this.provider = provider;
    this.model = model;
    this.dim = dim > 0 ? dim : undefined;
    this.#size = size;
  }

  async embed(texts: readonly string[], { signal }: { signal?: AbortSignal } = {}) {
    this.asked.push([...texts]);
    await this.gate;
    signal?.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    this.dim = this.#size;
    return texts.map((text) => {
      const vector = Float32Array.from(countLetters(text, this.#size));
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    });
  }

  async close(): Promise<void> {}
}

export const providerDown: MemoryError = new MemoryError('PROVIDER', 'the provider is down', {
  data: { status: 503, retryable: true },
});

/** A memory on the in-memory store with every model it opened, for tests above the store. */
export interface TestMemory {
  readonly memory: Memory;
  readonly store: Store;
  readonly models: FakeModel[];
  readonly saved: EmbedderSettings[];
  readonly clock: { now: number };
  call<T = Record<string, unknown>>(method: string, params?: unknown): Promise<T>;
}

export function makeMemory(
  options: Partial<MemoryOptions> & { readonly size?: number; readonly store?: Store } = {},
): TestMemory {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const store = options.store ?? inMemoryStore(() => clock.now);
  const models: FakeModel[] = [];
  const saved: EmbedderSettings[] = [];
  const memory = new Memory({
    settings: makeSettings(),
    openStore: async () => store,
    openEmbedder: async (settings) => {
      if (settings.provider === 'none') return undefined;
      const model = new FakeModel(settings, options.size);
      models.push(model);
      return model;
    },
    save: async (settings) => {
      saved.push(settings);
    },
    now: () => clock.now,
    ...options,
  });
  const call = <T>(method: string, params?: unknown): Promise<T> =>
    callMethod(memory, `memory.${method}`, params) as Promise<T>;
  return { memory, store, models, saved, clock, call };
}
