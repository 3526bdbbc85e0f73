import { promises } from 'node:fs';
import { WireError } from '../errors.ts';
import { mcpDialect } from '../jsonrpc/dialect.ts';
import type { TapRecord } from './recorder.ts';

/** A request of the recording with everything that belongs to it. */
export interface Exchange {
  readonly method: string;
  readonly params: unknown;
  /** The answer; undefined when the recording has none. */
  readonly answer: { readonly result?: unknown; readonly error?: unknown } | undefined;
  /** Notifications the server sent between the request and its answer. */
  readonly notifications: readonly { readonly method: string; readonly params: unknown }[];
}

/** Reads a recording file. */
export async function readRecording(file: string): Promise<TapRecord[]> {
  const text = await promises.readFile(file, 'utf8');
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parseRecord(line, `${file}:${number}`));
}

function parseRecord(line: string, place: string): TapRecord {
  try {
    const record = JSON.parse(line) as TapRecord;
    if (['frame', 'stray', 'exit'].includes(record.type)) return record;
  } catch {
    // Reported below, with the place.
  }
  throw new WireError(
    'PARSE',
    `${place}: expected a record of a tap, got \`${line.slice(0, 80)}\``,
  );
}

interface RawFrame {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface OpenExchange extends Exchange {
  answer: Exchange['answer'];
  notifications: { method: string; params: unknown }[];
}

/** The client's requests in order, each with its answer. */
export function exchangesOf(records: readonly TapRecord[]): Exchange[] {
  const exchanges: Exchange[] = [];
  const open = new Map<string, OpenExchange>();
  for (const record of records) {
    if (record.type !== 'frame') continue;
    const isClient = record.direction === 'client→server';
    const messages = Array.isArray(record.message) ? record.message : [record.message];
    for (const message of messages as unknown[]) {
      if (typeof message !== 'object' || message === null) continue;
      const frame = message as RawFrame;
      const key = JSON.stringify(frame.id) ?? '';
      if (isClient && typeof frame.method === 'string' && key !== '') {
        const { method, params } = frame;
        const exchange: OpenExchange = { method, params, answer: undefined, notifications: [] };
        exchanges.push(exchange);
        open.set(key, exchange);
      } else if (!isClient && typeof frame.method === 'string' && key === '') {
        const note = { method: frame.method, params: frame.params };
        for (const exchange of open.values()) {
          if (concerns(note, exchange)) exchange.notifications.push(note);
        }
      } else if (!isClient && frame.method === undefined) {
        const exchange = open.get(key);
        if (exchange !== undefined) exchange.answer = answerOf(frame);
        open.delete(key);
      }
    }
  }
  return exchanges;
}

/** Progress belongs to the request with its token; any other notification may belong to all. */
function concerns(note: { method: string; params: unknown }, { params }: Exchange): boolean {
  if (note.method !== 'notifications/progress') return true;
  const token = (note.params as { progressToken?: unknown } | undefined)?.progressToken;
  return token !== undefined && token === mcpDialect.tokenOf(params);
}

function answerOf({ result, error }: RawFrame): Exchange['answer'] {
  return error === undefined ? { result } : { error };
}
