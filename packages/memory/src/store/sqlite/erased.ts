import type { Tombstone } from '../note.ts';
import type { Statements } from './statements.ts';

/** Leaves a tombstone: the id and the time, and nothing of what was erased. */
export function markErased(sql: Statements, id: string, at: number): void {
  sql.run('INSERT INTO erased (id, at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING', id, at);
}

/** Removes a tombstone, so that its id can be used again. */
export function unmarkErased(sql: Statements, id: string): void {
  sql.run('DELETE FROM erased WHERE id = ?', id);
}

/** Whether a note or value of this id was erased. */
export function isErased(sql: Statements, id: string): boolean {
  return sql.get('SELECT 1 FROM erased WHERE id = ?', id) !== undefined;
}

/** Whether a note, a deleted note, a group or a value has this id. */
export function isUsed(sql: Statements, id: string): boolean {
  return TABLES.some((table) => sql.get(`SELECT 1 FROM ${table} WHERE id = ?`, id) !== undefined);
}

const TABLES = ['note', 'note_version', 'project_group', 'global_value'] as const;

/** Every tombstone, oldest first. */
export function tombstones(sql: Statements): Tombstone[] {
  return sql.all<Tombstone>('SELECT id, at FROM erased ORDER BY at, id');
}
