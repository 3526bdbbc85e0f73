import type { NoteFilter } from '../store/store.ts';
import type { ServiceContext } from './context.ts';
import { parseInstant } from './instant.ts';
import { wellFormed } from './well-formed.ts';

/** What calls say of the notes they are about. */
export interface FilterParams {
  readonly projectId: string;
  readonly groupId?: string;
  readonly tags?: readonly string[];
  readonly since?: string;
  readonly until?: string;
}

/** The filter of a call: the project by its canonical name, times as instants. */
export async function noteFilter(
  { projectId, groupId, tags, since, until }: FilterParams,
  { canonical }: Pick<ServiceContext, 'canonical'>,
): Promise<NoteFilter> {
  return {
    since: since === undefined ? undefined : parseInstant(since, 'since'),
    until: until === undefined ? undefined : parseInstant(until, 'until'),
    projectId: await canonical(projectId),
    groupId,
    tags: tags?.map(wellFormed),
  };
}
