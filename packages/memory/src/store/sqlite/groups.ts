import type { Group, GroupPatch } from '../note.ts';
import { ensureProject } from './projects.ts';
import type { Statements } from './statements.ts';

const SELECT = `SELECT project_group.id, project.key AS projectId, group_key AS groupKey, title, description,
  created_at AS createdAt, updated_at AS updatedAt
  FROM project_group JOIN project ON project.id = project_group.project`;

/** `false` when the project has a group of this key. */
export function insertGroup(sql: Statements, group: Group): boolean {
  const changes = sql.run(
    `INSERT INTO project_group (id, project, group_key, title, description, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project, group_key) DO NOTHING`,
    group.id,
    ensureProject(sql, group.projectId),
    group.groupKey,
    group.title,
    group.description,
    group.createdAt,
    group.updatedAt,
  );
  return changes > 0;
}

/** A group by its id. */
export function findGroup(sql: Statements, id: string): Group | undefined {
  return sql.get<Group>(`${SELECT} WHERE project_group.id = ?`, id);
}

/** Changes the given fields; `false` when there is no such group. */
export function changeGroup(
  sql: Statements,
  id: string,
  { title, description, updatedAt }: GroupPatch & { readonly updatedAt: number },
): boolean {
  const changes = sql.run(
    `UPDATE project_group SET title = coalesce(?, title), description = coalesce(?, description),
     updated_at = ? WHERE id = ?`,
    title ?? null,
    description ?? null,
    updatedAt,
    id,
  );
  return changes > 0;
}

/** `false` when there is no such group. */
export function removeGroup(sql: Statements, id: string): boolean {
  return sql.run('DELETE FROM project_group WHERE id = ?', id) > 0;
}

/** Groups of a project, or of all, oldest first. */
export function groupsOf(sql: Statements, projectId?: string): Group[] {
  return sql.all<Group>(
    `${SELECT} WHERE project.key = coalesce(?, project.key) ORDER BY created_at, project_group.rowid`,
    projectId ?? null,
  );
}
