import type { JsonSchema } from '../schema/json-schema.ts';
import {
  filledText,
  groupName,
  groupProperties,
  integer,
  listOf,
  object,
  ok,
  parameters,
  projectId,
  text,
  textOrNull,
} from './fields.ts';
import { ADDS, defineMethod, type Method, READS, REPLACES } from './method.ts';

const groupId: JsonSchema = { ...filledText, description: 'id of the group, not its groupKey' };

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
    description:
      'Give a topic of notes a title and a description. Notes can use a groupId without it. Returns the id of the group.',
    params: parameters(
      {
        projectId,
        groupKey: { ...groupName, description: 'the groupId of its notes, e.g. auth' },
        title: { ...filledText, description: 'e.g. Authentication' },
        description: text,
      },
      { optional: ['description'] },
    ),
    tool: { toolset: 'all' },
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
    description: 'Get a group by its id. Returns groupKey, title and description.',
    params: parameters({ id: groupId }),
    tool: { toolset: 'all' },
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
    description:
      'Change the title or description of a group; its groupKey cannot change. Returns ok.',
    params: parameters({
      id: groupId,
      patch: {
        ...parameters(
          { title: text, description: textOrNull },
          { optional: ['title', 'description'] },
        ),
        description: 'only what changes, e.g. {"title":"Sign-in"}',
      },
    }),
    tool: { toolset: 'all' },
    result: object({ ok, redacted: listOf(text) }, { optional: ['redacted'] }),
    annotations: REPLACES,
    handle: (memory, params) => memory.groups.update(params),
  }),
  defineMethod<{ readonly id: string }>({
    name: 'memory.group_delete',
    title: 'Delete group',
    description: 'Delete a group by its id; its notes stay. Returns ok.',
    params: parameters({ id: groupId }),
    tool: { toolset: 'all' },
    result: object({ ok }),
    annotations: REPLACES,
    handle: (memory, params) => memory.groups.delete(params),
  }),
  defineMethod<{ readonly projectId: string }>({
    name: 'memory.group_list',
    title: 'List groups',
    description:
      'List the groups of a project. Returns groups with id, groupKey, title and description.',
    params: parameters({ projectId }),
    tool: { toolset: 'all' },
    result: object(
      {
        namespace: text,
        groups: listOf(object(groupProperties)),
        omitted: { ...integer, description: 'newer groups that one answer has no room for' },
      },
      { optional: ['omitted'] },
    ),
    annotations: READS,
    handle: (memory, params) => memory.groups.list(params),
  }),
];
