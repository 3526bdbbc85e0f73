/** Something with a deadline, linked into a list of its neighbours in time. */
export class Timed {
  previous: Timed | undefined;
  next: Timed | undefined;
  slot: number | undefined;

  /** Called once when the deadline has passed. A method, so that no deadline needs a closure. */
  expire(): void {}
}

/** Width of a slot. A deadline fires up to this late, never early. */
const SLOT_MS = 16;
/** Slots that are empty again stay until there are this many, or twice as many as are in use. */
const MIN_SWEEP = 4096;
/** Node fires a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Any number of deadlines on one timer: adding, moving and removing cost a few pointer writes,
 * which a timer for each request would not.
 */
export class Deadlines {
  readonly #slots = new Map<number, Timed>();
  #timer: NodeJS.Timeout | undefined;
  #late: NodeJS.Immediate | undefined;
  #timerSlot = Number.POSITIVE_INFINITY;
  #sweepAt = MIN_SWEEP;

  /** Sets or moves a deadline. Zero and Infinity mean none. */
  set(item: Timed, ms: number): void {
    this.clear(item);
    if (ms === 0 || ms === Number.POSITIVE_INFINITY) return;
    const slot = Math.ceil((performance.now() + ms) / SLOT_MS);
    let anchor = this.#slots.get(slot);
    if (anchor === undefined) {
      if (this.#slots.size >= this.#sweepAt) this.#sweep();
      anchor = new Timed();
      this.#slots.set(slot, anchor);
    }
    item.slot = slot;
    item.previous = anchor;
    item.next = anchor.next;
    if (anchor.next !== undefined) anchor.next.previous = item;
    anchor.next = item;
    if (slot < this.#timerSlot) this.#arm(slot);
  }

  clear(item: Timed): void {
    if (item.slot === undefined) return;
    item.slot = undefined;
    if (item.previous !== undefined) item.previous.next = item.next;
    if (item.next !== undefined) item.next.previous = item.previous;
    item.previous = item.next = undefined;
  }

  /** Slots held, for whoever watches memory. */
  get size(): number {
    return this.#slots.size;
  }

  /** Forgets everything; nothing fires any more. */
  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#late);
    this.#timerSlot = Number.POSITIVE_INFINITY;
    this.#slots.clear();
  }

  #arm(slot: number): void {
    clearTimeout(this.#timer);
    this.#timerSlot = slot;
    const ms = Math.min(MAX_TIMER_MS, slot * SLOT_MS - performance.now());
    this.#timer = setTimeout(this.#afterReading, Math.max(0, Math.ceil(ms)));
  }

  #sweep(): void {
    for (const [slot, anchor] of this.#slots) {
      if (anchor.next === undefined) this.#slots.delete(slot);
    }
    this.#sweepAt = Math.max(MIN_SWEEP, this.#slots.size * 2);
  }

  /** After this process was busy, what arrived in time is read first. */
  readonly #afterReading = (): void => {
    this.#late = setImmediate(this.#fire);
  };

  readonly #fire = (): void => {
    const now = performance.now() / SLOT_MS;
    let earliest = Number.POSITIVE_INFINITY;
    this.#timerSlot = Number.NEGATIVE_INFINITY;
    for (const [slot, anchor] of this.#slots) {
      while (slot <= now && anchor.next !== undefined) {
        const item = anchor.next;
        this.clear(item);
        item.expire();
      }
      if (anchor.next === undefined) this.#slots.delete(slot);
    }
    for (const slot of this.#slots.keys()) earliest = Math.min(earliest, slot);
    this.#timerSlot = Number.POSITIVE_INFINITY;
    if (earliest < Number.POSITIVE_INFINITY) this.#arm(earliest);
  };
}
