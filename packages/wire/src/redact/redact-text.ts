import { findSecrets } from './find-secrets.ts';

/** What stands where a secret was, in recordings and logs. */
export const MASK = '[redacted]';

/** What stands where a secret was, from its kind. */
export type Mask = (kind: string) => string;

/** Masks secrets in running text. */
export function redactText(text: string, mask: Mask = plainMask): string {
  const secrets = findSecrets(text);
  if (secrets.length === 0) return text;
  let clean = '';
  let from = 0;
  for (const { start, end, kind } of secrets) {
    clean += text.slice(from, start) + mask(kind);
    from = end;
  }
  return clean + text.slice(from);
}

export function plainMask(): string {
  return MASK;
}
