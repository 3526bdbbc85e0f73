import type { Identifier, Screened, SecretScreen } from './secrets.ts';
import type { RecordKind } from './transfer-schema.ts';

/** A record with its texts screened; refuses a name that holds a secret. Versions are screened one by one. */
export function screenRecord(
  kind: ScreenedKind,
  record: Readonly<Record<string, unknown>>,
  screen: SecretScreen,
  path = '',
): Screened<Readonly<Record<string, unknown>>> {
  const { texts, names } = SCREENED[kind];
  const inside = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const name of names) screen.identifier(name, textOf(record[name]), inside(name));
  const tags = Array.isArray(record['tags'])
    ? { tags: screen.tags(record['tags'], inside('tags')) }
    : {};
  if (kind === 'value') {
    const key = textOf(record['key']) ?? '';
    const { value, redacted } = screen.content(record['value'], { path: 'value', name: key });
    return { value: { value }, redacted };
  }
  const held = texts.flatMap((name) => (name in record ? [[name, record[name]]] : []));
  const { value, redacted } = screen.content(Object.fromEntries(held), { path });
  return { value: { ...value, ...tags }, redacted };
}

/** A tombstone has no text. */
type ScreenedKind = Exclude<RecordKind, 'erased'>;

/** What a person or an agent wrote in each kind of record: texts to redact, names to refuse. */
const SCREENED: Readonly<
  Record<ScreenedKind, { readonly texts: readonly string[]; readonly names: readonly Identifier[] }>
> = {
  note: { texts: ['title', 'text', 'source', 'metadata'], names: ['groupId'] },
  group: { texts: ['title', 'description'], names: ['groupKey'] },
  value: { texts: ['value'], names: ['key'] },
  deleted: { texts: [], names: [] },
};

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
