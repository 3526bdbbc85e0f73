import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { EmbedOptions, WeighedWord } from '../embed/embedder.ts';
import type { EmbedderSettings } from '../embed/embedder-settings.ts';
import { providerError } from '../embed/provider-error.ts';
import { MemoryError } from '../errors.ts';
import { namespaceOf, type Space, type SpaceName } from '../store/space.ts';
import type { SpaceVector, Store } from '../store/store.ts';
import { EmbeddingModel, type OpenEmbedder } from './embedding-model.ts';
import { type EmbeddingProgress, FEW_PENDING } from './embedding-progress.ts';
import { EmbeddingQueue } from './embedding-queue.ts';
import { settingsOfSpace } from './settings-of-space.ts';

/** What a question became. */
export interface AskedVectors {
  readonly vectors: readonly SpaceVector[];
  /** Why there is no vector although there should be one. */
  readonly failure: unknown;
}

/** What the embedding of a store's notes works with. */
export interface EmbeddingOptions {
  readonly settings: EmbedderSettings;
  readonly store: () => Promise<Store>;
  readonly open: OpenEmbedder;
  readonly now: () => number;
  /** How long a question waits for its vector before the words must do. */
  readonly askWaitMs: number;
  readonly onProgress?: ((progress: EmbeddingProgress) => void) | undefined;
}

/** The model in force, the one before it while its vectors still serve, and the work between them. */
export class Embedding {
  readonly #options: EmbeddingOptions;
  #model: EmbeddingModel;
  #queue: EmbeddingQueue;
  #older: { readonly space: Space; readonly model: EmbeddingModel } | undefined;
  #olderKnownUntil = 0;
  /** Settings that were in force in this process until the last change. */
  #before: EmbedderSettings | undefined;

  constructor(options: EmbeddingOptions) {
    this.#options = options;
    this.#model = this.#createModel(options.settings);
    this.#queue = this.#createQueue();
  }

  get settings(): EmbedderSettings {
    return this.#model.settings;
  }

  /** Why notes are waiting; `undefined` when nothing is wrong. */
  get failure(): unknown {
    return this.#queue.lastError;
  }

  async namespace(): Promise<string> {
    return namespaceOf(await this.#model.name());
  }

  async dim(): Promise<number> {
    return (await this.#model.name()).dim;
  }

  /**
   * A vector to be written together with its note, where that costs no waiting. The very first note of a
   * model of unknown size waits for it, because its answer names the space.
   */
  async forNote(text: string): Promise<SpaceVector | undefined> {
    const space = await this.#model.space();
    if (space !== undefined && !this.#model.isInstant) return undefined;
    // A provider known to fail is the queue's business; notes do not wait for it.
    if (space === undefined && this.#queue.lastError !== undefined) return undefined;
    const embedding = this.#model
      .embed([text], { kind: 'note' })
      .then((embedded) => toSpaceVector(embedded))
      // The queue meets the same failure, remembers it and tries again.
      .catch(() => undefined);
    const patience =
      space === undefined ? delay(this.#options.askWaitMs, undefined, { ref: false }) : nextTurn();
    return Promise.race([embedding, patience.then(() => undefined)]);
  }

  /** Whether the model in force answers at once, without anybody to wait for. */
  get isInstant(): boolean {
    return this.#model.isInstant;
  }

  /** Vectors of a question in the space in force and, while that is being filled, in the older one. */
  async forQuery(
    query: string,
    { signal, weigh }: Pick<EmbedOptions, 'weigh'> & { readonly signal?: AbortSignal | undefined },
  ): Promise<AskedVectors> {
    const limit = AbortSignal.timeout(this.#options.askWaitMs);
    const options = {
      kind: 'query',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(weigh === undefined ? {} : { weigh }),
    } as const;
    const [current, older] = await Promise.allSettled([
      withAbort(this.#model.embed([query], options), options.signal),
      this.#askOlder(query, options),
    ]);
    signal?.throwIfAborted();
    const vectors = [current, older].flatMap((asked) =>
      asked.status === 'fulfilled' ? (toSpaceVector(asked.value) ?? []) : [],
    );
    if (current.status === 'fulfilled') return { vectors, failure: undefined };
    return { vectors, failure: limit.aborted ? tooSlow(this.#options.askWaitMs) : current.reason };
  }

  /** How far the space in force is filled; `undefined` before it is known. */
  async progress(): Promise<EmbeddingProgress | undefined> {
    const current = await this.#model.space();
    const spaces = await (await this.#options.store()).listSpaces();
    const found = spaces.find(({ space }) => space.id === current?.id);
    return found && { done: found.vectors, pending: found.pending };
  }

  /** How well words find their like in texts, where the model in force can tell. */
  likeness(words: readonly WeighedWord[], texts: readonly string[]): Promise<number[] | undefined> {
    return this.#model.likeness(words, texts);
  }

  /** Sees to the waiting notes. */
  kick(): void {
    if (this.settings.provider !== 'none') this.#queue.kick();
  }

  /** Embeds every waiting note; with `all` every note anew. */
  async fill({
    all = false,
    signal,
  }: {
    all?: boolean;
    signal?: AbortSignal | undefined;
  }): Promise<void> {
    const space = await this.#model.space();
    if (all && space !== undefined) await (await this.#options.store()).resetSpace(space.id);
    await this.#queue.drain({ signal });
  }

  /** Puts another model in force; the vectors of the last one serve until the new ones are there. */
  async change(settings: EmbedderSettings): Promise<void> {
    await this.#swap(settings);
    // Asked now, a model of unknown size can be named in the answer; one that is away is named later.
    await this.forNote('size');
    this.kick();
  }

  /** Like {@link change}, for a model that somebody else chose: nobody waits for its size. */
  async replace(settings: EmbedderSettings): Promise<void> {
    await this.#swap(settings);
    this.kick();
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#model.close();
    await this.#older?.model.close();
  }

  async #swap(settings: EmbedderSettings): Promise<void> {
    const [model, queue] = [this.#model, this.#queue];
    this.#model = this.#createModel(settings);
    this.#queue = this.#createQueue();
    this.#before = model.settings;
    this.#olderKnownUntil = 0;
    await queue.close();
    await model.close();
  }

  async #askOlder(
    query: string,
    options: EmbedOptions & { readonly signal: AbortSignal },
  ): Promise<Awaited<ReturnType<EmbeddingModel['embed']>>> {
    await this.#findOlder();
    const older = this.#older;
    if (older === undefined) return undefined;
    return withAbort(older.model.embed([query], options), options.signal);
  }

  /** Looks now and then, since another process may be doing the filling. */
  async #findOlder(): Promise<void> {
    const now = this.#options.now();
    if (now < this.#olderKnownUntil) return;
    this.#olderKnownUntil = now + 5_000;
    const current = await this.#model.space();
    const spaces = await (await this.#options.store()).listSpaces();
    const filling = spaces.find(({ space }) => space.id === current?.id);
    const other = spaces.find(({ space, vectors }) => space.id !== current?.id && vectors > 0);
    // A space that is not there yet, its model being new, is as good as empty.
    const isFilled = filling !== undefined && filling.pending <= FEW_PENDING;
    const isNeeded = this.settings.provider !== 'none' && !isFilled;
    if (!isNeeded || other === undefined) {
      this.#older = undefined;
    } else if (this.#older?.space.id !== other.space.id) {
      this.#older = this.#openOlder(other.space);
    }
  }

  #openOlder(space: Space): { space: Space; model: EmbeddingModel } | undefined {
    const { model } = space;
    const known = [this.settings, ...(this.#before === undefined ? [] : [this.#before])];
    const settings = settingsOfSpace(space, known);
    if (settings === undefined) return undefined;
    const enter = async (name: SpaceName): Promise<Space> => {
      if (namespaceOf(name) === namespaceOf(space)) return space;
      throw new MemoryError('PROVIDER', `the model \`${model}\` is no longer the one it was`);
    };
    return { space, model: new EmbeddingModel(settings, { open: this.#options.open, enter }) };
  }

  #createModel(settings: EmbedderSettings): EmbeddingModel {
    const { open, store } = this.#options;
    const { baseUrl } = settings;
    const enter = async (name: SpaceName): Promise<Space> =>
      (await store()).openSpace({ ...name, baseUrl });
    return new EmbeddingModel(settings, { open, enter });
  }

  #createQueue(): EmbeddingQueue {
    const { store, onProgress } = this.#options;
    return new EmbeddingQueue({
      store,
      model: this.#model,
      onProgress: (progress) => {
        this.#olderKnownUntil = 0;
        onProgress?.(progress);
      },
    });
  }
}

function tooSlow(waitMs: number): MemoryError {
  return providerError(`the embedding model did not answer within ${waitMs} ms`);
}

function toSpaceVector(
  embedded: Awaited<ReturnType<EmbeddingModel['embed']>>,
): SpaceVector | undefined {
  const vector = embedded?.vectors[0];
  if (embedded === undefined || vector === undefined) return undefined;
  return { spaceId: embedded.space.id, vector };
}

/** A model that ignores its signal must not hold the answer. */
async function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
