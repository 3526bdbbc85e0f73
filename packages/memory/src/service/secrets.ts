import type { SecretPolicy } from '../config/settings.ts';
import { invalidParams } from '../errors.ts';
import { SECRET_PATTERNS } from './secret-patterns.ts';
import { wellFormed } from './well-formed.ts';

const MAX_DEPTH = 100;

/** What became of a value that went through the secrets policy. */
export interface Screened<T> {
  readonly value: T;
  /** Kinds that were taken out, each once. */
  readonly redacted: readonly string[];
}

/**
 * Keeps keys and passwords out of the store: every text inside a value, however deep, is redacted or,
 * under `refuse`, the call is rejected without repeating the secret.
 */
export function screenSecrets<T>(value: T, policy: SecretPolicy, path = ''): Screened<T> {
  const redacted = new Set<string>();
  const screened = mapTexts(value, { path, depth: 0 }, (text, at) => {
    const result = policy === 'allow' ? { text, kinds: [] } : redactSecrets(text);
    const [kind] = result.kinds;
    if (kind !== undefined && policy === 'refuse') {
      throw invalidParams(`the text holds a secret (${kind}); it was not stored`, at);
    }
    for (const each of result.kinds) redacted.add(each);
    return result.text;
  });
  return { value: screened as T, redacted: [...redacted] };
}

/** A text with its secrets replaced by their kind. */
export function redactSecrets(text: string): { readonly text: string; readonly kinds: string[] } {
  const kinds: string[] = [];
  let clean = text;
  for (const { kind, pattern } of SECRET_PATTERNS) {
    clean = clean.replace(pattern, (...match) => {
      kinds.push(kind);
      const whole = String(match[0]);
      const groups: unknown = match.at(-1);
      const secret =
        typeof groups === 'object' && groups !== null && 'secret' in groups
          ? String(groups.secret)
          : whole;
      const at = whole.lastIndexOf(secret);
      return `${whole.slice(0, at)}[redacted: ${kind}]${whole.slice(at + secret.length)}`;
    });
  }
  return { text: clean, kinds };
}

function step(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** The same JSON with every text, also of keys, replaced; lone surrogates cannot be stored and go too. */
function mapTexts(
  value: unknown,
  { path, depth }: { readonly path: string; readonly depth: number },
  replace: (text: string, path: string) => string,
): unknown {
  if (typeof value === 'string') return replace(wellFormed(value), path);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) {
    throw invalidParams(`expected at most ${MAX_DEPTH} levels of nesting`, path);
  }
  const inside = (key: string | number): { path: string; depth: number } => ({
    path: step(path, key),
    depth: depth + 1,
  });
  if (Array.isArray(value)) return value.map((item, i) => mapTexts(item, inside(i), replace));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      replace(wellFormed(key), path),
      mapTexts(item, inside(key), replace),
    ]),
  );
}
