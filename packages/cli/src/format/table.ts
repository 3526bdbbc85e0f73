import { pad, widthOf } from './text.ts';

/** Rows as aligned columns; columns named in `right` are flush right. */
export function table(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) =>
        pad(cell, widths[column] ?? 0, right.includes(column) ? 'right' : 'left'),
      )
      .join('  ')
      .trimEnd(),
  );
}
