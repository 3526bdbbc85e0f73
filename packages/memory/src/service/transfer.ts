import { createHash } from 'node:crypto';
import { invalidParams } from '../errors.ts';
import { checkParams } from '../methods/check-params.ts';
import { withoutSecrets } from '../methods/without-secrets.ts';
import { RpcError } from '../rpc-error.ts';
import { isObject } from '../schema/validate.ts';
import type { Metadata, Note, NoteVersion } from '../store/note.ts';
import type { AddedNote } from '../store/store.ts';
import { assertElsewhere } from './assert-elsewhere.ts';
import type { ServiceContext } from './context.ts';
import { assertGlobalKey } from './global-values.ts';
import { parseInstant } from './instant.ts';
import type { SecretScreen } from './secrets.ts';
import { type RecordOptions, recordsOf, type TransferRecord } from './transfer-records.ts';
import {
  type DeletedRecord,
  type ErasedRecord,
  type GroupRecord,
  type NoteRecord,
  RECORD_SCHEMAS,
  type RecordKind,
  type ValueRecord,
  type VersionRecord,
} from './transfer-schema.ts';
import { screenRecord } from './transfer-screen.ts';
import { moveToMetadata, unknownMembers } from './unknown-members.ts';

/** What became of a record: what is there and not older stays as it is. */
export interface Taken {
  readonly kind: RecordKind;
  /** `erased`: left out, because what has its id was erased here. */
  readonly outcome: 'added' | 'updated' | 'kept' | 'erased';
  readonly id: string;
  /** Kinds of secrets that were taken out. */
  readonly redacted: readonly string[];
  /** Members that no record of its kind has; those of a note are now in its metadata. */
  readonly unknown: readonly string[];
}

/** How a record is taken. */
export interface TakeOptions {
  readonly rename: (projectId: string) => string;
  /** Only checks the record. */
  readonly dryRun: boolean;
  /** Takes notes and values whose ids were erased here. */
  readonly includeErased: boolean;
}

/** Carries a memory to another place: everything out, and in again without anything twice. */
export class TransferService {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  /** The records of one project or of all, as an export holds them. */
  async *records({ projectId, history }: RecordOptions = {}): AsyncIterable<TransferRecord> {
    const store = await this.#context.store();
    const scope = projectId === undefined ? undefined : await this.#context.canonical(projectId);
    yield* recordsOf(store, { projectId: scope, history });
  }

  /** Takes one record of an export; with `dryRun` only checks it. A refusal repeats no secret. */
  async take(record: unknown, options: Partial<TakeOptions> = {}): Promise<Taken> {
    const { rename = (projectId) => projectId, dryRun = false, includeErased = false } = options;
    try {
      return await this.#take(record, { rename, dryRun, includeErased });
    } catch (error) {
      throw error instanceof RpcError ? await withoutSecrets(error) : error;
    }
  }

  async #take(record: unknown, options: TakeOptions): Promise<Taken> {
    const { kind, members } = readRecord(record);
    const schema = RECORD_SCHEMAS[kind];
    const unknown = unknownMembers(members, schema);
    const checked = checkParams(
      schema,
      kind === 'note' ? moveToMetadata(members, unknown) : members,
    );
    if (kind === 'erased') {
      const taken = await this.#takeErased(checked as unknown as ErasedRecord, options);
      return { kind, redacted: [], unknown, ...taken };
    }
    const screen = await this.#context.screen();
    const { value, redacted } = screenRecord(kind, checked, screen);
    const from = String(checked['projectId']);
    const projectId = await this.#projectOf(from, screen, options);
    const versions = await this.#screenVersions(checked['versions'], screen, options);
    const entry = {
      ...{ ...checked, ...value, projectId },
      ...(versions === undefined ? {} : { versions: versions.records }),
    };
    if (options.rename(from) !== from) {
      const { store, canonical } = this.#context;
      await assertElsewhere(await store(), entry, await canonical(from));
    }
    return {
      kind,
      unknown,
      redacted: [...redacted, ...(versions?.redacted ?? [])],
      ...(await this.#takeEntry(kind, entry, options)),
    };
  }

  #takeEntry(
    kind: Exclude<RecordKind, 'erased'>,
    entry: object,
    options: TakeOptions,
  ): Promise<Outcome> {
    if (kind === 'note') return this.#takeNote(entry as NoteRecord, options);
    if (kind === 'deleted') return this.#takeDeleted(entry as DeletedRecord, options);
    if (kind === 'group') return this.#takeGroup(entry as GroupRecord, options);
    return this.#takeValue(entry as ValueRecord, options);
  }

  async #projectOf(name: string, screen: SecretScreen, options: TakeOptions): Promise<string> {
    const { canonical, writable } = this.#context;
    const { rename, dryRun } = options;
    if (!dryRun) return writable(rename(name));
    const projectId = await canonical(rename(name));
    // A dry run refuses what the import will refuse.
    screen.identifier('projectId', projectId);
    return projectId;
  }

  async #screenVersions(
    given: unknown,
    screen: SecretScreen,
    options: TakeOptions,
  ): Promise<{ readonly records: unknown[]; readonly redacted: readonly string[] } | undefined> {
    if (!Array.isArray(given)) return undefined;
    const redacted: string[] = [];
    const records: unknown[] = [];
    const versions = given as readonly Readonly<Record<string, unknown>>[];
    for (const [index, version] of versions.entries()) {
      const path = `versions[${index}]`;
      const clean = screenRecord('note', version, screen, path);
      redacted.push(...clean.redacted);
      const name = String(version['projectId']);
      const former = await this.#context.canonical(options.rename(name));
      screen.identifier('projectId', former, `${path}.projectId`);
      const projectId = await this.#projectOf(name, screen, options);
      records.push({ ...version, ...clean.value, projectId });
    }
    return { records, redacted };
  }

  async #takeNote(record: NoteRecord, options: TakeOptions): Promise<Outcome> {
    const { projectId, groupId, createdAt, text, versions } = record;
    const id = record.id?.toLowerCase() ?? idFrom([projectId, groupId, createdAt ?? null, text]);
    const note = noteOf(id, record, this.#context.now());
    const store = await this.#context.store();
    const history = versions && historyOf(id, versions);
    if (history?.[0].event === 'deleted') {
      throw invalidParams('expected a record of kind `deleted` for a deleted note', 'versions[0]');
    }
    if (options.dryRun) {
      const state = await store.findId(id);
      if (state === 'erased') return { id, outcome: options.includeErased ? 'added' : 'erased' };
      return { id, outcome: (await store.getNote(id)) === undefined ? 'added' : 'kept' };
    }
    const { includeErased } = options;
    const added = await (history === undefined
      ? store.addNote(note, { includeErased })
      : store.addHistory(history, { includeErased }));
    if (added.isNew) this.#context.embedding.kick();
    return { id, outcome: outcomeOf(added) };
  }

  async #takeDeleted(record: DeletedRecord, options: TakeOptions): Promise<Outcome> {
    const id = record.id.toLowerCase();
    const history = historyOf(id, record.versions);
    if (history[0].event !== 'deleted') {
      throw invalidParams('expected the newest version to be the deletion', 'versions[0].event');
    }
    const store = await this.#context.store();
    const { dryRun, includeErased } = options;
    if (!dryRun) return { id, outcome: outcomeOf(await store.addHistory(history, options)) };
    const state = await store.findId(id);
    if (state === 'erased') return { id, outcome: includeErased ? 'added' : 'erased' };
    return { id, outcome: state === 'used' ? 'kept' : 'added' };
  }

  async #takeErased(record: ErasedRecord, { dryRun }: TakeOptions): Promise<Outcome> {
    const tombstone = { id: record.id.toLowerCase(), at: parseInstant(record.at, 'at') };
    const store = await this.#context.store();
    const isNew = dryRun
      ? (await store.findId(tombstone.id)) === 'free'
      : await store.addErased(tombstone);
    return { id: tombstone.id, outcome: isNew ? 'added' : 'kept' };
  }

  async #takeGroup(record: GroupRecord, { dryRun }: TakeOptions): Promise<Outcome> {
    const { now } = this.#context;
    const { projectId, groupKey, title, description = '' } = record;
    if (groupKey === 'global') throw invalidParams('groupKey is reserved', 'groupKey');
    const createdAt = instantOr(record.createdAt, 'createdAt', now());
    const updatedAt = instantOr(record.updatedAt, 'updatedAt', createdAt);
    const store = await this.#context.store();
    const held = (await store.listGroups(projectId)).find((each) => each.groupKey === groupKey);
    if (held !== undefined && held.updatedAt >= updatedAt) return { id: held.id, outcome: 'kept' };
    if (held !== undefined) {
      if (!dryRun) await store.updateGroup(held.id, { title, description }, updatedAt);
      return { id: held.id, outcome: 'updated' };
    }
    const id = await this.#freeId(record.id ?? idFrom([projectId, groupKey]));
    if (dryRun) return { id, outcome: 'added' };
    const group = { id, projectId, groupKey, title, description, createdAt, updatedAt };
    return { id, outcome: (await store.addGroup(group)) ? 'added' : 'kept' };
  }

  async #takeValue(record: ValueRecord, options: TakeOptions): Promise<Outcome> {
    const { projectId, key, value, revision } = record;
    assertGlobalKey(key);
    const updatedAt = instantOr(record.updatedAt, 'updatedAt', this.#context.now());
    const store = await this.#context.store();
    const held = await store.getValue(projectId, key);
    if (held !== undefined && held.updatedAt >= updatedAt) return { id: held.id, outcome: 'kept' };
    const given = record.id?.toLowerCase();
    const isErased = given !== undefined && (await store.findId(given)) === 'erased';
    if (isErased && !options.includeErased) return { id: given, outcome: 'erased' };
    const id = held?.id ?? (await this.#freeId(given ?? this.#context.createId()));
    if (!options.dryRun) {
      await store.putValue(
        { id, projectId, key, value, updatedAt },
        { firstRevision: revision, includeErased: options.includeErased },
      );
    }
    return { id, outcome: held === undefined ? 'added' : 'updated' };
  }

  /** An id that something else has already, as after a change of the project's name, cannot be had twice. */
  async #freeId(wanted: string): Promise<string> {
    const id = wanted.toLowerCase();
    const isUsed = (await (await this.#context.store()).findId(id)) === 'used';
    return isUsed ? this.#context.createId() : id;
  }
}

type Outcome = Pick<Taken, 'id' | 'outcome'>;

function outcomeOf({ isNew, isErased }: AddedNote): Taken['outcome'] {
  if (isErased) return 'erased';
  return isNew ? 'added' : 'kept';
}

/** What a record is, and that it is an object at all. */
function readRecord(record: unknown): { kind: RecordKind; members: object } {
  if (isObject(record)) {
    const { kind } = record;
    if (typeof kind === 'string' && Object.hasOwn(RECORD_SCHEMAS, kind)) {
      return { kind: kind as RecordKind, members: record };
    }
  }
  const names = Object.keys(RECORD_SCHEMAS).map((name) => `\`${name}\``);
  throw invalidParams(
    `expected an object whose kind is ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
    'kind',
  );
}

function noteOf(id: string, record: Omit<NoteRecord, 'versions'>, now: number): Note {
  const { projectId, groupId, title, text, tags, source, createdAt, metadata } = record;
  return {
    id,
    projectId,
    groupId,
    title: title || null,
    text,
    tags: tags ?? [],
    source: source || null,
    createdAt: instantOr(createdAt, 'createdAt', now),
    metadata: (metadata ?? null) as Metadata | null,
  };
}

/** Versions as the store takes them: at least one, newest first. */
function historyOf(
  id: string,
  records: readonly VersionRecord[],
): readonly [NoteVersion, ...NoteVersion[]] {
  const [newest, ...earlier] = records.map((record, index): NoteVersion => {
    const before = records[index - 1]?.version ?? Number.POSITIVE_INFINITY;
    if (record.version >= before) {
      const path = `versions[${index}].version`;
      throw invalidParams(
        `expected versions newest first, got ${record.version} after ${before}`,
        path,
      );
    }
    const at = parseInstant(record.at, `versions[${index}].at`);
    return { version: record.version, event: record.event, at, note: noteOf(id, record, at) };
  });
  if (newest === undefined) throw invalidParams('expected at least one version', 'versions');
  return [newest, ...earlier];
}

function instantOr(text: string | undefined, path: string, fallback: number): number {
  return text === undefined ? fallback : parseInstant(text, path);
}

/** The same id for the same content: a file without ids can be taken twice too. */
function idFrom(parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
