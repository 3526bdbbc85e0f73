import {
  filledText,
  groupName,
  groupProperties,
  listOf,
  object,
  ok,
  text,
  textOrNull,
} from './fields.ts';
import { ADDS, defineMethod, type Method, READS, REPLACES } from './method.ts';

/** Methods on groups. */
export const groupMethods: readonly Method[] = [
  defineMethod<{
    readonly projectId: string;
    readonly groupKey: string;
    readonly title: string;
    readonly description?: string;
  }>({
    name: 'memory.group_create',
    title: 'Create group',
    description: 'Create a group.',
    params: object(
      { projectId: filledText, groupKey: groupName, title: filledText, description: text },
      { optional: ['description'] },
    ),
    result: object(
      { id: text, namespace: text, redacted: listOf(text) },
      { optional: ['redacted'] },
    ),
    annotations: ADDS,
    handle: (memory, params) => memory.groups.create(params),
  }),
  defineMethod<{ readonly id: string }>({
    name: 'memory.group_get',
    title: 'Get group',
    description: 'Get a group by id.',
    params: object({ id: filledText }),
    result: object({ ...groupProperties, namespace: text }),
    annotations: READS,
    handle: (memory, params) => memory.groups.get(params),
  }),
  defineMethod<{
    readonly id: string;
    readonly patch?: { readonly title?: string; readonly description?: string | null };
  }>({
    name: 'memory.group_update',
    title: 'Update group',
    description: 'Change a group; its groupKey stays.',
    params: object(
      {
        id: filledText,
        patch: object(
          { title: text, description: textOrNull },
          { optional: ['title', 'description'] },
        ),
      },
      { optional: ['patch'] },
    ),
    result: object({ ok, redacted: listOf(text) }, { optional: ['redacted'] }),
    annotations: REPLACES,
    handle: (memory, params) => memory.groups.update(params),
  }),
  defineMethod<{ readonly id: string }>({
    name: 'memory.group_delete',
    title: 'Delete group',
    description: 'Delete a group by id; its notes stay.',
    params: object({ id: filledText }),
    result: object({ ok }),
    annotations: REPLACES,
    handle: (memory, params) => memory.groups.delete(params),
  }),
  defineMethod<{ readonly projectId: string }>({
    name: 'memory.group_list',
    title: 'List groups',
    description: 'List groups.',
    params: object({ projectId: filledText }),
    result: object({ namespace: text, groups: listOf(object(groupProperties)) }),
    annotations: READS,
    handle: (memory, params) => memory.groups.list(params),
  }),
];
