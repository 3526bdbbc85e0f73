import type { VersionView } from '../../../service/history.ts';
import { oneLine } from './graphemes.ts';
import { renderTable } from './table.ts';

/** Versions of a note as a table, one line each. */
export function renderVersions(versions: readonly VersionView[], width: number): string {
  const rows = versions.map(({ version, event, at, groupId, title, text, tags }) => [
    String(version),
    event,
    at.slice(0, 16).replace('T', ' '),
    groupId,
    oneLine(title ?? text),
    tags.map(oneLine).join(', '),
  ]);
  const columns = [
    { title: 'VERSION' },
    { title: 'EVENT' },
    { title: 'AT' },
    { title: 'GROUP' },
    { title: 'NOTE', isFlexible: true },
    { title: 'TAGS', isFlexible: true },
  ];
  return renderTable(columns, rows, width).join('\n');
}
