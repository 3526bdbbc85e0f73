import { completeEmbedder } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { EmbedderSettings } from '../embed/embedder-settings.ts';
import { assertKey } from '../embed/open-embedder.ts';
import { isProviderName, PROVIDERS } from '../embed/providers.ts';
import { invalidParams } from '../errors.ts';
import type { Embedding } from './embedding.ts';
import { type EmbeddingProgress, FEW_PENDING } from './embedding-progress.ts';

/** The embedder as `set_config` may change it. */
export interface EmbedderPatch {
  readonly provider?: string | null;
  readonly model?: string | null;
  readonly baseUrl?: string | null;
  readonly apiKey?: string | null;
}

/** Writes the embedder's settings where the next start will find them. */
export type SaveEmbedder = (settings: EmbedderSettings) => Promise<void>;

/** The configuration as it is told and changed; a key goes in and never comes out. */
export class ConfigurationService {
  readonly #settings: Settings;
  readonly #embedding: Embedding;
  readonly #save: SaveEmbedder;
  readonly #isStoreOpen: () => boolean;

  constructor(
    settings: Settings,
    {
      embedding,
      save,
      isStoreOpen,
    }: {
      readonly embedding: Embedding;
      readonly save: SaveEmbedder;
      readonly isStoreOpen: () => boolean;
    },
  ) {
    this.#settings = settings;
    this.#embedding = embedding;
    this.#save = save;
    this.#isStoreOpen = isStoreOpen;
  }

  async get(): Promise<{
    transportDefaults: Settings['transportDefaults'];
    embedder: { provider: string; model: string; dim: number; baseUrl: string | null };
    store: Settings['store'];
    paths: Settings['paths'];
    vectors?: EmbeddingProgress;
  }> {
    const { transportDefaults, store, paths } = this.#settings;
    const { provider, model, baseUrl } = this.#embedding.settings;
    // A store that cannot be opened must not keep its path from whoever has to repair it.
    const dim = await this.#embedding.dim().catch(() => 0);
    const vectors = await this.#unfinished();
    return {
      ...{ transportDefaults, embedder: { provider, model, dim, baseUrl }, store, paths },
      ...(vectors === undefined ? {} : { vectors }),
    };
  }

  async set({
    embedder,
  }: {
    readonly embedder?: EmbedderPatch;
  }): Promise<{ ok: true; effectiveNamespace: string }> {
    const before = this.#embedding.settings;
    const settings = changed(before, embedder ?? {});
    if (!isEqual(before, settings)) {
      this.#assertFree(before, settings);
      assertKey(settings);
      await this.#save(settings);
      await this.#embedding.change(settings);
    }
    return { ok: true, effectiveNamespace: await this.#embedding.namespace() };
  }

  /** How far the notes are on their way to another model; `undefined` when they are not. */
  async #unfinished(): Promise<EmbeddingProgress | undefined> {
    // A store that nothing has needed yet is not opened for the sake of its figures.
    if (!this.#isStoreOpen()) return undefined;
    // What cannot be read is no reason to hide the rest.
    const progress = await this.#embedding.progress().catch(() => undefined);
    return progress !== undefined && progress.pending > FEW_PENDING ? progress : undefined;
  }

  /** What the environment decides would be back at the next start: saying so beats seeming to obey. */
  #assertFree(before: EmbedderSettings, after: EmbedderSettings): void {
    const fixed = Object.entries(this.#settings.fixedByEnvironment);
    for (const [key, variable] of fixed) {
      const name = key as keyof EmbedderSettings;
      if (before[name] === after[name]) continue;
      throw invalidParams(
        `embedder.${key} is decided by the environment variable \`${variable}\``,
        `embedder.${key}`,
      );
    }
  }
}

/** Another provider starts from its own defaults; the key stays, for the way back. */
function changed(before: EmbedderSettings, patch: EmbedderPatch): EmbedderSettings {
  const provider = patch.provider ?? before.provider;
  if (!isProviderName(provider)) {
    const names = Object.keys(PROVIDERS).join(', ');
    throw invalidParams(
      `expected embedder.provider to be one of ${names}, got \`${provider}\``,
      'embedder.provider',
    );
  }
  const kept = provider === before.provider ? before : undefined;
  const model = patch.model ?? kept?.model;
  const baseUrl = patch.baseUrl ?? kept?.baseUrl;
  const apiKey = patch.apiKey ?? before.apiKey;
  const dim = model === kept?.model && baseUrl === kept?.baseUrl ? kept?.dim : 0;
  return completeEmbedder({
    provider,
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(dim === undefined ? {} : { dim }),
  });
}

function isEqual(a: EmbedderSettings, b: EmbedderSettings): boolean {
  return (['provider', 'model', 'dim', 'baseUrl', 'apiKey'] as const).every((k) => a[k] === b[k]);
}
