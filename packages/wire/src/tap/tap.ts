import type { Framing } from '../framing/framing.ts';

/** Which way a frame went, seen from the client. */
export type Direction = 'client→server' | 'server→client';

/** Watches the traffic of a connection. Costs nothing where there is none. */
export interface Tap {
  /** One message, as it was on the wire without its frame. */
  frame(direction: Direction, text: string, framing: Framing): void;
  /** Output of the server process that is no message. */
  stray?(source: 'stdout' | 'stderr', text: string): void;
  /** The server process ended. */
  exit?(exitCode: number | null, signal: NodeJS.Signals | null): void;
}
