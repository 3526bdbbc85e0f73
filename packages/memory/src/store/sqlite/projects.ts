import type { Statements } from './statements.ts';

/** A project's row and its running figures. */
export interface ProjectRow {
  readonly id: number;
  readonly notes: number;
  readonly tokens: number;
}

/** The project of a key, where anything was ever written to it. */
export function findProject(sql: Statements, key: string): ProjectRow | undefined {
  return sql.get<ProjectRow>('SELECT id, notes, tokens FROM project WHERE key = ?', key);
}

/** Projects that hold anything; one whose last note was deleted leaves its row behind. */
export function projectKeys(sql: Statements): string[] {
  const rows = sql.all<{ readonly key: string }>(
    `SELECT key FROM project WHERE notes > 0 OR id IN (SELECT project FROM project_group)
     OR id IN (SELECT project FROM global_value)`,
  );
  return rows.map(({ key }) => key);
}

/** Notes of all projects. */
export function countNotes(sql: Statements): number {
  return sql.get<{ n: number }>('SELECT total(notes) AS n FROM project')?.n ?? 0;
}

/** The id of a project, made if new. */
export function ensureProject(sql: Statements, key: string): number {
  const known = findProject(sql, key);
  return known?.id ?? sql.insert('INSERT INTO project (key) VALUES (?)', key);
}

/** Keeps a project's number of notes and their total length. */
export function countProject(
  sql: Statements,
  project: number,
  change: { readonly notes: number; readonly tokens: number },
): void {
  sql.run(
    'UPDATE project SET notes = notes + ?, tokens = tokens + ? WHERE id = ?',
    change.notes,
    change.tokens,
    project,
  );
}
