import type { CallContext, RpcId } from 'tincan-wire';
import { META_SUBSCRIPTION } from '../protocol/envelope.ts';

/** What a client wants to be told about. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

/** Lists that can change. */
export type ListName = 'tools' | 'prompts' | 'resources';

interface Listener {
  readonly id: RpcId;
  readonly filter: SubscriptionFilter;
  readonly call: CallContext;
  readonly end: () => void;
}

/** Modern clients that listen: each with a request that stays open for as long as it does. */
export class Subscriptions {
  readonly #listeners = new Set<Listener>();
  #isEnded = false;

  /** Serves `subscriptions/listen`: resolves when the server ends it, and never after a cancel. */
  async listen(filter: SubscriptionFilter, call: CallContext): Promise<object> {
    const id = call.id as RpcId;
    const _meta = { [META_SUBSCRIPTION]: id };
    await call.notify('notifications/subscriptions/acknowledged', { notifications: filter, _meta });
    if (!this.#isEnded) {
      await new Promise<void>((resolve) => {
        const listener = { id, filter, call, end: resolve };
        this.#listeners.add(listener);
        const leave = (): void => {
          this.#listeners.delete(listener);
          resolve();
        };
        call.signal.addEventListener('abort', leave, { once: true });
      });
    }
    return { _meta };
  }

  listChanged(list: ListName): void {
    this.#tell(
      `notifications/${list}/list_changed`,
      {},
      (filter) => filter[`${list}ListChanged`] === true,
    );
  }

  resourceUpdated(uri: string): void {
    this.#tell(
      'notifications/resources/updated',
      { uri },
      (filter) => filter.resourceSubscriptions?.includes(uri) === true,
    );
  }

  /** Ends every subscription, as a server does that is about to leave. */
  end(): void {
    this.#isEnded = true;
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }

  #tell(method: string, params: object, isWanted: (filter: SubscriptionFilter) => boolean): void {
    for (const { id, filter, call } of this.#listeners) {
      if (!isWanted(filter)) continue;
      call.notify(method, { ...params, _meta: { [META_SUBSCRIPTION]: id } }).catch(() => undefined);
    }
  }
}
