import { type Decoded, excerpt, type JunkReason, type WarningReason } from './decoded.ts';
import type { Framing } from './framing.ts';
import type { LinePiece } from './recover-line.ts';

/** What was found so far, in the order of the bytes, until somebody takes it. */
export class Findings {
  #items: Decoded[] = [];

  take(): Decoded[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  message(value: unknown, text: string, framing: Framing): void {
    this.#items.push({ kind: 'message', value, text, framing });
  }

  /** Adds the message a text is, if it is JSON. */
  parsed(text: string, framing: Framing): boolean {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Not JSON: the caller decides what else it may be.
      return false;
    }
    this.#items.push({ kind: 'message', value, text, framing });
    return true;
  }

  /** Adds what a text that is not JSON was taken apart into, if it could be. */
  pieces(text: string, pieces: readonly LinePiece[] | undefined, framing: Framing): boolean {
    if (pieces === undefined) return false;
    this.warn('glued', text);
    for (const piece of pieces) {
      if ('stray' in piece) this.warn('stray', piece.stray);
      else this.message(piece.value, piece.text, framing);
    }
    return true;
  }

  junk(reason: JunkReason, text: string, framing: Framing): void {
    this.#items.push({ kind: 'junk', reason, text: excerpt(text), framing });
  }

  warn(reason: WarningReason, text: string): void {
    this.#items.push({ kind: 'warning', reason, text: excerpt(text) });
  }

  oversize(head: string, size: number, limit: number, framing: Framing): void {
    this.#items.push({ kind: 'oversize', head, size, limit, framing });
  }
}
