import type { CopyContents } from '../../../store/sqlite/check-copy.ts';

/** What a backup holds, in a line. */
export function contentsText({ notes, groups, values, versions, bytes }: CopyContents): string {
  return `${notes} notes, ${groups} groups, ${values} values, ${versions} versions (${bytes} bytes)`;
}
