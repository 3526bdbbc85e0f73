import { findRawId, findRawParam } from '../framing/json-scan.ts';
import type { RpcId } from './message.ts';

/** A number with more characters than this cannot be an id. */
export const MAX_NUMBER_CHARS = 1000;

/**
 * The id of a message as JSON text, which is also its key: `"1"` and `1` differ, and an integer that a
 * JavaScript number cannot hold keeps its digits. Undefined when the value cannot be an id.
 */
export function idText(id: unknown, source: string): string | undefined {
  if (typeof id === 'number') {
    if (Number.isSafeInteger(id) || !isLossy(id)) return Object.is(id, -0) ? '0' : `${id}`;
    return keyOfLarge(id, findRawId(source));
  }
  if (typeof id === 'string') return JSON.stringify(id);
  return id === null ? 'null' : undefined;
}

/** The key of the id that the param `name` of a cancellation holds. `source` is the text of the message. */
export function namedIdText(id: unknown, name: string, source: string): string | undefined {
  if (typeof id !== 'number' || !isLossy(id)) return idText(id, '');
  const raw = findRawParam(source, name);
  // A rounded number would name a neighbour: better none.
  return raw === undefined ? undefined : keyOfLarge(id, raw);
}

/** What a handler sees for an id whose key is `text`. */
export function idValue(id: unknown, text: string): RpcId {
  if (typeof id === 'number' && isLossy(id) && /^-?\d+$/.test(text)) return BigInt(text);
  return id as RpcId;
}

/** A number of megabytes of digits is not an id: converting it would take seconds. */
function keyOfLarge(id: number, raw: string | undefined): string | undefined {
  if (raw === undefined) return Number.isFinite(id) ? `${id}` : undefined;
  return raw.length > MAX_NUMBER_CHARS ? undefined : raw;
}

/** Whether JavaScript does not hold this number as it was written. */
export function isLossy(id: number): boolean {
  return !Number.isFinite(id) || (Number.isInteger(id) && !Number.isSafeInteger(id));
}
