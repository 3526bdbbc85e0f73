import { fit, widthOf } from './graphemes.ts';

/** A column: its heading, and whether it gives way where the terminal is narrow. */
export interface Column {
  readonly title: string;
  readonly isFlexible?: boolean;
}

const GAP = '  ';
const MIN_FLEXIBLE = 16;

/** Rows as aligned columns under a heading; the flexible column takes what the width leaves. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const all = [columns.map(({ title }) => title), ...rows];
  const natural = columns.map((_, column) =>
    Math.max(...all.map((row) => widthOf(row[column] ?? ''))),
  );
  const total = natural.reduce((sum, each) => sum + each, GAP.length * (columns.length - 1));
  const excess = Math.max(0, total - width);
  const widths = natural.map((each, column) =>
    columns[column]?.isFlexible ? Math.min(each, Math.max(MIN_FLEXIBLE, each - excess)) : each,
  );
  return all.map((row) =>
    widths
      .map((each, column) => {
        const cell = fit(row[column] ?? '', each);
        return cell + ' '.repeat(Math.max(0, each - widthOf(cell)));
      })
      .join(GAP)
      .trimEnd(),
  );
}
