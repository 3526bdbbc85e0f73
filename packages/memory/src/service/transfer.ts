import { createHash } from 'node:crypto';
import { invalidParams } from '../errors.ts';
import { checkParams } from '../methods/check-params.ts';
import { withoutSecrets } from '../methods/without-secrets.ts';
import { RpcError } from '../rpc-error.ts';
import { isObject } from '../schema/validate.ts';
import type { GlobalValue, Metadata } from '../store/note.ts';
import { assertElsewhere } from './assert-elsewhere.ts';
import type { ServiceContext } from './context.ts';
import { assertGlobalKey } from './global-values.ts';
import { type GroupView, viewGroup } from './groups.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { type NoteView, viewNote } from './notes.ts';
import type { Identifier, Screened, SecretScreen } from './secrets.ts';
import {
  type GroupRecord,
  type NoteRecord,
  RECORD_SCHEMAS,
  type ValueRecord,
} from './transfer-schema.ts';
import { moveToMetadata, unknownMembers } from './unknown-members.ts';

/** A note, a group or a value as an export holds it. */
export type TransferRecord =
  | (NoteView & { readonly kind: 'note' })
  | (GroupView & { readonly kind: 'group' })
  | (Omit<GlobalValue, 'updatedAt'> & { readonly kind: 'value'; readonly updatedAt: string });

/** What became of a record: what is there and not older stays as it is. */
export interface Taken {
  readonly kind: TransferRecord['kind'];
  readonly outcome: 'added' | 'updated' | 'kept';
  /** Kinds of secrets that were taken out. */
  readonly redacted: readonly string[];
  /** Members that no record of its kind has; those of a note are now in its metadata. */
  readonly unknown: readonly string[];
}

/** Carries a memory to another place: everything out, and in again without anything twice. */
export class TransferService {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  /** Groups and values first, then notes, oldest write first; of one project or of all. */
  async *records({
    projectId,
  }: {
    readonly projectId?: string | undefined;
  } = {}): AsyncIterable<TransferRecord> {
    const store = await this.#context.store();
    const scope =
      projectId === undefined ? {} : { projectId: await this.#context.canonical(projectId) };
    for (const group of await store.allGroups(scope)) yield { kind: 'group', ...viewGroup(group) };
    for (const value of await store.allValues(scope)) {
      yield { kind: 'value', ...value, updatedAt: formatInstant(value.updatedAt) };
    }
    for await (const note of store.allNotes(scope)) yield { kind: 'note', ...viewNote(note) };
  }

  /** Takes one record of an export; with `dryRun` only checks it. A refusal repeats no secret. */
  async take(record: unknown, options: Partial<TakeOptions> = {}): Promise<Taken> {
    const { rename = (projectId) => projectId, dryRun = false } = options;
    try {
      return await this.#take(record, { rename, dryRun });
    } catch (error) {
      throw error instanceof RpcError ? await withoutSecrets(error) : error;
    }
  }

  async #take(record: unknown, options: TakeOptions): Promise<Taken> {
    const { rename, dryRun } = options;
    const { kind, members } = readRecord(record);
    const schema = RECORD_SCHEMAS[kind];
    const unknown = unknownMembers(members, schema);
    const whole = kind === 'note' ? moveToMetadata(members, unknown) : members;
    const checked = checkParams(schema, whole);
    const screen = await this.#context.screen();
    const { value, redacted } = screenRecord(kind, checked, screen);
    const from = String(checked['projectId']);
    const name = rename(from);
    const { canonical, writable } = this.#context;
    const projectId = await (dryRun ? canonical(name) : writable(name));
    // A dry run refuses what the import will refuse.
    if (dryRun) screen.identifier('projectId', projectId);
    const entry = { ...checked, ...value, projectId };
    const said = { kind, redacted, unknown };
    if (name !== from)
      await assertElsewhere(await this.#context.store(), entry, await canonical(from));
    if (kind === 'note') {
      return { ...said, outcome: await this.#takeNote(entry as NoteRecord, options) };
    }
    if (kind === 'group') {
      return { ...said, outcome: await this.#takeGroup(entry as GroupRecord, options) };
    }
    return { ...said, outcome: await this.#takeValue(entry as ValueRecord, options) };
  }

  async #takeNote(record: NoteRecord, { dryRun }: TakeOptions): Promise<Taken['outcome']> {
    const { now, embedding } = this.#context;
    const { projectId, groupId, title, text, tags, source, createdAt, metadata } = record;
    const note = {
      id: record.id?.toLowerCase() ?? idFrom([projectId, groupId, createdAt ?? null, text]),
      projectId,
      groupId,
      title: title || null,
      text,
      tags: tags ?? [],
      source: source || null,
      createdAt: createdAt === undefined ? now() : parseInstant(createdAt, 'createdAt'),
      metadata: (metadata ?? null) as Metadata | null,
    };
    const store = await this.#context.store();
    if (dryRun) return (await store.getNote(note.id)) === undefined ? 'added' : 'kept';
    const { isNew } = await store.addNote(note);
    if (isNew) embedding.kick();
    return isNew ? 'added' : 'kept';
  }

  async #takeGroup(record: GroupRecord, { dryRun }: TakeOptions): Promise<Taken['outcome']> {
    const { now } = this.#context;
    const { projectId, groupKey, title, description } = record;
    if (groupKey === 'global') throw invalidParams('groupKey is reserved', 'groupKey');
    const createdAt = instantOr(record.createdAt, 'createdAt', now());
    const updatedAt = instantOr(record.updatedAt, 'updatedAt', createdAt);
    const store = await this.#context.store();
    const group = {
      id: record.id?.toLowerCase() ?? idFrom([projectId, groupKey]),
      ...{ projectId, groupKey, title, description: description ?? '', createdAt, updatedAt },
    };
    const held = (await store.listGroups(projectId)).find((each) => each.groupKey === groupKey);
    if (held !== undefined && held.updatedAt >= updatedAt) return 'kept';
    // An id that another project's group has already, as after a change of name, cannot be had twice.
    const isTaken = held === undefined && (await store.getGroup(group.id)) !== undefined;
    if (isTaken) Object.assign(group, { id: this.#context.createId() });
    if (dryRun) return held === undefined ? 'added' : 'updated';
    if (held === undefined) return (await store.addGroup(group)) ? 'added' : 'kept';
    await store.updateGroup(held.id, { title, description: group.description }, updatedAt);
    return 'updated';
  }

  async #takeValue(record: ValueRecord, { dryRun }: TakeOptions): Promise<Taken['outcome']> {
    const { projectId, key, value } = record;
    assertGlobalKey(key);
    const updatedAt = instantOr(record.updatedAt, 'updatedAt', this.#context.now());
    const store = await this.#context.store();
    const held = await store.getValue(projectId, key);
    if (held !== undefined && held.updatedAt >= updatedAt) return 'kept';
    const id = held?.id ?? this.#context.createId();
    if (!dryRun) await store.putValue({ id, projectId, key, value, updatedAt });
    return held === undefined ? 'added' : 'updated';
  }
}

interface TakeOptions {
  readonly rename: (projectId: string) => string;
  readonly dryRun: boolean;
}

/** What a record is, and that it is an object at all. */
function readRecord(record: unknown): { kind: TransferRecord['kind']; members: object } {
  if (isObject(record)) {
    const { kind } = record;
    if (kind === 'note' || kind === 'group' || kind === 'value') return { kind, members: record };
  }
  throw invalidParams('expected an object whose kind is `note`, `group` or `value`', 'kind');
}

/** A record with its texts screened; refuses a name that holds a secret. */
function screenRecord(
  kind: TransferRecord['kind'],
  record: Readonly<Record<string, unknown>>,
  screen: SecretScreen,
): Screened<Readonly<Record<string, unknown>>> {
  const { texts, names } = SCREENED[kind];
  for (const name of names) screen.identifier(name, textOf(record[name]));
  const tags = Array.isArray(record['tags']) ? { tags: screen.tags(record['tags']) } : {};
  if (kind === 'value') {
    const key = textOf(record['key']) ?? '';
    const { value, redacted } = screen.content(record['value'], { path: 'value', name: key });
    return { value: { value }, redacted };
  }
  const held = texts.flatMap((name) => (name in record ? [[name, record[name]]] : []));
  const { value, redacted } = screen.content(Object.fromEntries(held));
  return { value: { ...value, ...tags }, redacted };
}

/** What a person or an agent wrote in each kind of record: texts to redact, names to refuse. */
const SCREENED = {
  note: { texts: ['title', 'text', 'source', 'metadata'], names: ['groupId'] },
  group: { texts: ['title', 'description'], names: ['groupKey'] },
  value: { texts: ['value'], names: ['key'] },
} as const satisfies Record<
  TransferRecord['kind'],
  { readonly texts: readonly string[]; readonly names: readonly Identifier[] }
>;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function instantOr(text: string | undefined, path: string, fallback: number): number {
  return text === undefined ? fallback : parseInstant(text, path);
}

/** The same id for the same content: a file without ids can be taken twice too. */
function idFrom(parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
