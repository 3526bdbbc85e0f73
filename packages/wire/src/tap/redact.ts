const MASK = '[redacted]';

/** Names of members whose values are secrets, whatever they look like. */
const SECRET_NAME =
  /(?:api[_-]?key|secret|password|passwd|token|authorization|cookie|credential|private[_-]?key)s?$/i;
/** Members named like secrets that are none: they only tell messages apart. */
const HARMLESS_NAME = /^(?:progress[_-]?token|.*tokens|next[_-]?cursor|token[_-]?count)$/i;

/**
 * Shapes of well-known secrets in running text. A match that may fail late begins only where its run of
 * characters does: trying again within the run would make the cost quadratic.
 */
const SECRET_TEXT: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{8,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{35}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const SCHEMES = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
const URL_PASSWORD = /(:\/\/[^\s/:@]+:)[^\s/@]+@/g;

/** Masks secrets in running text. */
export function redactText(text: string): string {
  let clean = text.replace(SCHEMES, `$1 ${MASK}`).replace(URL_PASSWORD, `$1${MASK}@`);
  for (const pattern of SECRET_TEXT) clean = clean.replace(pattern, MASK);
  return clean;
}

/** Values nested deeper than this are left out: a hostile message must not fill the stack. */
const MAX_DEPTH = 500;

/** A copy of a JSON value with secrets masked: by the name of the member and by the look of the text. */
export function redactValue(value: unknown, name = '', depth = 0): unknown {
  if (depth > MAX_DEPTH) return '[nested too deeply]';
  if (typeof value === 'string')
    return isSecretName(name) && value !== '' ? MASK : redactText(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, name, depth + 1));
  if (typeof value !== 'object' || value === null) {
    return isSecretName(name) && typeof value === 'number' ? MASK : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, redactValue(member, key, depth + 1)]),
  );
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS_NAME.test(name);
}
