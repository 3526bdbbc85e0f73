import type { SecretPolicy } from '../config/settings.ts';
import { invalidParams } from '../errors.ts';
import { loadRedactor, type Redactor } from './redactor.ts';
import { wellFormed } from './well-formed.ts';

const MAX_DEPTH = 100;

/** What became of a value that went through the secrets policy. */
export interface Screened<T> {
  readonly value: T;
  /** Kinds that were taken out, each once. */
  readonly redacted: readonly string[];
}

/** Identifiers, and what to use where one of them holds a secret. */
const ADVICE = {
  projectId: "use the project's folder, or its name, without the secret",
  groupId: 'use a topic such as `backend`',
  groupKey: 'use a topic such as `backend`',
  key: 'use a name such as `global.deploy.target`',
  tags: 'use a word such as `deploy`',
} as const;

/** The name of a field that identifies something. */
export type Identifier = keyof typeof ADVICE;

/** The screen of a policy, with the redactor loaded where the policy needs it. */
export async function openScreen(policy: SecretPolicy): Promise<SecretScreen> {
  return new SecretScreen(policy, policy === 'allow' ? undefined : await loadRedactor());
}

/** Keeps keys and passwords out of the store: redacts or refuses texts, and refuses identifiers. */
export class SecretScreen {
  readonly #policy: SecretPolicy;
  readonly #redactor: Redactor | undefined;

  constructor(policy: SecretPolicy, redactor: Redactor | undefined) {
    this.#policy = policy;
    this.#redactor = redactor;
  }

  /**
   * Screens every text inside a value, however deep, by its form and by the name of its member. Under
   * `refuse` the call is rejected without repeating the secret. `name` is the name of the value itself.
   */
  content<T>(
    value: T,
    { path = '', name = '' }: { readonly path?: string; readonly name?: string } = {},
  ): Screened<T> {
    const redacted = new Set<string>();
    const screened = this.#walk(value, { path, name, depth: 0, redacted });
    return { value: screened as T, redacted: [...redacted] };
  }

  /** Refuses an identifier that holds a secret: a redacted one would be a name that nobody finds again. */
  identifier(field: Identifier, value: string | undefined, path: string = field): void {
    if (value === undefined || this.#redactor === undefined) return;
    const [secret] = this.#redactor.findSecrets(value);
    if (secret === undefined) return;
    throw invalidParams(
      `expected \`${path}\` without a secret, got one that holds a secret (${secret.kind}): ${ADVICE[field]}; nothing was stored`,
      path,
    );
  }

  /** Tags as they can be stored; refuses one that holds a secret. */
  tags(tags: readonly string[], path = 'tags'): string[] {
    return tags.map((tag, i) => {
      this.identifier('tags', tag, `${path}[${i}]`);
      return wellFormed(tag);
    });
  }

  /** Whether a text holds a secret; never where the policy allows them. */
  holdsSecret(text: string): boolean {
    return this.#redactor !== undefined && this.#redactor.findSecrets(text).length > 0;
  }

  /** Whether secrets are kept out at all. */
  get isOn(): boolean {
    return this.#redactor !== undefined;
  }

  /** The same JSON with every text, also of keys, screened; lone surrogates cannot be stored and go too. */
  #walk(value: unknown, place: Place): unknown {
    if (typeof value === 'string') return this.#text(wellFormed(value), place);
    if (typeof value === 'number') return this.#number(value, place);
    if (typeof value !== 'object' || value === null) return value;
    const { path, name, depth, redacted } = place;
    if (depth >= MAX_DEPTH) {
      throw invalidParams(`expected at most ${MAX_DEPTH} levels of nesting`, path);
    }
    if (Array.isArray(value)) {
      return value.map((item, i) =>
        this.#walk(item, { path: `${path}[${i}]`, name, depth: depth + 1, redacted }),
      );
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        // The error's path must not repeat a secret that is a key.
        const clean = this.#text(wellFormed(key), { ...place, name: '' });
        const inside = path === '' ? clean : `${path}.${clean}`;
        return [clean, this.#walk(item, { path: inside, name: key, depth: depth + 1, redacted })];
      }),
    );
  }

  #text(text: string, place: Place): string {
    if (this.#redactor === undefined) return text;
    const { redactText, isSecretMember } = this.#redactor;
    const kinds: string[] = [];
    const clean = redactText(text, (kind) => {
      kinds.push(kind);
      return maskOf(kind);
    });
    if (isSecretMember(place.name, text) && !isMask(clean)) {
      this.#take('named-secret', place);
      return maskOf('named-secret');
    }
    for (const kind of kinds) this.#take(kind, place);
    return clean;
  }

  /** A number can be a secret by the name of its member only, as a PIN is. */
  #number(value: number, place: Place): unknown {
    if (place.name === '' || this.#redactor === undefined) return value;
    if (!this.#redactor.isSecretNumber(place.name)) return value;
    this.#take('named-secret', place);
    return maskOf('named-secret');
  }

  #take(kind: string, { path, redacted }: Place): void {
    if (this.#policy === 'refuse') {
      throw invalidParams(`the text holds a secret (${kind}); it was not stored`, path);
    }
    redacted.add(kind);
  }
}

interface Place {
  readonly path: string;
  /** The name of the member that holds the value. */
  readonly name: string;
  readonly depth: number;
  readonly redacted: Set<string>;
}

function maskOf(kind: string): string {
  return `[redacted: ${kind}]`;
}

function isMask(text: string): boolean {
  return /^\[redacted: [a-z-]+\]$/.test(text);
}
