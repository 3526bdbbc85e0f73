import { RpcCode } from '../errors.ts';
import { RpcError } from '../rpc-error.ts';
import type { ServiceContext } from './context.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { screenSecrets } from './secrets.ts';

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
  }): Promise<{ ok: true; id: string; namespace: string; redacted?: readonly string[] }> {
    const { canonical, createId, embedding, now } = this.#context;
    assertGlobalKey(params.key);
    const updatedAt =
      params.updatedAt === undefined ? now() : parseInstant(params.updatedAt, 'updatedAt');
    const { value, redacted } = screenSecrets(params.value, this.#context.secrets(), 'value');
    const id = await (await this.#context.store()).putValue({
      id: createId(),
      projectId: await canonical(params.projectId),
      key: params.key,
      value,
      updatedAt,
    });
    return {
      ok: true,
      id,
      namespace: await embedding.namespace(),
      ...(redacted.length > 0 ? { redacted } : {}),
    };
  }

  async get({ projectId, key }: { readonly projectId: string; readonly key: string }): Promise<{
    namespace: string;
    found: boolean;
    id: string | null;
    value: unknown;
    updatedAt: string | null;
  }> {
    assertGlobalKey(key);
    const store = await this.#context.store();
    const held = await store.getValue(await this.#context.canonical(projectId), key);
    return {
      namespace: await this.#context.embedding.namespace(),
      found: held !== undefined,
      id: held?.id ?? null,
      value: held?.value ?? null,
      updatedAt: held === undefined ? null : formatInstant(held.updatedAt),
    };
  }
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
