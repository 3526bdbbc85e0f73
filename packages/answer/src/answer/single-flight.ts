/** A piece of work that several callers wait for. */
export type SharedWork<T, E> = (signal: AbortSignal, emit: (event: E) => void) => Promise<T>;

interface Flight<T, E> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  readonly listeners: Set<(event: E) => void>;
  last?: E;
}

/** Lets identical calls in flight share one piece of work, which ends when the last caller leaves. */
export class SingleFlight<T, E> {
  readonly #flights = new Map<string, Flight<T, E>>();

  /** Pieces of work under way. */
  get size(): number {
    return this.#flights.size;
  }

  async run(
    key: string,
    work: SharedWork<T, E>,
    options: { readonly signal?: AbortSignal; readonly onEvent: (event: E) => void },
  ): Promise<T> {
    const { signal, onEvent } = options;
    signal?.throwIfAborted();
    const known = this.#flights.get(key);
    const flight = known ?? this.#start(key, work);
    // A wrapper, so that one function given twice still counts as two callers.
    const listener = (event: E): void => onEvent(event);
    flight.listeners.add(listener);
    if (known?.last !== undefined) onEvent(known.last);
    try {
      return await untilAborted(flight.promise, signal);
    } finally {
      flight.listeners.delete(listener);
      if (flight.listeners.size === 0) this.#leave(key, flight, signal?.reason);
    }
  }

  #start(key: string, work: SharedWork<T, E>): Flight<T, E> {
    const controller = new AbortController();
    const listeners = new Set<(event: E) => void>();
    const emit = (event: E): void => {
      flight.last = event;
      for (const listener of listeners) listener(event);
    };
    const flight: Flight<T, E> = {
      controller,
      listeners,
      promise: Promise.resolve().then(() => work(controller.signal, emit)),
    };
    this.#flights.set(key, flight);
    return flight;
  }

  // The key is freed at once, so that a caller who comes now does not join what is ending.
  #leave(key: string, flight: Flight<T, E>, reason: unknown): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.controller.abort(reason);
    // Nobody waits any more: how it ends is of no interest.
    flight.promise.catch(() => {});
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
