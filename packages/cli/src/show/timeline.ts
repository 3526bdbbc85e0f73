import type { Direction, TapRecord } from 'tincan-wire';

/** A request with its answer, if it got one. */
export interface CallItem {
  readonly kind: 'call';
  readonly direction: Direction;
  readonly timeMs: number;
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
  readonly bytesOut: number;
  /** Reports of progress on the way. */
  progress: number;
  answer: CallAnswer | undefined;
}

/** What became of a request. */
export interface CallAnswer {
  readonly latencyMs: number;
  readonly bytes: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Something of a session that is no call. */
export type OtherItem =
  | {
      readonly kind: 'notification';
      readonly direction: Direction;
      readonly timeMs: number;
      readonly method: string;
      readonly params: unknown;
      readonly bytes: number;
    }
  | {
      /** An answer to nothing, or a message that is none. */
      readonly kind: 'odd';
      readonly direction: Direction;
      readonly timeMs: number;
      readonly message: unknown;
    }
  | {
      readonly kind: 'stray';
      readonly source: 'stdout' | 'stderr';
      readonly timeMs: number;
      readonly text: string;
    }
  | {
      readonly kind: 'exit';
      readonly timeMs: number;
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
    };

/** One entry of a session, in the order in which they began. */
export type TimelineItem = CallItem | OtherItem;

/** Whether a call failed: an error answer, or a tool that says so. */
export function isFailed({ answer }: CallItem): boolean {
  return (
    answer !== undefined && (answer.error !== undefined || Object(answer.result).isError === true)
  );
}

/** Puts the records of a session together: answers to their requests, progress to its call. */
export class Timeline {
  readonly items: TimelineItem[] = [];
  readonly #open = new Map<string, CallItem>();

  /** Adds a record and returns the items that it began or completed. */
  add(record: TapRecord): TimelineItem[] {
    const timeMs = Date.parse(record.time);
    if (record.type === 'stray') {
      const { source, text } = record;
      return this.#push({ kind: 'stray', source, timeMs, text });
    }
    if (record.type === 'exit') {
      // A recording may hold several sessions: what is open now stays unanswered.
      this.#open.clear();
      const { exitCode, signal } = record;
      return this.#push({ kind: 'exit', timeMs, exitCode, signal });
    }
    const { message, latencyMs } = record;
    const messages: unknown[] = Array.isArray(message) ? message : [message];
    const bytes = Math.round(record.bytes / Math.max(1, messages.length));
    return messages.flatMap((one) =>
      this.#message(one, { direction: record.direction, timeMs, bytes, latencyMs }),
    );
  }

  #message(
    message: unknown,
    frame: {
      readonly direction: Direction;
      readonly timeMs: number;
      readonly bytes: number;
      readonly latencyMs: number | undefined;
    },
  ): TimelineItem[] {
    const { direction, timeMs, bytes } = frame;
    const { id, method, params, result, error } = Object(message) as Record<string, unknown>;
    if (typeof method === 'string' && id !== undefined) {
      const item: CallItem = {
        kind: 'call',
        direction,
        timeMs,
        id,
        method,
        params,
        bytesOut: bytes,
        progress: 0,
        answer: undefined,
      };
      this.#open.set(keyOf(direction, id), item);
      return this.#push(item);
    }
    if (typeof method === 'string') {
      this.#countProgress(method, params);
      return this.#push({ kind: 'notification', direction, timeMs, method, params, bytes });
    }
    const key = keyOf(direction === 'client→server' ? 'server→client' : 'client→server', id);
    const call = this.#open.get(key);
    if (call === undefined) return this.#push({ kind: 'odd', direction, timeMs, message });
    this.#open.delete(key);
    const latencyMs = frame.latencyMs ?? timeMs - call.timeMs;
    call.answer = { latencyMs, bytes, ...(error === undefined ? { result } : { error }) };
    return [call];
  }

  #countProgress(method: string, params: unknown): void {
    if (method !== 'notifications/progress' && method !== '$/progress') return;
    const { progressToken, token } = Object(params) as Record<string, unknown>;
    const wanted = progressToken ?? token;
    for (const call of this.#open.values()) {
      const { _meta, workDoneToken } = Object(call.params) as Record<string, unknown>;
      if (wanted === (Object(_meta).progressToken ?? workDoneToken)) call.progress++;
    }
  }

  #push(item: TimelineItem): TimelineItem[] {
    this.items.push(item);
    return [item];
  }
}

function keyOf(direction: Direction, id: unknown): string {
  return `${direction} ${JSON.stringify(id)}`;
}
