import { countFitting } from '../../answer-limit.ts';
import type { Group, GroupPatch } from '../note.ts';
import type { Part } from '../store.ts';
import { ensureProject } from './projects.ts';
import type { Statements } from './statements.ts';

const SELECT = `SELECT project_group.id, project.key AS projectId, group_key AS groupKey, title, description,
  created_at AS createdAt, updated_at AS updatedAt
  FROM project_group JOIN project ON project.id = project_group.project`;

/** What a group takes in an answer beside its texts: there may be very many without any. */
const FIXED_BYTES = 200;

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

/** The oldest groups of a project, as many as fit one answer. */
export function oldestGroups(sql: Statements, projectId: string): Part<Group> {
  const sizes = sql.column<number>(
    `SELECT octet_length(title) + octet_length(description) + ${FIXED_BYTES} FROM project_group
     JOIN project ON project.id = project_group.project WHERE project.key = ?
     ORDER BY created_at, project_group.rowid`,
    projectId,
  );
  const count = countFitting(sizes);
  return { first: groupsOf(sql, projectId, count), omitted: sizes.length - count };
}

/** Groups of a project, or of all, oldest first. */
export function groupsOf(sql: Statements, projectId?: string, limit = -1): Group[] {
  return sql.all<Group>(
    `${SELECT} WHERE project.key = coalesce(?, project.key) ORDER BY created_at, project_group.rowid LIMIT ?`,
    projectId ?? null,
    limit,
  );
}
