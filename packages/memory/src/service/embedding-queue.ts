import { isRetryable } from '../embed/provider-error.ts';
import { embeddedText } from '../search/searchable.ts';
import type { PendingNote, Space } from '../store/space.ts';
import type { Store } from '../store/store.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import type { EmbeddingProgress } from './embedding-progress.ts';

const BATCH = 64;
/** A process that died with notes in hand keeps them from the others no longer than this. */
const CLAIM_MS = 20_000;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** What the queue works with. */
export interface EmbeddingQueueOptions {
  readonly store: () => Promise<Store>;
  readonly model: EmbeddingModel;
  readonly onProgress?: ((progress: EmbeddingProgress) => void) | undefined;
}

/**
 * Gives waiting notes their vectors, in the background and in batches. The list of waiting notes lives
 * in the store, so a crash loses no more than the batch in hand, and several processes share the work.
 */
export class EmbeddingQueue {
  readonly #options: EmbeddingQueueOptions;
  readonly #abort: AbortController = new AbortController();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #inHand: readonly PendingNote[] = [];
  #failures = 0;
  #lastError: unknown;
  #done = 0;

  constructor(options: EmbeddingQueueOptions) {
    this.#options = options;
  }

  /** Why the last batch failed; `undefined` after a success. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Starts the work unless it runs already. */
  kick(): void {
    if (this.#abort.signal.aborted || this.#running !== undefined) return;
    // A provider that just failed is left alone until the timer.
    if (this.#timer !== undefined && this.#failures > 0) return;
    this.#start();
  }

  /** Works until nothing waits, or throws why it cannot go on. */
  async drain({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    while (true) {
      signal?.throwIfAborted();
      if (this.#running === undefined) this.#start();
      await this.#running;
      if (this.#lastError !== undefined) throw this.#lastError;
      if ((await this.#pending()) === 0 || this.#abort.signal.aborted) return;
      // Others have the rest in hand: their claims run out by themselves.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('the memory is closing'));
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  async #work(): Promise<void> {
    try {
      while (!this.#abort.signal.aborted && (await this.#embedBatch()));
      this.#failures = 0;
      this.#lastError = undefined;
      if ((await this.#pending()) > 0) this.#later(CLAIM_MS);
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#failures += 1;
      this.#lastError = error;
      const delay = isRetryable(error)
        ? Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1))
        : MAX_DELAY_MS;
      this.#later(delay);
    }
  }

  /** `false` when nothing waits that nobody else has in hand. */
  async #embedBatch(): Promise<boolean> {
    const store = await this.#options.store();
    const space = (await this.#options.model.space()) ?? (await this.#learnSpace(store));
    if (space === undefined) return false;
    if (this.#inHand.length === 0) {
      this.#inHand = await store.claimPending(space.id, { limit: BATCH, claimMs: CLAIM_MS });
    }
    if (this.#inHand.length === 0) return false;
    const batch = this.#inHand;
    const texts = batch.map(embeddedText);
    const embedded = await this.#options.model.embed(texts, {
      kind: 'note',
      signal: this.#abort.signal,
    });
    if (embedded === undefined) return false;
    this.#done += await store.putVectors(
      embedded.space.id,
      batch.flatMap(({ id, revision }, index) => {
        const [text, vector] = [texts[index], embedded.vectors[index]];
        return text === undefined || vector === undefined ? [] : [{ id, revision, text, vector }];
      }),
    );
    this.#inHand = [];
    if (this.#options.onProgress !== undefined) {
      this.#options.onProgress({ done: this.#done, pending: await this.#pending() });
    }
    return true;
  }

  /** A model of unknown size is asked for one vector; there must be a note to want it for. */
  async #learnSpace(store: Store): Promise<Space | undefined> {
    const { notes } = await store.status();
    if (notes === 0) return undefined;
    const { signal } = this.#abort;
    return (await this.#options.model.embed(['size'], { kind: 'note', signal }))?.space;
  }

  async #pending(): Promise<number> {
    const store = await this.#options.store();
    const space = await this.#options.model.space();
    if (space === undefined) return 0;
    return store.countPending(space.id);
  }

  #later(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#abort.signal.aborted) return;
    this.#timer = setTimeout(() => this.#start(), delayMs);
    this.#timer.unref();
  }
}
