import { completeEmbedder } from '../config/resolve-embedder.ts';
import type { BoundKey, Settings } from '../config/settings.ts';
import { embedderProblem, isHeaderValue } from '../embed/embedder-problem.ts';
import { type EmbedderSettings, isSameEmbedder } from '../embed/embedder-settings.ts';
import { keyOrigin } from '../embed/endpoint.ts';
import { assertKey } from '../embed/open-embedder.ts';
import { isProviderName, PROVIDERS } from '../embed/providers.ts';
import { invalidParams } from '../errors.ts';
import { assertNoPath, type EmbedderPatch } from './embedder-patch.ts';
import type { Embedding } from './embedding.ts';
import { type EmbeddingProgress, FEW_PENDING } from './embedding-progress.ts';

/** Writes the embedder's settings where the next start will find them. */
export type SaveEmbedder = (settings: EmbedderSettings) => Promise<void>;

/** The configuration as it is shown and changed; a key goes in and never comes out. */
export class ConfigurationService {
  readonly #settings: Settings;
  readonly #embedding: Embedding;
  readonly #save: SaveEmbedder;
  readonly #isStoreOpen: () => boolean;
  #environmentKey: BoundKey | undefined;
  #stamp: string;
  #rereading: Promise<void> | undefined;

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
    this.#environmentKey = settings.environmentKey;
    this.#stamp = settings.embedderFile.stamp;
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
    embedder = {},
  }: {
    readonly embedder?: EmbedderPatch;
  }): Promise<{ ok: true; effectiveNamespace: string }> {
    const before = this.#embedding.settings;
    assertNoPath(embedder, { before, configPath: this.#settings.paths.configPath });
    const after = this.#changed(before, embedder);
    if (!isSameEmbedder(before, after)) {
      this.#assertFree(before, after);
      assertUsable(after);
      assertKey(after);
      await this.#save(after);
      await this.#embedding.change(after);
    }
    return { ok: true, effectiveNamespace: await this.#embedding.namespace() };
  }

  /** Puts in force what another process saved; `undefined` where nothing is to be waited for. One stat. */
  refresh(): Promise<void> | undefined {
    const { embedderFile } = this.#settings;
    const stamp = embedderFile.currentStamp();
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#rereading = this.#reread().finally(() => {
        this.#rereading = undefined;
      });
    }
    return this.#rereading;
  }

  async #reread(): Promise<void> {
    // A file that is being edited or has a mistake changes nothing; `doctor` and the next start say why.
    const read = await this.#settings.embedderFile.read().catch(() => undefined);
    if (read === undefined) return;
    this.#environmentKey = read.environmentKey;
    if (isSameEmbedder(this.#embedding.settings, read.embedder)) return;
    await this.#embedding.replace(read.embedder);
  }

  /** How far the notes are on their way to another model; `undefined` when they are not. */
  async #unfinished(): Promise<EmbeddingProgress | undefined> {
    // A store that nothing has needed yet is not opened for the sake of its figures.
    if (!this.#isStoreOpen()) return undefined;
    // What cannot be read is no reason to hide the rest.
    const progress = await this.#embedding.progress().catch(() => undefined);
    return progress !== undefined && progress.pending > FEW_PENDING ? progress : undefined;
  }

  /** Another provider starts from its own defaults; a key stays where its origin does. */
  #changed(before: EmbedderSettings, patch: EmbedderPatch): EmbedderSettings {
    const provider = patch.provider ?? before.provider;
    if (!isProviderName(provider)) {
      const names = Object.keys(PROVIDERS).join(', ');
      throw invalidParams(
        `expected embedder.provider to be one of ${names}, got \`${provider}\``,
        'embedder.provider',
      );
    }
    if (patch.baseUrl && PROVIDERS[provider].defaultBaseUrl === null) {
      throw invalidParams(
        `provider \`${provider}\` has no address: set embedder.baseUrl together with provider \`openai\` or \`ollama\``,
        'embedder.baseUrl',
      );
    }
    const kept = provider === before.provider ? before : undefined;
    const model = patch.model ?? kept?.model;
    const baseUrl = patch.baseUrl ?? kept?.baseUrl;
    const dim = model === kept?.model && baseUrl === kept?.baseUrl ? kept?.dim : 0;
    const apiKey = patch.apiKey ?? this.#keyFor(keyOrigin({ provider, baseUrl }), before);
    if (patch.apiKey && !isHeaderValue(patch.apiKey)) {
      throw invalidParams(
        'embedder.apiKey: expected visible ASCII without spaces and line breaks',
        'embedder.apiKey',
      );
    }
    return completeEmbedder({ provider, model, baseUrl, apiKey, dim, runtime: before.runtime });
  }

  #keyFor(origin: string, before: EmbedderSettings): string | undefined {
    if (this.#environmentKey?.origin === origin) return this.#environmentKey.value;
    return keyOrigin(before) === origin ? before.apiKey : undefined;
  }

  /** What the environment decides would be back at the next start: saying so beats seeming to obey. */
  #assertFree(before: EmbedderSettings, after: EmbedderSettings): void {
    for (const [key, variable] of Object.entries(this.#settings.fixedByEnvironment)) {
      const name = key as keyof EmbedderSettings;
      if (before[name] !== after[name]) throw decidedBy(variable, name);
    }
    const fixedKey = this.#environmentKey;
    if (fixedKey?.origin === keyOrigin(after) && fixedKey.value !== after.apiKey) {
      throw decidedBy('OPENAI_API_KEY', 'apiKey');
    }
  }
}

function decidedBy(variable: string, key: keyof EmbedderSettings): Error {
  return invalidParams(
    `embedder.${key} is decided by the environment variable \`${variable}\` or its option on the command line`,
    `embedder.${key}`,
  );
}

function assertUsable(settings: EmbedderSettings): void {
  const problem = embedderProblem(settings);
  if (problem === undefined) return;
  throw invalidParams(`embedder.${problem.key}: ${problem.message}`, `embedder.${problem.key}`);
}
