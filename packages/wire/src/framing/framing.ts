import { constants } from 'node:buffer';
import { WireError } from '../errors.ts';

/** How a message is marked off on the wire: one per line, or behind a `Content-Length` header. */
export type Framing = 'line' | 'header';

/** Default limit of one message, in bytes. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 64 * 1024 * 1024;

/** Longest text that still fits a string together with its frame. */
const MAX_CHARS = constants.MAX_STRING_LENGTH - 64;

/** Puts one JSON text into its frame. `text` must not contain a raw newline, which JSON never does. */
export function encodeFrame(text: string, framing: Framing): string {
  if (text.length > MAX_CHARS) {
    throw new WireError(
      'TOO_LARGE',
      `expected a message of at most \`${MAX_CHARS}\` characters, got \`${text.length}\``,
    );
  }
  if (framing === 'line') return `${text}\n`;
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
