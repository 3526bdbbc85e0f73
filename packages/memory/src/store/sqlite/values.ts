import type { GlobalValue } from '../note.ts';
import { ensureProject } from './projects.ts';
import type { Statements } from './statements.ts';

const SELECT = `SELECT global_value.id, project.key AS projectId, global_value.key, value, updated_at AS updatedAt
  FROM global_value JOIN project ON project.id = global_value.project`;

type ValueRow = Omit<GlobalValue, 'value'> & { readonly value: string };

/** Writes a value under its key and returns the id in force, which is the first one's. */
export function upsertValue(sql: Statements, value: GlobalValue): string {
  const project = ensureProject(sql, value.projectId);
  sql.run(
    `INSERT INTO global_value (id, project, key, value, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (project, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    value.id,
    project,
    value.key,
    JSON.stringify(value.value),
    value.updatedAt,
  );
  return findValue(sql, value.projectId, value.key)?.id ?? value.id;
}

/** The value under a key of a project. */
export function findValue(
  sql: Statements,
  projectId: string,
  key: string,
): GlobalValue | undefined {
  const row = sql.get<ValueRow>(
    `${SELECT} WHERE project.key = ? AND global_value.key = ?`,
    projectId,
    key,
  );
  return row === undefined ? undefined : toValue(row);
}

/** Values of a project, or of all, by project and key. */
export function valuesOf(sql: Statements, projectId?: string): GlobalValue[] {
  return sql
    .all<ValueRow>(
      `${SELECT} WHERE project.key = coalesce(?, project.key) ORDER BY project.key, global_value.key`,
      projectId ?? null,
    )
    .map(toValue);
}

/** `false` when there is no such value. */
export function removeValue(sql: Statements, id: string): boolean {
  return sql.run('DELETE FROM global_value WHERE id = ?', id) > 0;
}

function toValue(row: ValueRow): GlobalValue {
  return { ...row, value: JSON.parse(row.value) as unknown };
}
