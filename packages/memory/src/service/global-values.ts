import { RpcCode, revisionConflict } from '../errors.ts';
import { RpcError } from '../rpc-error.ts';
import type { StoredValue } from '../store/note.ts';
import { RevisionConflict } from '../store/revision-conflict.ts';
import type { ServiceContext } from './context.ts';
import { formatInstant, parseInstant } from './instant.ts';

const PREFIX = 'global.';
const KEY = /^global\.[a-zA-Z0-9._-]+$/;

/** Keys every agent may expect to mean the same; any other under `global.` is as good. */
export const STANDARD_KEYS = [
  'global.memory.embedder.provider',
  'global.memory.embedder.model',
  'global.memory.groupDefaults',
  'global.project.conventions',
] as const;

/** Values of a whole project under a key. */
export class GlobalValueService {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async upsert(params: {
    readonly projectId: string;
    readonly key: string;
    readonly value: unknown;
    readonly updatedAt?: string;
    /** Writes the value only at this revision; 0: only where there is none. */
    readonly ifRevision?: number;
  }): Promise<{
    ok: true;
    id: string;
    namespace: string;
    revision?: number;
    redacted?: readonly string[];
  }> {
    const { writable, createId, embedding, now } = this.#context;
    assertGlobalKey(params.key);
    const updatedAt =
      params.updatedAt === undefined ? now() : parseInstant(params.updatedAt, 'updatedAt');
    const screen = await this.#context.screen();
    screen.identifier('key', params.key);
    const { value, redacted } = screen.content(params.value, { path: 'value', name: params.key });
    const { key, ifRevision } = params;
    const projectId = await writable(params.projectId);
    const store = await this.#context.store();
    const { id, revision } = await store
      .putValue({ id: createId(), projectId, key, value, updatedAt }, { ifRevision })
      .catch((error: unknown) => {
        if (!(error instanceof RevisionConflict)) throw error;
        throw revisionConflict(ifRevision, viewValue(error.current));
      });
    return {
      ok: true,
      id,
      namespace: await embedding.namespace(),
      ...(ifRevision === undefined ? {} : { revision }),
      ...(redacted.length > 0 ? { redacted } : {}),
    };
  }

  async get({
    projectId,
    key,
  }: {
    readonly projectId: string;
    readonly key: string;
  }): Promise<ValueView & { namespace: string }> {
    assertGlobalKey(key);
    const store = await this.#context.store();
    const held = await store.getValue(await this.#context.canonical(projectId), key);
    return { namespace: await this.#context.embedding.namespace(), ...viewValue(held) };
  }
}

/** A value as answers carry it, or that there is none. */
interface ValueView {
  readonly found: boolean;
  readonly id: string | null;
  readonly value: unknown;
  readonly updatedAt: string | null;
  readonly revision: number | null;
}

function viewValue(held: StoredValue | undefined): ValueView {
  return {
    found: held !== undefined,
    id: held?.id ?? null,
    value: held?.value ?? null,
    updatedAt: held === undefined ? null : formatInstant(held.updatedAt),
    revision: held?.revision ?? null,
  };
}

/** Refuses a key that is not under `global.`. */
export function assertGlobalKey(key: string): void {
  if (!key.startsWith(PREFIX)) throw invalidKey('');
  if (!KEY.test(key)) throw invalidKey(`: expected a match of \`${KEY.source}\``);
}

function invalidKey(detail: string): RpcError {
  return new RpcError(RpcCode.InvalidKeyPrefix, `key must start with '${PREFIX}'${detail}`, {
    path: 'key',
  });
}
