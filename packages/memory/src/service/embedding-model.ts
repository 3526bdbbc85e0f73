import type { Embedder, EmbedOptions, WeighedWord } from '../embed/embedder.ts';
import { type EmbedderSettings, expectedDim } from '../embed/embedder-settings.ts';
import { MemoryError } from '../errors.ts';
import type { Space, SpaceName } from '../store/space.ts';

/** Opens a model; `undefined` where words alone are wanted. */
export type OpenEmbedder = (settings: EmbedderSettings) => Promise<Embedder | undefined>;

/** Finds or makes the space of some vectors. */
export type EnterSpace = (name: SpaceName) => Promise<Space>;

/** Texts in the space of their model. */
export interface Embedded {
  readonly space: Space;
  readonly vectors: readonly Float32Array[];
}

/** One configured model: opened at first use, its space made as soon as its size is known. */
export class EmbeddingModel {
  readonly settings: EmbedderSettings;
  readonly #open: OpenEmbedder;
  readonly #enterSpace: EnterSpace;
  #opening: Promise<Embedder | undefined> | undefined;
  #embedder: Embedder | undefined;
  #space: Space | undefined;
  #isInstant = false;

  constructor(
    settings: EmbedderSettings,
    { open, enter }: { readonly open: OpenEmbedder; readonly enter: EnterSpace },
  ) {
    this.settings = settings;
    this.#open = open;
    this.#enterSpace = enter;
  }

  /** Whether a text becomes a vector within one turn of the event loop. */
  get isInstant(): boolean {
    return this.#isInstant;
  }

  /** Names the space as well as it is known now; dim 0 means not yet. */
  async name(): Promise<SpaceName> {
    const { provider, model } = this.settings;
    // A model that cannot be opened still has the name it was configured by.
    const embedder = await this.#opened().catch(() => undefined);
    if (this.#space !== undefined) return this.#space;
    return {
      provider,
      model: embedder?.model ?? model,
      dim: embedder?.dim ?? expectedDim(this.settings),
    };
  }

  /** The space, where the size of its vectors is known without asking the model. */
  async space(): Promise<Space | undefined> {
    if (this.#space !== undefined || this.settings.provider === 'none') return this.#space;
    const name = await this.name();
    if (name.dim > 0) await this.#enter(name);
    return this.#space;
  }

  /** Throws what the provider throws; `undefined` where there is no model. */
  async embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded | undefined> {
    const embedder = await this.#opened();
    if (embedder === undefined) return undefined;
    let isSameTurn = true;
    const turn = setImmediate(() => {
      isSameTurn = false;
    });
    const vectors = await embedder.embed(texts, options).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      throw toModelError(error);
    });
    clearImmediate(turn);
    this.#isInstant = isSameTurn;
    const dim = vectors[0]?.length ?? 0;
    const { provider, model } = embedder;
    return { space: await this.#enter({ provider, model, dim }), vectors };
  }

  /** `undefined` where the model does not know single words. */
  async likeness(
    words: readonly WeighedWord[],
    texts: readonly string[],
  ): Promise<number[] | undefined> {
    return (await this.#opened())?.likeness?.(words, texts);
  }

  async close(): Promise<void> {
    await this.#embedder?.close();
  }

  async #opened(): Promise<Embedder | undefined> {
    this.#opening ??= this.#open(this.settings);
    try {
      this.#embedder = await this.#opening;
      return this.#embedder;
    } catch (error) {
      // The next call tries again: the cause may be gone by then.
      this.#opening = undefined;
      throw toModelError(error);
    }
  }

  async #enter(name: SpaceName): Promise<Space> {
    if (this.#space !== undefined && this.#space.dim === name.dim) return this.#space;
    const { provider, model, dim } = name;
    this.#space = await this.#enterSpace({ provider, model, dim });
    return this.#space;
  }
}

/** A model that ships with the package fails in its own words, which say the way out. */
function toModelError(error: unknown): unknown {
  if (error instanceof MemoryError || !(error instanceof Error)) return error;
  return new MemoryError('PROVIDER', error.message, {
    cause: error,
    data: { status: null, retryable: false },
  });
}
