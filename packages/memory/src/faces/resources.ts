import type { Resource, ResourcePage, ResourceTemplate } from 'tincan-mcp';
import { RpcCode } from '../errors.ts';
import { RpcError } from '../rpc-error.ts';
import type { GroupView } from '../service/groups.ts';
import type { NoteView } from '../service/notes.ts';
import type { Call } from './call.ts';
import { visibleJson, visibleText } from './visible-text.ts';

/** The newest notes of a project that are listed; all can be read. */
const LISTED_NOTES = 100;
const NAME_LENGTH = 60;
const JSON_TYPE = 'application/json';

/** Address of a note. */
export function noteUri(id: string): string {
  return `memory://notes/${encodeURIComponent(id)}`;
}

/** Notes and groups by address, each as the JSON its method answers: text with where it comes from. */
export function memoryTemplates(call: Call): ResourceTemplate[] {
  const template = (kind: string, method: string, description: string): ResourceTemplate => ({
    uriTemplate: `memory://${kind}s/{id}`,
    name: kind,
    description,
    mimeType: JSON_TYPE,
    read: async ({ id }) => {
      try {
        return visibleJson(await call(method, { id }));
      } catch (error) {
        if (error instanceof RpcError && error.rpcCode === RpcCode.NotFound) return undefined;
        throw error;
      }
    },
  });
  return [
    template('note', 'memory.get', 'A note and where it comes from.'),
    template('group', 'memory.group_get', 'A group of notes.'),
  ];
}

/** One project a page: its groups and its newest notes. */
export async function listMemoryResources(
  { call, listProjects }: { call: Call; listProjects: () => Promise<readonly string[]> },
  cursor: string | undefined,
): Promise<ResourcePage> {
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  const [projectId, following] = (await listProjects()).filter((each) => each > after).toSorted();
  if (projectId === undefined) return { resources: [] };
  const [{ groups }, { items }] = (await Promise.all([
    call('memory.group_list', { projectId }),
    listNewest(call, projectId, LISTED_NOTES),
  ])) as [{ groups: readonly GroupView[] }, { items: readonly NoteView[] }];
  return {
    resources: [...groups.map(groupResource), ...items.map(noteResource)],
    ...(following !== undefined && { nextCursor: Buffer.from(projectId).toString('base64url') }),
  };
}

/** The newest notes; half as many where so many are too much for one answer, and so on. */
async function listNewest(call: Call, projectId: string, limit: number): Promise<unknown> {
  try {
    return await call('memory.list_recent', { projectId, limit });
  } catch (error) {
    const isTooLarge = error instanceof RpcError && error.rpcCode === RpcCode.InvalidParams;
    if (!isTooLarge || limit <= 1) throw error;
    return listNewest(call, projectId, limit >> 1);
  }
}

function groupResource({ id, projectId, groupKey, title }: GroupView): Omit<Resource, 'read'> {
  return {
    uri: `memory://groups/${encodeURIComponent(id)}`,
    name: groupKey,
    ...(title !== '' && { title: visibleText(title) }),
    description: visibleText(`Group in ${projectId}`),
    mimeType: JSON_TYPE,
  };
}

function noteResource(note: NoteView): Omit<Resource, 'read'> {
  const [line = ''] = note.text.trimStart().split('\n', 1);
  return {
    uri: noteUri(note.id),
    name: visibleText(note.title ?? Array.from(line).slice(0, NAME_LENGTH).join('')),
    description: visibleText(
      `Note of ${note.createdAt} in ${note.projectId}, group ${note.groupId}`,
    ),
    mimeType: JSON_TYPE,
  };
}
