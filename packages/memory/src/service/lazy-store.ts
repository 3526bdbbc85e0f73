import { MemoryError } from '../errors.ts';
import type { Store } from '../store/store.ts';

/** Opens the store at its first use, and anew where that failed: a repair needs no restart. */
export class LazyStore {
  readonly #open: () => Promise<Store>;
  #opening: Promise<Store> | undefined;
  #isClosed = false;

  constructor(open: () => Promise<Store>) {
    this.#open = open;
  }

  async get(): Promise<Store> {
    if (this.#isClosed) throw new MemoryError('CLOSED', 'the memory is closed');
    this.#opening ??= this.#open();
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Whether anything has needed the store yet. */
  get isOpen(): boolean {
    return this.#opening !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const store = await this.#opening?.catch(() => undefined);
    await store?.close();
  }
}
