import { hash } from 'node:crypto';

const DIGEST_BYTES = 6;

/** A text without what nobody means by it: how its characters are composed and how its words are spaced. */
export function foldText(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** A whole number that texts share when they fold to the same; others may share it too, if rarely. */
export function textDigest(text: string): number {
  return hash('sha256', foldText(text), 'buffer').readUIntBE(0, DIGEST_BYTES);
}
