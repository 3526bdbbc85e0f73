import { createHash } from 'node:crypto';
import { ensureProject, findProject } from './projects.ts';
import type { Statements } from './statements.ts';

/** The name of the project that was once stored as `former`: through its alias, or still under that name. */
export function findFormer(sql: Statements, former: string): string | undefined {
  const row = sql.get<{ readonly key: string }>(
    `SELECT project.key FROM project_alias JOIN project ON project.id = project_alias.project
     WHERE alias = ?`,
    aliasOf(former),
  );
  return row?.key ?? (findProject(sql, former) === undefined ? undefined : former);
}

/**
 * Moves a project from a name that holds a secret to one that does not, and returns the name in force. Where
 * another project has that name already, a part of the alias tells both apart.
 */
export function moveProject(sql: Statements, former: string, key: string): string {
  const known = findFormer(sql, former);
  if (known !== undefined && known !== former) return known;
  const alias = aliasOf(former);
  const held = findProject(sql, former);
  const name =
    held === undefined || findProject(sql, key) === undefined ? key : `${key}#${alias.slice(0, 8)}`;
  if (held !== undefined) sql.run('UPDATE project SET key = ? WHERE id = ?', name, held.id);
  const project = held?.id ?? ensureProject(sql, name);
  sql.run('INSERT INTO project_alias (alias, project) VALUES (?, ?)', alias, project);
  return name;
}

/** The former name itself is not kept: it holds a secret. */
function aliasOf(former: string): string {
  return createHash('sha256').update(former).digest('hex');
}
