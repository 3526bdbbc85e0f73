import { isPasswordLike, isPlaceholder, isRandom } from './plausible.ts';
import { type Mask, plainMask, redactText } from './redact-text.ts';
import { kindOfName } from './secret-name.ts';

/** Values nested deeper than this are left out: a hostile message must not fill the stack. */
const MAX_DEPTH = 500;

/** A copy of a JSON value with secrets masked: by the name of the member and by the look of the text. */
export function redactValue(value: unknown, mask: Mask = plainMask): unknown {
  return redactMember(value, { name: '', depth: 0, mask });
}

interface Place {
  readonly name: string;
  readonly depth: number;
  readonly mask: Mask;
}

function redactMember(value: unknown, place: Place): unknown {
  const { name, depth, mask } = place;
  if (depth > MAX_DEPTH) return '[nested too deeply]';
  if (typeof value === 'string') return redactNamed(value, name, mask);
  if (Array.isArray(value)) {
    return value.map((item) => redactMember(item, { name, depth: depth + 1, mask }));
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'number' && isSecretNumber(name) ? mask('named-secret') : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      redactMember(member, { name: key, depth: depth + 1, mask }),
    ]),
  );
}

/** A text with its secrets masked, as the value of a member of this name. */
export function redactNamed(text: string, name: string, mask: Mask = plainMask): string {
  return isSecretMember(name, text) ? mask('named-secret') : redactText(text, mask);
}

/** Whether the name of a member says that this text is a secret. */
export function isSecretMember(name: string, text: string): boolean {
  const kind = kindOfName(name);
  if (kind === undefined || text === '') return false;
  if (kind === 'perhaps') return isRandom(text, 16);
  if (/^(?:credentials?|creds|cookies?|secrets)$/i.test(name)) {
    return isRandom(text, 8) || isPasswordLike(text) || /[;=]/.test(text);
  }
  return !isReference(text);
}

/** Whether the name of a member says that a number is a secret, as a PIN is. */
export function isSecretNumber(name: string): boolean {
  const kind = kindOfName(name);
  return kind === 'password' || kind === 'key';
}

/** Under the name of a secret only what refers to another place, or a mask, is let through. */
function isReference(text: string): boolean {
  if (/^(?:\[redacted|\*+$|x{4,}$|\.{3}$)/i.test(text)) return true;
  return /^(?:[$<{%]|your[-_ ])/i.test(text) && isPlaceholder(text);
}
