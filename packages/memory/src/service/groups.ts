import { invalidParams, notFound, RpcCode } from '../errors.ts';
import { RpcError } from '../rpc-error.ts';
import type { Group } from '../store/note.ts';
import type { ServiceContext } from './context.ts';
import { formatInstant } from './instant.ts';

/** A group as every answer carries it. */
export interface GroupView extends Omit<Group, 'createdAt' | 'updatedAt'> {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Groups: titles for places that notes may also use without one. */
export class GroupService {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async create(params: {
    readonly projectId: string;
    readonly groupKey: string;
    readonly title: string;
    readonly description?: string;
  }): Promise<{ id: string; namespace: string; redacted?: readonly string[] }> {
    const { writable, createId, embedding, now } = this.#context;
    if (params.groupKey === 'global') {
      throw invalidParams(
        "groupKey contains invalid characters or is reserved: 'global' is for project-wide notes",
        'groupKey',
      );
    }
    const screen = await this.#context.screen();
    screen.identifier('groupKey', params.groupKey);
    const { value, redacted } = screen.content({
      title: params.title,
      description: params.description ?? '',
    });
    const id = createId();
    const createdAt = now();
    const isNew = await (await this.#context.store()).addGroup({
      id,
      projectId: await writable(params.projectId),
      groupKey: params.groupKey,
      ...value,
      createdAt,
      updatedAt: createdAt,
    });
    if (!isNew) throw new RpcError(RpcCode.Conflict, 'groupKey already exists in this project');
    const namespace = await embedding.namespace();
    return { id, namespace, ...(redacted.length > 0 ? { redacted } : {}) };
  }

  async get({ id }: { readonly id: string }): Promise<GroupView & { namespace: string }> {
    const group = await (await this.#context.store()).getGroup(id);
    if (group === undefined) throw notFound('Group');
    return { ...viewGroup(group), namespace: await this.#context.embedding.namespace() };
  }

  async update({
    id,
    patch = {},
  }: {
    readonly id: string;
    readonly patch?: { readonly title?: string; readonly description?: string | null };
  }): Promise<{ ok: true; redacted?: readonly string[] }> {
    const { title, description } = patch;
    const screen = await this.#context.screen();
    const { value, redacted } = screen.content(
      {
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description: description ?? '' }),
      },
      { path: 'patch' },
    );
    const store = await this.#context.store();
    if (!(await store.updateGroup(id, value, this.#context.now()))) throw notFound('Group');
    return { ok: true, ...(redacted.length > 0 ? { redacted } : {}) };
  }

  async delete({ id }: { readonly id: string }): Promise<{ ok: true }> {
    if (!(await (await this.#context.store()).deleteGroup(id))) throw notFound('Group');
    return { ok: true };
  }

  async list({
    projectId,
  }: {
    readonly projectId: string;
  }): Promise<{ namespace: string; groups: readonly GroupView[]; omitted?: number }> {
    const store = await this.#context.store();
    const { first, omitted } = await store.listSomeGroups(await this.#context.canonical(projectId));
    return {
      namespace: await this.#context.embedding.namespace(),
      groups: first.map(viewGroup),
      ...(omitted > 0 ? { omitted } : {}),
    };
  }
}

/** A group with its times as text. */
export function viewGroup({ createdAt, updatedAt, ...group }: Group): GroupView {
  return { ...group, createdAt: formatInstant(createdAt), updatedAt: formatInstant(updatedAt) };
}
