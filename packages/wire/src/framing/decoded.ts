import type { Framing } from './framing.ts';

/** Why a piece of input is not a message. */
export type JunkReason =
  | 'not-json'
  | 'bad-header'
  | 'bad-body'
  | 'empty-body'
  | 'charset'
  | 'utf16'
  | 'truncated';

/** Why a message was delivered, or bytes were dropped, with a remark. */
export type WarningReason =
  | 'invalid-utf8'
  | 'nul-bytes'
  | 'glued'
  | 'stray'
  | 'header-line'
  | 'bad-length';

/** A JSON value that arrived in a frame of its own. `text` is its source. */
export interface DecodedMessage {
  readonly kind: 'message';
  readonly value: unknown;
  readonly text: string;
  readonly framing: Framing;
}

/** Input that took the place of a message and is none. A server end answers it. */
export interface DecodedJunk {
  readonly kind: 'junk';
  readonly reason: JunkReason;
  readonly text: string;
  readonly framing: Framing;
}

/** Something worth reporting that cost no message. Nobody answers it. */
export interface DecodedWarning {
  readonly kind: 'warning';
  readonly reason: WarningReason;
  readonly text: string;
}

/** A message over the limit: skipped, never held whole. `head` is its beginning. */
export interface DecodedOversize {
  readonly kind: 'oversize';
  readonly head: string;
  readonly size: number;
  readonly limit: number;
  readonly framing: Framing;
}

/** What a decoder finds in the bytes, in the order of the bytes. */
export type Decoded = DecodedMessage | DecodedJunk | DecodedWarning | DecodedOversize;

/** How much of a piece of junk is kept for a report. */
const REPORTED_CHARS = 2048;

/** Cuts junk to what a report needs, so that an event never pins a large buffer. */
export function excerpt(text: string): string {
  return text.length > REPORTED_CHARS ? `${text.slice(0, REPORTED_CHARS)}…` : text;
}
