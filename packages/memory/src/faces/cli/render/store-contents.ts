import type { CopyContents } from '../../../store/sqlite/check-copy.ts';
import { counted } from './counted.ts';

/** What a backup holds, in a line. */
export function contentsText({ notes, groups, values, versions, bytes }: CopyContents): string {
  const counts = [
    counted(notes, 'note'),
    counted(groups, 'group'),
    counted(values, 'value'),
    counted(versions, 'version'),
  ];
  return `${counts.join(', ')} (${counted(bytes, 'byte')})`;
}
