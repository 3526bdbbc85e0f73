/** How a message is marked off on the wire: one per line, or behind a `Content-Length` header. */
export type Framing = 'line' | 'header';

/** Default limit of one message, in bytes. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 64 * 1024 * 1024;

/** Puts one JSON text into its frame. `text` must not contain a raw newline, which JSON never does. */
export function encodeFrame(text: string, framing: Framing): string {
  if (framing === 'line') return `${text}\n`;
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
