import { findRawId } from '../framing/json-scan.ts';
import type { RpcId } from './message.ts';

/**
 * The id of a message as JSON text, which is also its key: `"1"` and `1` differ, and an integer that a
 * JavaScript number cannot hold keeps its digits. Undefined when the value cannot be an id.
 */
export function idText(id: unknown, source: string): string | undefined {
  if (typeof id === 'number') {
    if (Number.isSafeInteger(id) || !isLossy(id)) return Object.is(id, -0) ? '0' : `${id}`;
    return findRawId(source) ?? `${id}`;
  }
  if (typeof id === 'string') return JSON.stringify(id);
  return id === null ? 'null' : undefined;
}

/** The key of an id that is named in the params of a cancellation, whose text is `source`. */
export function namedIdText(id: unknown, source: string): string | undefined {
  if (typeof id !== 'number' || !isLossy(id)) return idText(id, '');
  return /"(?:requestId|id)"\s*:\s*(-?\d+)/.exec(source)?.[1] ?? `${id}`;
}

/** What a handler sees for an id whose key is `text`. */
export function idValue(id: unknown, text: string): RpcId {
  if (typeof id === 'number' && isLossy(id) && /^-?\d+$/.test(text)) return BigInt(text);
  return id as RpcId;
}

function isLossy(id: number): boolean {
  return !Number.isFinite(id) || (Number.isInteger(id) && !Number.isSafeInteger(id));
}
