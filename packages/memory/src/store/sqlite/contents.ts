import type { Statements } from './statements.ts';

/** How much a store holds. */
export interface StoreCounts {
  readonly notes: number;
  readonly groups: number;
  readonly values: number;
  /** Every version that `history` lists, of deleted notes too. */
  readonly versions: number;
}

/** Counts what a store of any schema version holds. */
export function countContents(sql: Statements): StoreCounts {
  const count = (table: string): number =>
    sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
  // The first schema version kept no history.
  const hasHistory =
    sql.get(`SELECT 1 FROM sqlite_schema WHERE name = 'note_version'`) !== undefined;
  const notes = count('note');
  return {
    notes,
    groups: count('project_group'),
    values: count('global_value'),
    versions: notes + (hasHistory ? count('note_version') : 0),
  };
}
