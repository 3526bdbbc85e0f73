import { type Framing, type Requester, redactValue, type TapRecord } from 'tincan-wire';

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** Notifications about requests under way: ids differ the second time. */
const PER_REQUEST: readonly string[] = ['notifications/cancelled', '$/cancelRequest'];

/** The client of a recording: what it sent besides requests, and what it answered. */
export class RecordedClient {
  /** Requests that were answered, and so can be compared. */
  readonly requests: number;
  readonly framing: Framing;
  /** The recording with its ends exchanged: the client as the one who is asked. */
  readonly answers: readonly TapRecord[];
  /** For each answered request, the notifications sent since the one before it. */
  readonly #before: (readonly Message[])[] = [];

  constructor(records: readonly TapRecord[]) {
    this.answers = records.map((record) =>
      record.type === 'frame'
        ? {
            ...record,
            direction: record.direction === 'client→server' ? 'server→client' : 'client→server',
          }
        : record,
    );
    const sent = records.flatMap((record) =>
      record.type === 'frame' && record.direction === 'client→server' ? [record] : [],
    );
    this.framing = sent[0]?.framing ?? 'line';
    const answered = answeredIds(records);
    let notes: Message[] = [];
    for (const { message } of sent) {
      for (const one of (Array.isArray(message) ? message : [message]) as Message[]) {
        const { id, method } = Object(one) as Message;
        if (typeof method !== 'string') continue;
        if (id === undefined) {
          if (!PER_REQUEST.includes(method)) notes.push(one);
        } else if (answered.get(JSON.stringify(id))?.shift() === true) {
          this.#before.push(notes);
          notes = [];
        }
      }
    }
    this.requests = this.#before.length;
  }

  /** Sends each request with the notifications that came before it. */
  through(
    server: Requester & { notify(method: string, params?: object): Promise<void> },
  ): Requester {
    let next = 0;
    return {
      request: async (method, params, options) => {
        for (const note of this.#before[next++] ?? []) {
          await server.notify(String(note.method), note.params as object | undefined);
        }
        return server.request(method, redactValue(params) as object | undefined, options);
      },
    };
  }
}

/** For each id of a request, in order, whether it was answered. */
function answeredIds(records: readonly TapRecord[]): Map<string, boolean[]> {
  const found = new Map<string, boolean[]>();
  for (const record of records) {
    if (record.type !== 'frame') continue;
    const { message, direction } = record;
    for (const one of (Array.isArray(message) ? message : [message]) as unknown[]) {
      const { id, method } = Object(one) as Message;
      if (id === undefined) continue;
      const key = JSON.stringify(id);
      const uses = found.get(key) ?? [];
      if (direction === 'client→server' && typeof method === 'string') uses.push(false);
      else if (direction === 'server→client' && method === undefined && uses.length > 0) {
        uses[uses.length - 1] = true;
      }
      found.set(key, uses);
    }
  }
  return found;
}
