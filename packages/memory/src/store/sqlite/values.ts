import type { GlobalValue, StoredValue } from '../note.ts';
import { RevisionConflict } from '../revision-conflict.ts';
import type { PutValue, PutValueOptions } from '../store.ts';
import { ensureProject } from './projects.ts';
import type { Statements } from './statements.ts';

const SELECT = `SELECT global_value.id, project.key AS projectId, global_value.key, value, updated_at AS updatedAt,
  revision FROM global_value JOIN project ON project.id = global_value.project`;

type ValueRow = Omit<StoredValue, 'value'> & { readonly value: string };

/** Writes a value under its key; the id in force is the first one's. */
export function upsertValue(
  sql: Statements,
  value: GlobalValue,
  { ifRevision, firstRevision = 1 }: PutValueOptions = {},
): PutValue {
  const held = findValue(sql, value.projectId, value.key);
  const revision = held?.revision ?? 0;
  if (ifRevision !== undefined && ifRevision !== revision) throw new RevisionConflict(held);
  const project = ensureProject(sql, value.projectId);
  sql.run(
    `INSERT INTO global_value (id, project, key, value, updated_at, revision) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (project, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
     revision = revision + 1`,
    value.id,
    project,
    value.key,
    JSON.stringify(value.value),
    value.updatedAt,
    firstRevision,
  );
  return { id: held?.id ?? value.id, revision: held === undefined ? firstRevision : revision + 1 };
}

/** The value under a key of a project. */
export function findValue(
  sql: Statements,
  projectId: string,
  key: string,
): StoredValue | undefined {
  const row = sql.get<ValueRow>(
    `${SELECT} WHERE project.key = ? AND global_value.key = ?`,
    projectId,
    key,
  );
  return row === undefined ? undefined : toValue(row);
}

/** Values of a project, or of all, by project and key. */
export function valuesOf(sql: Statements, projectId?: string): StoredValue[] {
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

function toValue(row: ValueRow): StoredValue {
  return { ...row, value: JSON.parse(row.value) as unknown };
}
