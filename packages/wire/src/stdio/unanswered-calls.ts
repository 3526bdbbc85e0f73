import { cancelledId } from '../jsonrpc/dialect.ts';
import { isResponse } from '../jsonrpc/inbound-calls.ts';

/** Keeps count of calls that pass through and of their answers, for whoever wants to wait for them. */
export class UnansweredCalls {
  readonly #ids = new Set<unknown>();
  readonly #onSettled: (() => void)[] = [];

  onReceived(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
    if (typeof method !== 'string') return;
    if (id !== undefined) this.#ids.add(id);
    // Nobody answers a call that was cancelled.
    else this.#settle(cancelledId(method, params));
  }

  onSent(message: unknown): void {
    if (isResponse(message)) this.#settle((message as { id?: unknown }).id);
  }

  /** Resolves when every call has its answer. */
  settled(): Promise<void> {
    if (this.#ids.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onSettled.push(resolve));
  }

  #settle(id: unknown): void {
    if (!this.#ids.delete(id) || this.#ids.size > 0) return;
    for (const resolve of this.#onSettled.splice(0)) resolve();
  }
}
